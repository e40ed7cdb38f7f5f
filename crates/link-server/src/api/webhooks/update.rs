//! `PATCH /webhooks/{id}`: updates a webhook.

use axum::Json;
use axum::extract::State;
use link_domain::notifications::webhook::Update;
use link_types::Sensitive;
use link_types::id::WebhookId;
use link_types::webhook::{RetryProfile, Webhook};
use serde::Deserialize;

use super::url::vet;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Body of `PATCH /webhooks/{id}`. Fields that are omitted or null are unchanged.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateWebhook {
    /// Name of the webhook.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Public HTTPS URL that receives the events. In the sandbox also http, to this machine and to the hosts that the
    /// operator allows.
    #[schema(min_length = 1, max_length = 500, pattern = "^https?://[^/]")]
    url: Option<String>,
    /// Event types to send, or ALL_EVENTS.
    #[schema(value_type = Option<link_types::webhook::EventSelection>)]
    event_types: Option<Vec<String>>,
    /// Whether events are sent to the webhook. False cancels the pending deliveries. True also enables a webhook that
    /// the service disabled.
    active: Option<bool>,
    /// New key of the signatures. It takes effect immediately and ends a rotation.
    #[schema(value_type = Option<String>, min_length = 16, max_length = 256)]
    secret: Option<Sensitive>,
    /// Whether TASK_FINISHED and ACCOUNT_SYNC_TASK_FINISHED contain the data points.
    include_payload: Option<bool>,
    /// How failed deliveries are retried.
    retry_profile: Option<RetryProfile>,
}

/// Updates a webhook.
///
/// Fields that are omitted or null are unchanged. `active` true also enables a webhook that the service disabled.
#[utoipa::path(
    patch, path = "/webhooks/{id}", tag = "webhooks", operation_id = "updateWebhook",
    request_body(content = UpdateWebhook, example = json!({"eventTypes": ["TASK_FINISHED"], "includePayload": true})),
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The updated webhook", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<UpdateWebhook>,
) -> ApiResult<Json<Webhook>> {
    if let Some(url) = &body.url {
        vet(&app, caller.owner().mode, url)?;
    }
    let (owner, context, rules) = (caller.owner().clone(), caller.context(), app.registration_rules());
    let update = Update {
        name: body.name,
        url: body.url,
        event_types: body.event_types,
        active: body.active,
        secret: body.secret,
        include_payload: body.include_payload,
        retry_profile: body.retry_profile,
    };
    let webhook = app
        .store()
        .write(move |tx| -> ApiResult<_> {
            let before = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let updated = before.update(update.clone(), rules, &mut context.clone());
            let (after, change) = updated.map_err(Problem::invalid)?;
            tx.apply(&change, context.now())?;
            Ok(after)
        })
        .await?;
    Ok(Json(webhook.registration))
}
