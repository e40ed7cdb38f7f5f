//! `POST /webhooks/{id}/ping`: sends a ping now, once, and says what came back.

use axum::extract::State;
use axum::response::Response;
use link_domain::change::Change;
use link_types::id::WebhookId;
use link_types::webhook::PingResult;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;
use crate::workers::deliveries::ping;

/// Send a ping: an envelope of the type PING, signed like every delivery, once. It is no event: no list shows it and
/// nothing is tried again.
#[utoipa::path(
    post, path = "/webhooks/{id}/ping", tag = "webhooks", operation_id = "pingWebhook",
    params(("id" = WebhookId, Path, description = "The webhook; it may be switched off")),
    responses((status = 200, description = "What came of it", body = PingResult), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    if let Some(before) = caller.answered().await? {
        return Ok(before);
    }
    let owner = caller.owner().clone();
    let webhook = app.store().read(move |reader| -> Answer<_> { Ok(reader.webhook(&owner, &id)?) }).await?;
    let webhook = webhook.ok_or_else(Problem::missing)?;
    let result = ping(&app, &webhook, &mut caller.context()).await;
    caller.once(move |_, _| Effect::ok(&result, Change::default())).await
}
