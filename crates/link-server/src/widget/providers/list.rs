//! `GET /link/providers`: lists the enabled providers that the link template offers.

use axum::Json;
use axum::extract::State;
use link_types::list::Page;
use link_types::provider::{Provider, ProviderSummary};

use super::search_key::fold;
use crate::app::App;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Lists the providers that the person can link. The list has one page.
///
/// The link template limits the providers and orders the first ones. Names are in the language of the request.
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
    let offered = providers.iter().filter(|it| it.enabled && template.offers(&it.id));
    let items = offered.map(|it| summary(it, caller.worded(it))).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Returns a provider as the list shows it. It can be found by its names in both languages.
fn summary(provider: &Provider, shown: Provider) -> ProviderSummary {
    let names = [&shown.name, &shown.long_name, &provider.name, &provider.long_name];
    let mut words: Vec<&str> = Vec::new();
    for name in names {
        if !words.contains(&name.as_str()) {
            words.push(name);
        }
    }
    ProviderSummary {
        search_key: fold(&words.join(" ")),
        id: shown.id,
        name: shown.name,
        long_name: shown.long_name,
        logo_url: shown.logo_url,
        provider_type: shown.provider_type,
        country: shown.country,
        enabled: shown.enabled,
        login_required: shown.login_required,
    }
}
