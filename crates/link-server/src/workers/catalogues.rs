//! Asks connectors again and again which providers they serve: they come and go while the service runs.

use std::time::Duration;

use link_types::Mode;
use tokio::time::MissedTickBehavior;

use crate::app::App;

/// How often they are asked.
const INTERVAL: Duration = Duration::from_secs(15);

/// Works until the service stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping();
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let asking = async {
        loop {
            ticks.tick().await;
            let (sandbox, production) = (app.source(Mode::Sandbox), app.source(Mode::Production));
            tokio::join!(sandbox.renew_providers(), production.renew_providers());
        }
    };
    tokio::select! {
        () = asking => {}
        _ = stopping.wait_for(|stop| *stop) => {}
    }
}
