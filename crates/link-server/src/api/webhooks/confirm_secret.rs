//! `POST /webhooks/{id}/confirmSecret`: ends a rotation of the secret before its 24 hours are over.

use axum::response::Response;
use link_types::id::WebhookId;
use link_types::webhook::Webhook;

use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Confirms the next secret of a webhook.
///
/// From now on, only this secret signs. Returns 409 if no rotation is in progress.
#[utoipa::path(
    post, path = "/webhooks/{id}/confirmSecret", tag = "webhooks", operation_id = "confirmWebhookSecret",
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The updated webhook", body = Webhook), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let confirmed = webhook.confirm_secret(context);
            let (webhook, change) = confirmed
                .map_err(|_| Problem::conflict("No rotation of this webhook's secret is in progress."))?;
            Ok(IdempotentResponse::ok(&webhook.registration, change)?.about(id.clone()))
        })
        .await
}
