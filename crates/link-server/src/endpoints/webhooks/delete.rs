//! `DELETE /webhooks/{id}`: nothing more is sent there; what was pending is cancelled.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_types::id::WebhookId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// Delete a webhook.
#[utoipa::path(
    delete, path = "/webhooks/{id}", tag = "webhooks", operation_id = "deleteWebhook",
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 204, description = "Deleted"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> Answer<_> {
            tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(
                &Change { deletions: vec![Deletion::Webhook(id.clone())], ..Change::default() },
                now,
            )?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
