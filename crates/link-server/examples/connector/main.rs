//! A connector to copy. It logs in to the portal of `examples/portal` over HTTP and reads its pages.
//!
//! | File | What to do with it |
//! |---|---|
//! | `signing.rs` | keep: checks requests and signs responses |
//! | `server.rs` | keep: the protocol's endpoints |
//! | `offer.rs` | change: lists the providers, records and signals that you serve |
//! | `portal.rs`, `login.rs`, `reading.rs`, `document.rs`, `query.rs`, `pages.rs` | rewrite: logs in to your provider and reads its data, and queries your source |
//!
//! The connector stores nothing: the service sends back the `state` that a login needs for its next step.
//! `docs/how-to/connectors.md` describes the protocol. The connector does not use any crate of Linchpin.

#![expect(clippy::print_stdout, reason = "a program for a terminal")]

mod document;
mod login;
mod offer;
mod pages;
mod portal;
mod query;
mod reading;
mod server;
mod signing;

use std::path::PathBuf;

use clap::Parser;
use tokio::net::TcpListener;

/// A connector for the portal of the examples.
#[derive(Parser)]
struct Flags {
    /// Port to listen on.
    #[arg(long, default_value_t = 8791)]
    port: u16,
    /// URL of the portal.
    #[arg(long, default_value = "http://127.0.0.1:8790")]
    portal: String,
    /// File with the secret shared with the service. Repeat it with the new secret during a rotation.
    #[arg(long, required = true)]
    secret_file: Vec<PathBuf>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let flags = Flags::parse();
    let mut secrets = Vec::new();
    for path in &flags.secret_file {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        secrets.push(text.trim_end().to_owned());
    }
    let listener = TcpListener::bind(("127.0.0.1", flags.port)).await?;
    println!("connector: http://{}", listener.local_addr()?);
    axum::serve(listener, server::router(secrets, flags.portal)).await?;
    Ok(())
}
