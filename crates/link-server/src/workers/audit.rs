//! Moves the events of the audit log to their tenants' chains.

use std::time::Duration;

use link_store::StoreError;

use crate::app::App;
use crate::logs::log_failure;

/// The time between two rounds.
const INTERVAL: Duration = Duration::from_secs(1);
/// The number of events that one unit of work moves. It locks the tenant.
const AT_ONCE: usize = 200;

/// Runs until the service stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping.clone();
    let mut ticks = tokio::time::interval(INTERVAL);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        if let Err(error) = chain(&app).await {
            log_failure!(error, %error, "Moving events to the audit log failed and will run again");
        }
    }
}

/// Moves all waiting events. A tenant whose events cannot be moved does not delay the others.
///
/// # Errors
/// If the database cannot be read or written, for at least one tenant.
pub async fn chain(app: &App) -> Result<(), StoreError> {
    let mut result = Ok(());
    for tenant in app.store.read(|reader| reader.audit_events().waiting_tenants()).await? {
        loop {
            let tenant = tenant.clone();
            let moved = app.store.write(move |tx| tx.audit_events().chain_waiting(&tenant, AT_ONCE)).await;
            match moved {
                Ok(moved) if moved == AT_ONCE => {}
                Ok(_) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
    }
    result
}
