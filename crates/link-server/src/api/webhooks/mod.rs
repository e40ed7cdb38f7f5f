//! `/webhooks`: the registered URLs that receive events.

mod deliveries;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::{Change, Deletion, Row};
use link_domain::notifications::delivery::SwitchedOffError;
use link_domain::notifications::webhook::{Registration, Update, register};
use link_types::id::WebhookId;
use link_types::list::Page;
use link_types::problem::FaultCode;
use link_types::webhook::{RetryProfile, Webhook};
use link_types::{Mode, Sensitive};
use serde::Deserialize;

use crate::api::resource_limits::one_more_webhook;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PageQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of webhooks.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => WebhookCreated, list => read))
        .routes(routes!(get => read, update => WebhookUpdated, delete => WebhookDeleted))
        .routes(routes!(deliveries::send_ping => WebhookPinged))
        .routes(routes!(rotate_secret => WebhookSecretRotated))
        .routes(routes!(confirm_secret => WebhookSecretConfirmed))
        .routes(routes!(deliveries::recover => WebhookRecovered))
        .merge(deliveries::routes())
}

impl From<SwitchedOffError> for Problem {
    fn from(_: SwitchedOffError) -> Self {
        Self::conflict("The webhook is switched off. Set `active` to true first.")
    }
}

/// Lists webhooks, newest first.
///
/// The list contains the webhooks of the environment of the API key. Secrets are never returned.
#[utoipa::path(
    get, path = "/webhooks", tag = "webhooks", operation_id = "listWebhooks", params(Query<PageQuery>),
    responses((status = 200, description = "A page of webhooks", body = Page<Webhook>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<Webhook>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.webhooks().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |webhook| webhook.registration)))
}

/// Retrieves a webhook.
///
/// `disabledReason` says why the service stopped sending to it. The secret is never returned; `secretHint` shows its
/// last characters.
#[utoipa::path(
    get, path = "/webhooks/{id}", tag = "webhooks", operation_id = "getWebhook",
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The webhook", body = Webhook, example = json!(parse_example(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Webhook>> {
    let owner = caller.owner().clone();
    let webhook =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.webhooks().get(&owner, &id)?) }).await?;
    webhook.map(|it| Json(it.registration)).ok_or_else(Problem::missing)
}

/// Body of `POST /webhooks`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateWebhook {
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
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateWebhook>,
) -> ApiResult<Response> {
    if let Some(before) = caller.find_earlier_response().await? {
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
    let (owner, rules) = (caller.owner().clone(), app.settings.registration_rules());
    let webhook = register(owner, registration, rules, &mut caller.context()).map_err(Problem::invalid)?;
    vet(&app, webhook.owner.mode, &webhook.registration.url)?;
    caller
        .once(move |tx, _| {
            one_more_webhook(tx, &webhook.owner)?;
            let change = Change::row(Row::Webhook(webhook.clone()));
            Ok(IdempotentResponse::for_created(&webhook.registration, change)?.about(webhook.id().clone()))
        })
        .await
}

/// Body of `PATCH /webhooks/{id}`. Fields that are omitted or null are unchanged.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateWebhook {
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
    /// Whether attempts have the header `traceparent` of W3C Trace Context while the service traces them. False for a new
    /// webhook.
    trace_context: Option<bool>,
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
async fn update(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<UpdateWebhook>,
) -> ApiResult<Json<Webhook>> {
    if let Some(url) = &body.url {
        vet(&app, caller.owner().mode, url)?;
    }
    let (owner, context, rules) =
        (caller.owner().clone(), caller.context(), app.settings.registration_rules());
    let update = Update {
        name: body.name,
        url: body.url,
        event_types: body.event_types,
        active: body.active,
        secret: body.secret,
        include_payload: body.include_payload,
        retry_profile: body.retry_profile,
        trace_context: body.trace_context,
    };
    let webhook = caller
        .write(move |tx| {
            let before = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let updated = before.update(update.clone(), rules, &mut context.clone());
            let (after, change) = updated.map_err(Problem::invalid)?;
            tx.apply(&change, context.now())?;
            Ok(after)
        })
        .await?;
    Ok(Json(webhook.registration))
}

/// Deletes a webhook.
///
/// Its pending deliveries are cancelled.
#[utoipa::path(
    delete, path = "/webhooks/{id}", tag = "webhooks", operation_id = "deleteWebhook",
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 204, description = "The webhook is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    caller
        .write(move |tx| {
            tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(
                &Change { deletions: vec![Deletion::Webhook(id.clone())], ..Change::default() },
                now,
            )?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Body of `POST /webhooks/{id}/rotateSecret`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RotateSecret {
    /// Next key of the signatures. It is never returned.
    #[schema(value_type = String, min_length = 16, max_length = 256)]
    secret: Sensitive,
}

/// Starts a rotation of a webhook's secret.
///
/// For 24 hours, or until you confirm the next secret, `Service-Signature` uses the current secret and
/// `Service-Signature-Next` uses the next one. Then the next secret replaces the current one.
#[utoipa::path(
    post, path = "/webhooks/{id}/rotateSecret", tag = "webhooks", operation_id = "rotateWebhookSecret",
    request_body(content = RotateSecret, example = json!({"secret": "the next long random text"})),
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The updated webhook", body = Webhook), refusals::Write),
    security(("apiKey" = []))
)]
async fn rotate_secret(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Body(body): Body<RotateSecret>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (webhook, change) = webhook.rotate(body.secret.clone(), context).map_err(Problem::invalid)?;
            Ok(IdempotentResponse::ok(&webhook.registration, change)?.about(id.clone()))
        })
        .await
}

/// Confirms the next secret of a webhook.
///
/// From now on, only this secret signs. Returns 409 if no rotation is in progress.
#[utoipa::path(
    post, path = "/webhooks/{id}/confirmSecret", tag = "webhooks", operation_id = "confirmWebhookSecret",
    params(("id" = WebhookId, Path, description = "The webhook's id")),
    responses((status = 200, description = "The updated webhook", body = Webhook), refusals::Act),
    security(("apiKey" = []))
)]
async fn confirm_secret(
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let confirmed = webhook.confirm_secret(context);
            let (webhook, change) = confirmed
                .map_err(|_| Problem::conflict("No rotation of this webhook's secret is in progress."))?;
            Ok(IdempotentResponse::ok(&webhook.registration, change)?.about(id.clone()))
        })
        .await
}

/// Checks that deliveries may be sent to a URL.
///
/// # Errors
/// 422 if they may not.
fn vet(app: &App, mode: Mode, url: &str) -> ApiResult<()> {
    let vetted = app.ports.sender.vet(url, mode == Mode::Production);
    vetted.map_err(|error| Problem::invalid_field("url", FaultCode::Invalid, error.to_string()))
}
