//! A provider for trying out a connector: a fictitious workers' portal with a login, codes by text message, and pages.
//!
//! It does not depend on Linchpin. Run `cargo run --example portal`, then open the URL that it prints.

#![expect(clippy::print_stdout, reason = "a program for a terminal")]

mod certificate;
mod lookups;
mod pages;
mod people;
mod site;

use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;

/// How often the portal ends all sessions and forgets all reports.
const SESSIONS: Duration = Duration::from_secs(15 * 60);

/// How often the portal finishes the reports that were requested.
const REPORTS: Duration = Duration::from_secs(5);

/// A fictitious workers' portal.
#[derive(Parser)]
struct Flags {
    /// Port to listen on.
    #[arg(long, default_value_t = 8790)]
    port: u16,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind(("127.0.0.1", Flags::parse().port)).await?;
    println!("portal: http://{}/entrar (lucia, bruno, carmen; password aurora)", listener.local_addr()?);
    let portal = site::Portal::new(|text| println!("text message to {}: {}", text.to, text.code));
    let (ending, finishing) = (portal.clone(), portal.clone());
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(REPORTS).await;
            finishing.finish_reports();
        }
    });
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(SESSIONS).await;
            ending.end_sessions();
            ending.forget_reports();
        }
    });
    axum::serve(listener, site::router(portal)).await?;
    Ok(())
}
