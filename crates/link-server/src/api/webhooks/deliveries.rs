//! The deliveries of a webhook and their attempts, pings, and recovery.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::use_cases::{RecoveryError, start_recovery};
use link_store::{Created, DeliveryFilter, PageRequest};
use link_types::Timestamp;
use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, WebhookId};
use link_types::list::Page;
use link_types::problem::FaultCode;
use link_types::webhook::{Delivery, DeliveryStatus, PingResult, Recovery};
use serde::Deserialize;
use tracing::Instrument as _;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::extract::{PathId, PathIds};
use crate::http::idempotency::{Begun, IdempotentResponse};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};
use crate::workers::delivery::ping;

/// Returns the routes of deliveries.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list => read))
        .routes(routes!(get => read))
        .routes(routes!(resend => DeliveryResent))
}

/// Query of the list of deliveries.
struct ListDeliveriesQuery {
    status: Option<DeliveryStatus>,
    event_type: Option<EventType>,
    event_id: Option<EventId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListDeliveriesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            status: query.take_optional(
                "status",
                "Return only deliveries with this status",
                "PENDING, DELIVERED, EXHAUSTED or CANCELLED",
            ),
            event_type: query.take_optional(
                "eventType",
                "Return only deliveries of events of this type",
                "an event type, like TASK_FINISHED",
            ),
            event_id: query.take_optional("eventId", "Return only deliveries of this event", "an event's id"),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists the deliveries of a webhook, those of the newest event first.
///
/// Each attempt contains the first 1,024 bytes of the response.
#[utoipa::path(
    get, path = "/webhooks/{id}/deliveries", tag = "webhooks", operation_id = "listDeliveries",
    params(
        ("id" = WebhookId, Path, description = "The webhook's id"),
        Query<ListDeliveriesQuery>,
    ),
    responses((status = 200, description = "A page of deliveries", body = Page<Delivery>), refusals::Read),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(query): Query<ListDeliveriesQuery>,
) -> ApiResult<Json<Page<Delivery>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            reader.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let filter = DeliveryFilter {
                event: query.event_id.as_ref(),
                event_type: query.event_type,
                status: query.status,
                created: query.created,
            };
            let found = reader.deliveries().list(&owner, &id, filter, &query.page)?;
            let ids: Vec<_> = found.items.iter().map(|it| &it.id).collect();
            let mut attempts = reader.delivery_attempts().of_deliveries(&ids)?;
            Ok(list::page(found, |delivery| {
                let attempts = attempts.remove(&delivery.id).unwrap_or_default();
                delivery.view(attempts)
            }))
        })
        .await?;
    Ok(Json(page))
}

/// Retrieves a delivery with all its attempts.
///
/// Each attempt contains up to 16 KB of the response.
#[utoipa::path(
    get, path = "/webhooks/{id}/deliveries/{deliveryId}", tag = "webhooks", operation_id = "getDelivery",
    params(
        ("id" = WebhookId, Path, description = "The webhook's id"),
        ("deliveryId" = DeliveryId, Path, description = "The delivery's id"),
    ),
    responses((status = 200, description = "The delivery", body = Delivery, example = json!(parse_example(include_str!("deliveries/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathIds(id, delivery_id): PathIds<WebhookId, DeliveryId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Delivery>> {
    let owner = caller.owner().clone();
    app.store
        .read(move |reader| -> ApiResult<_> {
            reader.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let delivery = reader.deliveries().get(&owner, &delivery_id)?.filter(|it| it.webhook_id == id);
            let delivery = delivery.ok_or_else(Problem::missing)?;
            let attempts = reader.delivery_attempts().of_delivery(&delivery.id)?;
            Ok(Json(delivery.view(attempts)))
        })
        .await
}

/// Sends a delivery again.
///
/// The delivery can have any status. It has the same event id and the same bytes. Returns 409 if the webhook is
/// switched off.
#[utoipa::path(
    post, path = "/webhooks/{id}/deliveries/{deliveryId}/resend", tag = "webhooks",
    operation_id = "resendDelivery",
    params(
        ("id" = WebhookId, Path, description = "The webhook's id"),
        ("deliveryId" = DeliveryId, Path, description = "The delivery's id"),
    ),
    responses((status = 200, description = "The delivery, with the status PENDING", body = Delivery), refusals::Act),
    security(("apiKey" = []))
)]
async fn resend(
    caller: TenantCaller,
    PathIds(id, delivery_id): PathIds<WebhookId, DeliveryId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let delivery = tx.deliveries().get(&owner, &delivery_id)?.filter(|it| it.webhook_id == id);
            let delivery = delivery.ok_or_else(Problem::missing)?;
            webhook.check_sends()?;
            let delivery = delivery.resend(context.now());
            let attempts = tx
                .delivery_attempts()
                .of_deliveries(&[&delivery.id])?
                .remove(&delivery.id)
                .unwrap_or_default();
            let change = Change::row(Row::Delivery(Box::new(delivery.clone())));
            Ok(IdempotentResponse::ok(&delivery.view(attempts), change)?.about(id.clone()))
        })
        .await
}

