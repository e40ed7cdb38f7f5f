//! `DELETE /webhooks/{id}`: deletes a webhook and cancels its pending deliveries.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_types::id::WebhookId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Deletes a webhook.
///
/// Its pending deliveries are cancelled.
#[utoipa::path(
    delete, path = "/webhooks/{id}", tag = "webhooks", operation_id = "deleteWebhook",
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 204, description = "The webhook is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(
                &Change { deletions: vec![Deletion::Webhook(id.clone())], ..Change::default() },
                now,
            )?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
