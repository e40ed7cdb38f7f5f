//! `POST /events/fire`: emits an event of any type in the sandbox (ADR 0094).

use axum::extract::State;
use axum::response::Response;
use link_connectors::sandbox::sample;
use link_domain::change::Change;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::event::EventRecord;
use link_store::Tx;
use link_types::Mode;
use link_types::data::DataPointKind;
use link_types::event::{Event, EventType};
use link_types::id::UserId;
use link_types::problem::FaultCode;
use serde::Deserialize;

use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Body of `POST /events/fire`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FireEvent {
    /// Type of the event.
    r#type: EventType,
    /// User that the event is about. Defaults to a fictional user.
    user_id: Option<UserId>,
}

/// Emits a test event. Sandbox only: returns 404 in production.
///
/// The event is stored, listed and delivered like any other. The resource that it is about is fictional: retrieving
/// that resource returns 404.
#[utoipa::path(
    post, path = "/events/fire", tag = "sandbox", operation_id = "fireEvent",
    request_body(content = FireEvent, example = json!({"type": "ACCOUNT_CONNECTED"})),
    responses((status = 201, description = "The event, as sent to webhooks without payload", body = Event, example = json!(shown(include_str!("get.json")))), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(_): State<App>,
    caller: TenantCaller,
    Body(body): Body<FireEvent>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let (event, change) = fired(tx, &owner, body.r#type, body.user_id.clone(), context)?;
            let effect = IdempotentResponse::created_json(event.body(false).to_vec(), change);
            Ok(match event.subject.scope() {
                Some(_) => effect.about(event.subject),
                None => effect,
            })
        })
        .await
}

/// Returns the test event and the change that stores it.
///
/// # Errors
/// 404 in production, 422 if the user does not exist.
pub fn fired(
    tx: &mut Tx<'_>,
    owner: &Owner,
    event_type: EventType,
    user_id: Option<UserId>,
    context: &mut Context,
) -> ApiResult<(EventRecord, Change)> {
    if owner.mode == Mode::Production {
        return Err(Problem::missing());
    }
    if let Some(id) = &user_id
        && tx.users().get(owner, id)?.is_none()
    {
        return Err(Problem::invalid_field("userId", FaultCode::Invalid, "a user of this environment"));
    }
    let cursors = tx.page_cursors(owner);
    let sample = sample(kind(event_type), context.now().tenant())
        .ok_or_else(|| Problem::system("The sandbox has no provider"))?;
    Ok(sample.fire(owner, event_type, user_id, &cursors, context))
}

/// Returns the kind of data that an event is about and that not every provider has.
fn kind(event_type: EventType) -> Option<DataPointKind> {
    const KINDS: [(EventType, DataPointKind); 4] = [
        (EventType::RatingAdded, DataPointKind::Ratings),
        (EventType::TransactionsAdded, DataPointKind::Transactions),
        (EventType::IncomesAdded, DataPointKind::Incomes),
        (EventType::IncomesUpdated, DataPointKind::Incomes),
    ];
    KINDS.iter().find(|(it, _)| *it == event_type).map(|(_, kind)| *kind)
}
