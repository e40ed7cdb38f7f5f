//! What has had its time goes: wrapping keys of days past, dead tokens, sessions and attempts, failed
//! logins of the day before, what widgets told long ago, answers kept for repeated requests, idle rate limits.

use std::time::Duration;

use link_domain::archive::QUOTA_SPAN;
use link_domain::clock::{TenantTime, Wall};
use link_domain::link::{LoginTries, OPENING_MEMORY, SURVEY_MEMORY};
use link_store::{Day, StoreError};

use crate::app::App;

/// How often it is looked after.
const INTERVAL: Duration = Duration::from_secs(60);
/// How long a dead token or session is kept, so that its holder is told what became of it.
const KEPT: Duration = Duration::from_secs(7 * 86_400);

/// Works until the service stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping();
    let mut ticks = tokio::time::interval(INTERVAL);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        app.limits().forget_idle();
        if let Err(error) = tidy(&app, app.wall()).await {
            tracing::error!(%error, "housekeeping failed and will be tried again");
        }
    }
}

async fn tidy(app: &App, now: Wall) -> Result<(), StoreError> {
    let before = now - KEPT;
    app.store()
        .write(move |tx| -> Result<(), StoreError> {
            tx.delete_tokens_expired_before(TenantTime::from_micros(before.micros()))?;
            tx.delete_sessions_begun_before(before)?;
            tx.delete_visits_begun_before(before)?;
            tx.delete_attempts_ended_before(TenantTime::from_micros(before.micros()))?;
            tx.delete_login_tries_failed_before(now - LoginTries::MEMORY)?;
            tx.delete_upload_uses_before(now - QUOTA_SPAN)?;
            tx.delete_ui_events_before(now - OPENING_MEMORY)?;
            tx.delete_surveys_before(now - SURVEY_MEMORY)?;
            // A sandbox clock is only ever ahead: what is past on the wall is past for every tenant.
            tx.delete_answers_expired_by(TenantTime::from_micros(now.micros()))?;
            tx.delete_exports_expired_before(TenantTime::from_micros(now.micros()))?;
            Ok(())
        })
        .await?;
    let gone = app.store().destroy_day_keys_before(Day::of(now.micros())).await?;
    if gone > 0 {
        tracing::info!(days = gone, "the wrapping keys of days past are destroyed");
    }
    Ok(())
}
