//! Event commands: firing an event, and reading events as they occur.

use std::time::Duration;

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_types::event::EventType;
use link_types::id::{EventId, TenantId, UserId};
use link_types::{Mode, Timestamp};
use serde_json::{Value, json};

use super::lookup::check_tenant;
use super::refusal::Refusal;
use crate::api::events::fired;
use crate::app::App;

/// The maximum number of events in a response without payloads.
const AT_ONCE: usize = 500;
/// The maximum number of events in a response with payloads.
const WITH_PAYLOADS_AT_ONCE: usize = 20;
/// How long a request waits for an event.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How often it checks for events.
const LOOK: Duration = Duration::from_millis(200);

pub(super) async fn fire(
    app: &App,
    tenant: TenantId,
    event_type: EventType,
    user_id: Option<UserId>,
) -> Result<Value, Refusal> {
    check_tenant(app, &tenant).await?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let context = app.context(app.offset_of(&owner).await?);
    app.store()
        .write(move |tx| {
            let mut context = context.clone();
            let (event, change) = fired(tx, &owner, event_type, user_id.clone(), &mut context)?;
            tx.apply(&change, context.now())?;
            serde_json::from_slice(event.body(false)).map_err(|error| Refusal(error.to_string()))
        })
        .await
}

/// Returns the events since a time and after a given event, oldest first. Waits up to 20 seconds if there are no
/// events.
///
/// Without `since`, returns only the current time, from which the caller can start.
pub(super) async fn since(
    app: &App,
    owner: Owner,
    since: Option<Timestamp>,
    after: Option<EventId>,
    include_payload: bool,
) -> Result<Value, Refusal> {
    check_tenant(app, &owner.tenant).await?;
    let now = async || Ok::<_, Refusal>(app.now(app.offset_of(&owner).await?).tenant());
    let Some(since) = since else {
        return Ok(json!({"now": Timestamp::from(now().await?), "more": false, "events": []}));
    };
    let since = TenantTime::from_micros(since.as_micros());
    let limit = if include_payload { WITH_PAYLOADS_AT_ONCE } else { AT_ONCE };
    let began = app.wall();
    loop {
        let span = (since, now().await? + Duration::from_secs(1));
        let (owner, after) = (owner.clone(), after.clone());
        let found = app
            .store()
            .read(move |reader| match include_payload {
                true => reader.events().between(&owner, span, after.as_ref(), limit),
                false => reader.events().plain_between(&owner, span, after.as_ref(), limit),
            })
            .await?;
        if !found.is_empty() || app.wall().since(began) > TIMEOUT || app.is_stopping() {
            let events = found.iter().map(|event| {
                json!({
                    "id": event.id, "type": event.event_type, "createdAt": Timestamp::from(event.created_at),
                    "body": String::from_utf8_lossy(event.body(include_payload)),
                })
            });
            let (now, more) = (Timestamp::from(now().await?), found.len() == limit);
            return Ok(json!({"now": now, "more": more, "events": events.collect::<Vec<_>>()}));
        }
        tokio::time::sleep(LOOK).await;
    }
}
