//! Stores when API keys were last used: for each key at most once a minute, and off the path of its requests.

use link_domain::tenancy::tenant::KEY_USE_PRECISION;
use link_store::StoreError;

use crate::app::App;
use crate::logs::log_failure;

/// Runs until the service stops, and then stores the last uses.
pub async fn run(app: App) {
    let mut stopping = app.stopping.clone();
    loop {
        let stops = tokio::select! {
            () = tokio::time::sleep(KEY_USE_PRECISION) => false,
            _ = stopping.wait_for(|stop| *stop) => true,
        };
        if let Err(error) = store(&app).await {
            log_failure!(error, %error, "Storing when API keys were used failed");
        }
        if stops {
            return;
        }
    }
}

/// Stores the uses since the last call.
///
/// # Errors
/// If the database cannot be written.
pub async fn store(app: &App) -> Result<(), StoreError> {
    let uses = app.reports.key_uses.take();
    if uses.is_empty() {
        return Ok(());
    }
    app.store.write(move |tx| uses.iter().try_for_each(|(key, at)| tx.api_keys().set_used(key, *at))).await
}
