//! `GET /link/providers`: lists the enabled providers that the link template offers.

use axum::Json;
use axum::extract::State;
use link_types::list::Page;
use link_types::provider::{Provider, ProviderSummary};

use super::search_key::fold;
use crate::app::App;
use crate::http::extract::caller::SessionCaller;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Lists the providers that the person can link. The list has one page.
#[utoipa::path(
    get, path = "/link/providers", tag = "link", operation_id = "listLinkProviders",
    responses((status = 200, description = "The providers", body = Page<ProviderSummary>, example = json!(shown(include_str!("list.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Page<ProviderSummary>>> {
    let (owner, template) = (caller.owner().clone(), caller.session().template_id.clone());
    let template = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            reader.link_templates().get(&owner, &template)?.ok_or_else(Problem::missing)
        })
        .await?;
    let providers = app.source(caller.owner().mode).providers();
    let items = providers.iter().filter(|it| it.enabled && template.offers(&it.id)).map(summary).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

fn summary(provider: &Provider) -> ProviderSummary {
    ProviderSummary {
        id: provider.id.clone(),
        name: provider.name.clone(),
        long_name: provider.long_name.clone(),
        logo_url: provider.logo_url.clone(),
        provider_type: provider.provider_type,
        country: provider.country.clone(),
        enabled: provider.enabled,
        login_required: provider.login_required,
        search_key: fold(&format!("{} {}", provider.name, provider.long_name)),
    }
}
