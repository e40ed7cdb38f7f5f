//! `linchpin fire` without a tenant.

use link_types::event::EventType;
use link_types::id::UserId;
use serde_json::json;

use crate::connection::Access;
use crate::shown::Shown;
use crate::terminal::{CommandError, say};

/// The format of an event, which the operator's command prints too.
pub const EVENT: Shown = Shown::Lines {
    parts: &[("event", "/id"), ("type", "/type"), ("created", "/createdAt"), ("data", "/data")],
    advice: "",
};

/// Emits a test event in the sandbox of the API key.
///
/// # Errors
/// [`crate::failure::TenantCommandError`] if the service refuses it or does not respond.
pub fn run(access: &Access, event_type: EventType, user: Option<&UserId>) -> Result<(), CommandError> {
    let rest = access.connection.rest()?;
    rest.check_sandbox()?;
    let mut body = json!({"type": event_type});
    if let Some(user) = user {
        body["userId"] = json!(user);
    }
    let event = rest.post("/events/fire", Some(&body))?;
    say(&access.show(&event, &EVENT)?)
}
