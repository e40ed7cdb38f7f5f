//! The pause of retention after a jump of the clock.

use link_domain::retention::ClockJump;
use link_types::Timestamp;
use serde_json::{Value, json};

use super::Refusal;
use crate::app::App;
use crate::workers::retention;

pub(super) async fn show(app: &App) -> Result<Value, Refusal> {
    let (now, jump) = retention::look(app).await?;
    Ok(json!({
        "paused": jump.is_some(),
        "clock": Timestamp::from_micros(now.micros()),
        "lastSeen": jump.map(|jump| Timestamp::from_micros(jump.from.micros())),
        "advice": if jump.is_some() { PAUSED } else { RUNS },
    }))
}

pub(super) async fn confirm(app: &App) -> Result<Value, Refusal> {
    Ok(match retention::confirm(app).await? {
        Some(ClockJump { to, .. }) => json!({
            "paused": false,
            "confirmed": true,
            "clock": Timestamp::from_micros(to.micros()),
            "advice": "The clock is confirmed. What has had its time is removed within a minute.",
        }),
        None => json!({ "paused": false, "confirmed": false, "advice": RUNS }),
    })
}

const RUNS: &str = "Retention runs. What has had its time is removed.";
const PAUSED: &str = "Retention is paused: nothing is removed because of its age. If the clock is right, \
                      `linchpin retention confirm` lets it go on. If it is wrong, set it right.";
