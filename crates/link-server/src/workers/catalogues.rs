//! Polls connectors for their provider catalogues, which may change while the service runs.

use std::time::Duration;

use link_types::Mode;
use tokio::time::MissedTickBehavior;

use crate::app::App;

/// How often the catalogues are fetched.
const INTERVAL: Duration = Duration::from_secs(15);

/// Runs until the service stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping();
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let polling = async {
        loop {
            ticks.tick().await;
            let (sandbox, production) = (app.source(Mode::Sandbox), app.source(Mode::Production));
            tokio::join!(sandbox.renew_providers(), production.renew_providers());
        }
    };
    tokio::select! {
        () = polling => {}
        _ = stopping.wait_for(|stop| *stop) => {}
    }
}
