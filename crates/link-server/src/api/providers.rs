//! `/providers`: the providers at which people can link accounts in the caller's environment.

use axum::Json;
use axum::extract::State;
use link_domain::kernel::owner::Owner;
use link_store::{BoundCursors, PageRequest, Store};
use link_types::id::ProviderId;
use link_types::list::Page;
use link_types::provider::{Provider, ProviderPage, ProviderType};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of providers.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list => read)).routes(routes!(get => read))
}

/// Query of the list of providers.
#[derive(Default)]
struct ListProvidersQuery {
    provider_type: Option<ProviderType>,
    sub_type: Option<String>,
    country: Option<String>,
    name: Option<String>,
    ids: Option<String>,
    page: PageRequest,
}

impl FromQuery for ListProvidersQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            provider_type: query.take_optional(
                "type",
                "Return only providers of this type",
                "GOVERNMENT, EMPLOYER, GIG or PAYROLL",
            ),
            sub_type: query.text("subType", "Return only providers of this subtype", 64),
            country: query.text(
                "country",
                "Return only providers in this country, as an ISO 3166-1 alpha-2 code",
                2,
            ),
            name: query.text("name", "Return only providers whose name contains this text", 200),
            ids: query.text("ids", "Return only providers with these ids, separated by commas", 4_000),
            page: query.page(),
        }
    }
}

impl ListProvidersQuery {
    fn cursors(&self, store: &Store, owner: &Owner) -> BoundCursors {
        let filters = [
            self.provider_type.map(ProviderType::as_str),
            self.sub_type.as_deref(),
            self.country.as_deref(),
            self.name.as_deref(),
            self.ids.as_deref(),
        ];
        store.bind_cursors("providers", owner, &filters, &self.page)
    }

    fn includes(&self, provider: &Provider) -> bool {
        let matches = |filter: &Option<String>, value: &str| {
            filter.as_ref().is_none_or(|it| it.eq_ignore_ascii_case(value))
        };
        self.provider_type.is_none_or(|it| it == provider.provider_type)
            && matches(&self.sub_type, &provider.sub_type)
            && matches(&self.country, &provider.country)
            && self.name.as_ref().is_none_or(|it| {
                let part = it.to_lowercase();
                provider.name.to_lowercase().contains(&part)
                    || provider.long_name.to_lowercase().contains(&part)
            })
            && self.ids.as_ref().is_none_or(|ids| ids.split(',').any(|it| it.trim() == provider.id.as_str()))
    }
}

/// Lists providers, ordered by id.
///
/// The list contains the providers of the environment, also those that are disabled at the moment. `sourceConfigured` is
/// false if the operator has not configured a source of providers, so that nothing can be linked.
#[utoipa::path(
    get, path = "/providers", tag = "providers", operation_id = "listProviders",
    params(Query<ListProvidersQuery>),
    responses((status = 200, description = "A page of providers", body = ProviderPage,
        example = json!({"items": [parse_example(include_str!("providers/get.json"))], "nextCursor": null, "sourceConfigured": true})), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListProvidersQuery>,
) -> ApiResult<Json<ProviderPage>> {
    let source = app.ports.source(caller.owner().mode);
    let mut found: Vec<Provider> =
        source.providers().iter().filter(|it| query.includes(it)).cloned().collect();
    found.sort_by(|a, b| a.id.cmp(&b.id));
    let cursors = query.cursors(&app.store, caller.owner());
    let Page { items, next_cursor } = page(found, &query.page, &cursors)?;
    Ok(Json(ProviderPage { items, next_cursor, source_configured: source.is_configured() }))
}

/// Returns the page after the provider whose id the cursor contains.
fn page(
    mut found: Vec<Provider>,
    request: &PageRequest,
    cursors: &BoundCursors,
) -> ApiResult<Page<Provider>> {
    if let Some(cursor) = &request.cursor {
        let last = cursors.position(cursor)?;
        found.retain(|it| it.id.as_str() > last.as_str());
    }
    let size = request.size.get();
    let more = found.len() > size;
    found.truncate(size);
    let next_cursor = found.last().filter(|_| more).map(|it| cursors.after(it.id.as_str()));
    Ok(Page { items: found, next_cursor })
}

/// Retrieves a provider with its login options.
///
/// `supported` lists the kinds of data points that an account at this provider can have.
#[utoipa::path(
    get, path = "/providers/{id}", tag = "providers", operation_id = "getProvider",
    params(("id" = ProviderId, Path, description = "The provider's id")),
    responses((status = 200, description = "The provider", body = Provider, example = json!(parse_example(include_str!("providers/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ProviderId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Provider>> {
    let providers = app.ports.source(caller.owner().mode).providers();
    providers.iter().find(|it| it.id == id).cloned().map(Json).ok_or_else(Problem::missing)
}
