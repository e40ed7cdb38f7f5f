//! `linchpin check`: tries everything that `linchpin serve` needs with the same settings, and starts nothing.

use std::sync::Arc;

use clap::Args;
use link_domain::kernel::system::{Clock as _, Entropy as _};
use link_store::{StoreError, check_database};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::administer::show_checks;
use crate::adapters::system::{SystemClock, SystemEntropy};
use crate::admin::doctor::has_fault;
use crate::connections;
use crate::dependencies::checks::{self, Check};
use crate::dependencies::production::find_missing_of_production;
use crate::metrics::Metrics;
use crate::service::{check_settings, store_settings, waiting_router};
use crate::settings::{Settings, SettingsInput};
use link_cli::terminal::{CommandError, say};

/// The flags of `check`: those of `serve`.
#[derive(Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    settings: SettingsInput,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
}

impl CheckArgs {
    /// Prints one line for each check. Fails if one found a fault.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let Self { settings, json } = self;
        let lines = match settings.settle() {
            Ok(settings) => {
                let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
                runtime.block_on(check(settings))?
            }
            Err(error) => vec![settings_line(Some(error.to_string()))],
        };
        let lines = Value::Array(lines);
        say(&show_checks(&lines, json)?)?;
        if has_fault(&lines) { Err("a check found a fault: see above".into()) } else { Ok(()) }
    }
}

fn settings_line(fault: Option<String>) -> Value {
    let (result, code, remedy) = match &fault {
        None => ("OK", "", ""),
        Some(_) => ("FAULT", "Settings", "Correct the flag, the variable or the key in the settings file"),
    };
    let cause = fault.unwrap_or_default();
    json!({
        "check": "settings", "subject": "", "result": result, "code": code, "cause": cause, "remedy": remedy,
    })
}

async fn check(settings: Settings) -> Result<Vec<Value>, CommandError> {
    let fault = check_settings(&settings).err().map(|error| error.to_string());
    let mut lines = vec![settings_line(fault)];
    let mut number = [0; 8];
    SystemEntropy.fill(&mut number);
    // A service that listens already responds itself.
    let served = serve_liveness(&settings).await?;
    let wanted = store_settings(&settings);
    // The client of the database has a runtime of its connection, which no other may drive.
    let looked = tokio::task::spawn_blocking(move || {
        std::thread::spawn(move || check_database(&wanted)).join().map_err(|_| StoreError::Panicked)?
    });
    let looked = looked.await.map_err(|_| StoreError::Panicked)?;
    let mut found = checks::check_database(looked, SystemClock.now());
    if !settings.ephemeral {
        found.push(checks::check_keys(&settings.keys_dir));
    }
    found.push(checks::check_files(&settings.files, u64::from_be_bytes(number)).await);
    found.push(checks::check_backups(&settings, u64::from_be_bytes(number)).await);
    found.extend(checks::check_surroundings(&settings).await);
    lines.extend(found.iter().map(Check::view));
    lines.extend(find_missing_of_production(&settings));
    drop(served);
    Ok(lines)
}

/// Responds to liveness checks at the service's address until the sender is dropped, so that the URLs can be called. Returns
/// `None` if another process listens there.
async fn serve_liveness(settings: &Settings) -> Result<Option<watch::Sender<bool>>, CommandError> {
    let Ok(listener) = TcpListener::bind(settings.listen).await else { return Ok(None) };
    let (end, ended) = watch::channel(false);
    let (limits, metrics) = (settings.connections.clone(), Arc::new(Metrics::new()?));
    tokio::spawn(connections::serve(listener, waiting_router(), limits, metrics, ended));
    Ok(Some(end))
}
