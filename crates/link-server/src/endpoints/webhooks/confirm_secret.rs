//! `POST /webhooks/{id}/confirmSecret`: ends a rotation before its day is over.

use axum::response::Response;
use link_types::id::WebhookId;
use link_types::webhook::Webhook;

use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Confirm the next secret: it is in force from now on, alone. 409 when no secret is being rotated.
#[utoipa::path(
    post, path = "/webhooks/{id}/confirmSecret", tag = "webhooks", operation_id = "confirmWebhookSecret",
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook as it is now", body = Webhook), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            let confirmed = webhook.confirm_secret(context);
            let (webhook, change) =
                confirmed.map_err(|_| Problem::conflict("No secret of this webhook is being rotated."))?;
            Ok(Effect::ok(&webhook.registration, change)?.about(id.clone()))
        })
        .await
}
