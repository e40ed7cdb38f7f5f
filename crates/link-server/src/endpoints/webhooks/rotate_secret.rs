//! `POST /webhooks/{id}/rotateSecret`: begins to change the key of the signatures without a gap.

use axum::response::Response;
use link_types::Sensitive;
use link_types::id::WebhookId;
use link_types::webhook::Webhook;
use serde::Deserialize;

use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::query::PathId;
use crate::http::refusals;

/// Body of `POST /webhooks/{id}/rotateSecret`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RotateSecret {
    /// The next key of the signatures; never returned.
    #[schema(value_type = String, min_length = 16, max_length = 256)]
    secret: Sensitive,
}

/// Rotate the secret. For 24 hours, or until it is confirmed, `Service-Signature` stays keyed with the secret in
/// force and `Service-Signature-Next` is keyed with the next; then the next is in force.
#[utoipa::path(
    post, path = "/webhooks/{id}/rotateSecret", tag = "webhooks", operation_id = "rotateWebhookSecret",
    request_body(content = RotateSecret, example = json!({"secret": "another one of 32 random bytes"})),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook as it is now", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<RotateSecret>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (webhook, change) = webhook.rotate(body.secret.clone(), context).map_err(Problem::invalid)?;
            Ok(Effect::ok(&webhook.registration, change)?.about(id.clone()))
        })
        .await
}
