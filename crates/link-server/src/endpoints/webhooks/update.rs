//! `PATCH /webhooks/{id}`: changes a registration; what is left out stays.

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_domain::webhook::{self, Registration, register};
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
    #[schema(min_length = 1, max_length = 500)]
    url: Option<String>,
    /// Event types, or ALL_EVENTS.
    #[schema(value_type = Option<link_types::webhook::EventSelection>)]
    event_types: Option<Vec<String>>,
    /// Whether the webhook takes effect.
    active: Option<bool>,
    /// Another key of the signatures, in force at once.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 256)]
    secret: Option<Sensitive>,
    /// Whether the finished tasks' events carry the data points.
    include_payload: Option<bool>,
    /// How failed deliveries are tried again.
    retry_profile: Option<RetryProfile>,
}

/// Change a webhook.
#[utoipa::path(
    patch, path = "/webhooks/{id}", tag = "webhooks", operation_id = "updateWebhook", request_body = UpdateWebhook,
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
        super::vet(&app, caller.owner().mode, url).await?;
    }
    let (owner, context, rules) = (caller.owner().clone(), caller.context(), app.registration_rules());
    let webhook = app
        .store()
        .write(move |tx| -> Answer<_> {
            let before = tx.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            let merged = merge(&before, body.clone());
            let after =
                register(owner.clone(), merged, rules, &mut context.clone()).map_err(Problem::invalid)?;
            let after = webhook::Webhook {
                registration: Webhook {
                    id: before.registration.id,
                    created_at: before.registration.created_at,
                    ..after.registration
                },
                ..after
            };
            tx.apply(&Change::row(Row::Webhook(after.clone())), context.now())?;
            Ok(after)
        })
        .await?;
    Ok(Json(webhook.registration))
}

fn merge(before: &webhook::Webhook, patch: UpdateWebhook) -> Registration {
    let now = &before.registration;
    let types = || now.event_types.words().into_iter().map(str::to_owned).collect();
    Registration {
        name: Some(patch.name.unwrap_or_else(|| now.name.clone())),
        url: patch.url.unwrap_or_else(|| now.url.clone()),
        event_types: patch.event_types.unwrap_or_else(types),
        active: Some(patch.active.unwrap_or(now.active)),
        secret: Some(patch.secret.unwrap_or_else(|| before.secret.clone())),
        include_payload: Some(patch.include_payload.unwrap_or(now.include_payload)),
        retry_profile: Some(patch.retry_profile.unwrap_or(now.retry_profile)),
    }
}
