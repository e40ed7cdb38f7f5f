//! `GET /webhooks/{id}`: returns one webhook, without its secret.

use axum::Json;
use axum::extract::State;
use link_types::id::WebhookId;
use link_types::webhook::Webhook;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a webhook.
///
/// `disabledReason` says why the service stopped sending to it. The secret is never returned; `secretHint` shows its
/// last characters.
#[utoipa::path(
    get, path = "/webhooks/{id}", tag = "webhooks", operation_id = "getWebhook",
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The webhook", body = Webhook, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Webhook>> {
    let owner = caller.owner().clone();
    let webhook =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.webhooks().get(&owner, &id)?) }).await?;
    webhook.map(|it| Json(it.registration)).ok_or_else(Problem::missing)
}
