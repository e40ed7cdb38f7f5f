//! `GET /webhooks`: lists the webhooks of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_types::list::Page;
use link_types::webhook::Webhook;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{PageQuery, Query};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Lists webhooks, newest first.
///
/// The list contains the webhooks of the environment of the API key. Secrets are never returned.
#[utoipa::path(
    get, path = "/webhooks", tag = "webhooks", operation_id = "listWebhooks", params(Query<PageQuery>),
    responses((status = 200, description = "A page of webhooks", body = Page<Webhook>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<Webhook>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.webhooks().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |webhook| webhook.registration)))
}
