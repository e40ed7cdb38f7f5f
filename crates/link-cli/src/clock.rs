//! `linchpin clock` without a tenant.

use hyper::Method;
use link_types::Timestamp;
use serde_json::json;

use crate::connection::Access;
use crate::shown::Shown;
use crate::terminal::{CommandError, say};

/// The format of a clock, which the operator's command prints too.
pub const CLOCK: Shown = Shown::Lines {
    parts: &[
        ("sandbox time", "/now"),
        ("real time", "/realTime"),
        ("advance", "/advance/status"),
        ("from", "/advance/from"),
        ("until", "/advance/until"),
        ("stops", "/advance/stops"),
    ],
    advice: "",
};

/// An action on the clock of a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockAction {
    /// Show it.
    Show,
    /// Advance it by seconds.
    AdvanceBy(u32),
    /// Advance it to a time.
    AdvanceTo(Timestamp),
    /// Stop its advance.
    Stop,
}

/// Shows, advances or stops the clock of the API key's sandbox.
///
/// # Errors
/// [`crate::failure::TenantCommandError`] if the service refuses it or does not respond.
pub fn run(access: &Access, action: ClockAction) -> Result<(), CommandError> {
    let rest = access.connection.rest()?;
    rest.check_sandbox()?;
    let clock = match action {
        ClockAction::Show => rest.get("/clock"),
        ClockAction::AdvanceBy(seconds) => rest.post("/clock/advance", Some(&json!({"seconds": seconds}))),
        ClockAction::AdvanceTo(until) => rest.post("/clock/advance", Some(&json!({"until": until}))),
        ClockAction::Stop => rest.send((Method::DELETE, "/clock/advance"), None),
    }?;
    say(&access.show(&clock, &CLOCK)?)
}
