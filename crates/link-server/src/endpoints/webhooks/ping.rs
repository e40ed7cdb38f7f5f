//! `POST /webhooks/{id}/ping`: sends a ping now, once, and says what came back.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Deletion};
use link_types::id::WebhookId;
use link_types::webhook::PingResult;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::{Begun, Effect};
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;
use crate::logs::still_serving;
use crate::workers::deliveries::ping;

/// How long a ping's key is taken after a crash cut the ping off: longer than a ping may take.
const AT_MOST: Duration = Duration::from_secs(20);

/// Send a ping: an envelope of the type PING, signed like every delivery, once. It is no event: no list shows it and
/// nothing is tried again.
#[utoipa::path(
    post, path = "/webhooks/{id}/ping", tag = "webhooks", operation_id = "pingWebhook",
    params(("id" = WebhookId, Path, description = "The webhook; it may be switched off")),
    responses((status = 200, description = "What came of it", body = PingResult, example = json!(shown(include_str!("ping.json")))), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let slot = app.attempts().try_ping(&owner, &id).ok_or_else(Problem::pings_under_way)?;
    let begun = caller
        .begin(
            |_, _, _| Ok(false),
            move |tx, context| {
                let webhook = tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
                Ok((Effect::pending(context.now().tenant() + AT_MOST).about(id.clone()), webhook))
            },
        )
        .await?;
    let webhook = match begun {
        Begun::Mine(webhook) => webhook,
        Begun::Answered(before) => return Ok(before),
        Begun::Open(_) => return Err(Problem::at_work()),
    };
    // A caller that hangs up finds the answer under its key all the same.
    let sent = async move {
        let _slot = slot;
        let result = ping(&app, &webhook, &mut caller.context()).await;
        let id = webhook.id().clone();
        caller
            .settle(move |_, _| {
                // A receiver that answers a ping gets its deliveries at once, not with the next probe.
                let deletions =
                    if result.accepted { vec![Deletion::Breaker(id.clone())] } else { Vec::new() };
                let change = Change { deletions, ..Change::default() };
                Ok(Effect::ok(&result, change)?.about(id.clone()))
            })
            .await
    };
    tokio::spawn(still_serving(sent)).await.map_err(Problem::system)?
}
