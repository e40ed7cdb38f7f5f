//! Retention commands: the pause after a clock jump.

use link_domain::kernel::retention::ClockJump;
use link_types::Timestamp;
use serde_json::{Value, json};

use super::refusal::Refusal;
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
            "advice": "The clock is confirmed. Expired data is removed within a minute.",
        }),
        None => json!({ "paused": false, "confirmed": false, "advice": RUNS }),
    })
}

const RUNS: &str = "Retention is running. Expired data is removed.";
const PAUSED: &str = "Retention is paused: expired data is not removed. If the clock is right, run \
                      `linchpin retention confirm`. If the clock is wrong, correct it.";
