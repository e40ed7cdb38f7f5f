//! `POST /webhooks`: registers an address for events.

use axum::extract::State;
use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::webhook::{Registration, register};
use link_types::Sensitive;
use link_types::webhook::{RetryProfile, Webhook};
use serde::Deserialize;

use crate::app::App;
use crate::endpoints::quotas::one_more_webhook;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem};
use crate::http::refusals;

/// Body of `POST /webhooks`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateWebhook {
    /// Label; the address's host when left out.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Public HTTPS endpoint.
    #[schema(min_length = 1, max_length = 500, pattern = "^https?://[^/]")]
    url: String,
    /// Event types, or ALL_EVENTS.
    #[schema(value_type = link_types::webhook::EventSelection)]
    event_types: Vec<String>,
    /// Must be true for the webhook to take effect; it is by default.
    active: Option<bool>,
    /// Key of the signatures; never returned.
    #[schema(value_type = String, min_length = 16, max_length = 256)]
    secret: Sensitive,
    /// Whether TASK_FINISHED and ACCOUNT_SYNC_TASK_FINISHED carry the data points; false by default.
    include_payload: Option<bool>,
    /// How failed deliveries are tried again; STANDARD by default.
    retry_profile: Option<RetryProfile>,
}

/// Register a webhook. 409 when there are 50 already.
#[utoipa::path(
    post, path = "/webhooks", tag = "webhooks", operation_id = "createWebhook",
    request_body(content = CreateWebhook, example = json!({
        "name": "All events",
        "url": "https://example.com/linchpin",
        "eventTypes": ["ALL_EVENTS"],
        "secret": "of 32 random bytes, in any writing",
    })),
    responses((status = 201, description = "Registered", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateWebhook>,
) -> Answer<Response> {
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
    super::vet(&app, webhook.owner.mode, &webhook.registration.url)?;
    caller
        .once(move |tx, _| {
            one_more_webhook(tx, &webhook.owner)?;
            let change = Change::row(Row::Webhook(webhook.clone()));
            Ok(Effect::created(&webhook.registration, change)?.about(webhook.id().clone()))
        })
        .await
}