/// How long a ping's idempotency key is reserved if a crash interrupts the ping. It is longer than a ping can take.
const CLAIM_TIMEOUT: Duration = Duration::from_secs(20);

/// Sends a ping to a webhook and returns the result.
///
/// A ping is an envelope of the type PING, signed like a delivery. It is not an event, so it is not listed and not
/// retried.
#[utoipa::path(
    post, path = "/webhooks/{id}/ping", tag = "webhooks", operation_id = "pingWebhook",
    params(("id" = WebhookId, Path, description = "The webhook's id. The webhook may be switched off")),
    responses((status = 200, description = "The result of the ping", body = PingResult, example = json!(parse_example(include_str!("ping.json")))), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn send_ping(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let slot = app.limits.attempts.try_ping(&owner, &id).ok_or_else(Problem::pings_under_way)?;
    let begun = caller
        .begin(
            |_, _, _| Ok(false),
            move |tx, context| {
                let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
                Ok((
                    IdempotentResponse::pending(context.now().tenant() + CLAIM_TIMEOUT).about(id.clone()),
                    webhook,
                ))
            },
        )
        .await?;
    let webhook = match begun {
        Begun::Mine(webhook) => webhook,
        Begun::Responded(before) => return Ok(before),
        Begun::Open(_) => return Err(Problem::at_work()),
    };
    // The task continues if the caller disconnects, so that a repeated request gets the result.
    let sent = async move {
        let _slot = slot;
        let result = ping(&app, &webhook, &mut caller.context()).await;
        caller
            .settle(move |_, _| {
                let change = webhook.record_ping(result.accepted);
                Ok(IdempotentResponse::ok(&result, change)?.about(webhook.id().clone()))
            })
            .await
    };
    tokio::spawn(sent.in_current_span()).await.map_err(Problem::system)?
}

/// Body of `POST /webhooks/{id}/recover`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecoverWebhook {
    /// Time from which on events are recovered. It must not be in the future.
    since: Timestamp,
}

/// Sends a webhook's events since a given time that did not arrive.
///
/// These are the selected events whose delivery is exhausted or cancelled, or that were never sent because the webhook
/// was switched off. They are sent with their original ids, oldest first.
#[utoipa::path(
    post, path = "/webhooks/{id}/recover", tag = "webhooks", operation_id = "recoverWebhook",
    request_body(content = RecoverWebhook, example = json!({"since": "2026-11-20T11:07:11.000Z"})),
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses(
        (status = 202, description = "The recovery has started. The list of deliveries shows its progress", body = Recovery, example = json!(parse_example(include_str!("recover.json")))), refusals::Write,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn recover(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<RecoverWebhook>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (recovery, change) = start_recovery(&webhook, body.since, context)?;
            Ok(IdempotentResponse::new(StatusCode::ACCEPTED, &recovery, change)?.about(id.clone()))
        })
        .await
}

impl From<RecoveryError> for Problem {
    fn from(refused: RecoveryError) -> Self {
        match refused {
            RecoveryError::InFuture => {
                Self::invalid_field("since", FaultCode::OutOfRange, "must not be in the future")
            }
            RecoveryError::SwitchedOff(off) => off.into(),
        }
    }
}
