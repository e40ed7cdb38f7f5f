//! `POST /webhooks/{id}/recover`: sends the events since a given time that did not arrive.

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::use_cases::{RecoveryError, start_recovery};
use link_types::Timestamp;
use link_types::id::WebhookId;
use link_types::problem::FaultCode;
use link_types::webhook::Recovery;
use serde::Deserialize;

use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Body of `POST /webhooks/{id}/recover`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecoverWebhook {
    /// Time from which on events are recovered. It must not be in the future.
    since: Timestamp,
}

/// Sends a webhook's events since a given time that did not arrive.
///
/// These are the selected events whose delivery is exhausted or cancelled, or that were never sent because the webhook
/// was switched off. They are sent with their original ids, oldest first.
#[utoipa::path(
    post, path = "/webhooks/{id}/recover", tag = "webhooks", operation_id = "recoverWebhook",
    request_body(content = RecoverWebhook, example = json!({"since": "2026-11-20T11:07:11.000Z"})),
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses(
        (status = 202, description = "The recovery has started. The list of deliveries shows its progress", body = Recovery, example = json!(shown(include_str!("recover.json")))), refusals::Write,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<RecoverWebhook>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (recovery, change) = start_recovery(&webhook, body.since, context)?;
            Ok(IdempotentResponse::new(StatusCode::ACCEPTED, &recovery, change)?.about(id.clone()))
        })
        .await
}

impl From<RecoveryError> for Problem {
    fn from(refused: RecoveryError) -> Self {
        match refused {
            RecoveryError::InFuture => {
                Self::invalid_field("since", FaultCode::OutOfRange, "must not be in the future")
            }
            RecoveryError::SwitchedOff(off) => off.into(),
        }
    }
}
