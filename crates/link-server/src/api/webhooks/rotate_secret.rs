//! `POST /webhooks/{id}/rotateSecret`: starts a rotation of the secret, during which both secrets sign.

use axum::response::Response;
use link_types::Sensitive;
use link_types::id::WebhookId;
use link_types::webhook::Webhook;
use serde::Deserialize;

use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Body of `POST /webhooks/{id}/rotateSecret`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RotateSecret {
    /// Next key of the signatures. It is never returned.
    #[schema(value_type = String, min_length = 16, max_length = 256)]
    secret: Sensitive,
}

/// Starts a rotation of a webhook's secret.
///
/// For 24 hours, or until you confirm the next secret, `Service-Signature` uses the current secret and
/// `Service-Signature-Next` uses the next one. Then the next secret replaces the current one.
#[utoipa::path(
    post, path = "/webhooks/{id}/rotateSecret", tag = "webhooks", operation_id = "rotateWebhookSecret",
    request_body(content = RotateSecret, example = json!({"secret": "the next long random text"})),
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The updated webhook", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<RotateSecret>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (webhook, change) = webhook.rotate(body.secret.clone(), context).map_err(Problem::invalid)?;
            Ok(IdempotentResponse::ok(&webhook.registration, change)?.about(id.clone()))
        })
        .await
}
