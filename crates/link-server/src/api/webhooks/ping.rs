//! `POST /webhooks/{id}/ping`: sends one ping immediately and returns the result.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use link_types::id::WebhookId;
use link_types::webhook::PingResult;
use tracing::Instrument as _;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::{Begun, IdempotentResponse};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;
use crate::workers::delivery::ping;

/// How long a ping's idempotency key is reserved if a crash interrupts the ping. It is longer than a ping can take.
const AT_MOST: Duration = Duration::from_secs(20);

/// Sends a ping to a webhook and returns the result.
///
/// A ping is an envelope of the type PING, signed like a delivery. It is not an event, so it is not listed and not
/// retried.
#[utoipa::path(
    post, path = "/webhooks/{id}/ping", tag = "webhooks", operation_id = "pingWebhook",
    params(("id" = WebhookId, Path, description = "The webhook's id. The webhook may be switched off")),
    responses((status = 200, description = "The result of the ping", body = PingResult, example = json!(shown(include_str!("ping.json")))), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let slot = app.attempts().try_ping(&owner, &id).ok_or_else(Problem::pings_under_way)?;
    let begun = caller
        .begin(
            |_, _, _| Ok(false),
            move |tx, context| {
                let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
                Ok((IdempotentResponse::pending(context.now().tenant() + AT_MOST).about(id.clone()), webhook))
            },
        )
        .await?;
    let webhook = match begun {
        Begun::Mine(webhook) => webhook,
        Begun::Answered(before) => return Ok(before),
        Begun::Open(_) => return Err(Problem::at_work()),
    };
    // The task continues if the caller disconnects, so that a repeated request gets the result.
    let sent = async move {
        let _slot = slot;
        let result = ping(&app, &webhook, &mut caller.context()).await;
        caller
            .settle(move |_, _| {
                let change = webhook.pinged(result.accepted);
                Ok(IdempotentResponse::ok(&result, change)?.about(webhook.id().clone()))
            })
            .await
    };
    tokio::spawn(sent.in_current_span()).await.map_err(Problem::system)?
}
