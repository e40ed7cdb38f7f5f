//! `PATCH /webhooks/{id}`: changes a registration; what is left out stays.

use axum::Json;
use axum::extract::State;
use link_domain::webhook::Update;
use link_types::Sensitive;
use link_types::id::WebhookId;
use link_types::webhook::{RetryProfile, Webhook};
use serde::Deserialize;

use crate::app::App;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::PathId;
use crate::http::refusals;

/// Body of `PATCH /webhooks/{id}`. A field that is left out, or null, stays as it is.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateWebhook {
    /// Label.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Public HTTPS endpoint.
    #[schema(min_length = 1, max_length = 500, pattern = "^https?://[^/]")]
    url: Option<String>,
    /// Event types, or ALL_EVENTS.
    #[schema(value_type = Option<link_types::webhook::EventSelection>)]
    event_types: Option<Vec<String>>,
    /// Whether the webhook takes effect. Switching it off cancels what is pending; switching it on enables a webhook
    /// that was disabled.
    active: Option<bool>,
    /// Another key of the signatures, in force at once; it ends a rotation.
    #[schema(value_type = Option<String>, min_length = 16, max_length = 256)]
    secret: Option<Sensitive>,
    /// Whether the finished tasks' events carry the data points.
    include_payload: Option<bool>,
    /// How failed deliveries are tried again.
    retry_profile: Option<RetryProfile>,
}

/// Change a webhook.
#[utoipa::path(
    patch, path = "/webhooks/{id}", tag = "webhooks", operation_id = "updateWebhook",
    request_body(content = UpdateWebhook, example = json!({"eventTypes": ["TASK_FINISHED"], "includePayload": true})),
    params(("id" = WebhookId, Path, description = "The webhook")),
    responses((status = 200, description = "The webhook as it is now", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<UpdateWebhook>,
) -> Answer<Json<Webhook>> {
    if let Some(url) = &body.url {
        super::vet(&app, caller.owner().mode, url)?;
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
        .write(move |tx| -> Answer<_> {
            let before = tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            let updated = before.update(update.clone(), rules, &mut context.clone());
            let (after, change) = updated.map_err(Problem::invalid)?;
            tx.apply(&change, context.now())?;
            Ok(after)
        })
        .await?;
    Ok(Json(webhook.registration))
}
