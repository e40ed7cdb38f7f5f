//! `POST /webhooks`: registers a URL for events.

use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::notifications::webhook::{Registration, register};
use link_types::Sensitive;
use link_types::webhook::{RetryProfile, Webhook};
use serde::Deserialize;

use super::url::vet;
use crate::api::resource_limits::one_more_webhook;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Body of `POST /webhooks`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateWebhook {
    /// Name of the webhook. Defaults to the host of the URL.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Public HTTPS URL that receives the events. In the sandbox also http, to this machine and to the hosts that the
    /// operator allows.
    #[schema(min_length = 1, max_length = 500, pattern = "^https?://[^/]")]
    url: String,
    /// Event types to send, or ALL_EVENTS.
    #[schema(value_type = link_types::webhook::EventSelection)]
    event_types: Vec<String>,
    /// Whether events are sent to the webhook. Defaults to true.
    active: Option<bool>,
    /// Key of the signatures. It is never returned.
    #[schema(value_type = String, min_length = 16, max_length = 256)]
    secret: Sensitive,
    /// Whether TASK_FINISHED and ACCOUNT_SYNC_TASK_FINISHED contain the data points. Defaults to false.
    include_payload: Option<bool>,
    /// How failed deliveries are retried. Defaults to STANDARD.
    retry_profile: Option<RetryProfile>,
}

/// Registers a webhook.
///
/// An environment has at most 50 webhooks. Creating another returns 409.
#[utoipa::path(
    post, path = "/webhooks", tag = "webhooks", operation_id = "createWebhook",
    request_body(content = CreateWebhook, example = json!({
        "name": "All events",
        "url": "https://example.com/linchpin",
        "eventTypes": ["ALL_EVENTS"],
        "secret": "a long random text of your own",
    })),
    responses((status = 201, description = "The created webhook", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateWebhook>,
) -> ApiResult<Response> {
    if let Some(before) = caller.answered().await? {
        return Ok(before);
    }
    let registration = Registration {
        name: body.name,
        url: body.url,
        event_types: body.event_types,
        active: body.active,
        secret: Some(body.secret),
        include_payload: body.include_payload,
        retry_profile: body.retry_profile,
    };
    let (owner, rules) = (caller.owner().clone(), app.registration_rules());
    let webhook = register(owner, registration, rules, &mut caller.context()).map_err(Problem::invalid)?;
    vet(&app, webhook.owner.mode, &webhook.registration.url)?;
    caller
        .once(move |tx, _| {
            one_more_webhook(tx, &webhook.owner)?;
            let change = Change::row(Row::Webhook(webhook.clone()));
            Ok(IdempotentResponse::created(&webhook.registration, change)?.about(webhook.id().clone()))
        })
        .await
}
