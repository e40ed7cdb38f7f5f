//! `POST /webhooks/{id}/recover`: sends again what did not arrive since a moment.

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::Change;
use link_domain::clock::TenantTime;
use link_domain::context::Context;
use link_domain::job::{Job, JobKind};
use link_domain::webhook::Webhook;
use link_types::Timestamp;
use link_types::id::WebhookId;
use link_types::problem::FaultCode;
use link_types::webhook::Recovery;
use serde::Deserialize;

use crate::endpoints::openapi::shown;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::query::PathId;
use crate::http::refusals;

/// Body of `POST /webhooks/{id}/recover`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecoverWebhook {
    /// The first moment whose events are looked at; not after now.
    since: Timestamp,
}

/// Recover a webhook: every event since a moment that it selects and that did not arrive (refused to the last attempt,
/// cancelled, or never sent because the webhook was off) is sent again under its own id, oldest first.
#[utoipa::path(
    post, path = "/webhooks/{id}/recover", tag = "webhooks", operation_id = "recoverWebhook",
    request_body(content = RecoverWebhook, example = json!({"since": "2026-11-20T11:07:11.000Z"})),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses(
        (status = 202, description = "Begun; the deliveries tell how it goes", body = Recovery, example = json!(shown(include_str!("recover.json")))), refusals::Write,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<RecoverWebhook>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (recovery, change) = recovery(&webhook, body.since, context)?;
            Ok(Effect::new(StatusCode::ACCEPTED, &recovery, change)?.about(id.clone()))
        })
        .await
}

/// What a recovery from `since` on begins with.
///
/// # Errors
/// 422 when that is after now, 409 when the webhook is switched off.
pub fn recovery(webhook: &Webhook, since: Timestamp, context: &mut Context) -> Answer<(Recovery, Change)> {
    let (since, until) = (TenantTime::from_micros(since.as_micros()), context.now().tenant());
    if since > until {
        return Err(Problem::invalid_field("since", FaultCode::OutOfRange, "must not be after now"));
    }
    webhook.check_sends()?;
    let since = webhook.recoverable_from(since, until);
    let webhook_id = webhook.id().clone();
    let kind = JobKind::RecoverDeliveries { webhook_id: webhook_id.clone(), since, until, after: None };
    let change = Change { jobs: vec![Job::now(&webhook.owner, kind, context)], ..Change::default() };
    Ok((Recovery { webhook_id, since: since.into(), until: until.into() }, change))
}
