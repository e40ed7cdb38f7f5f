//! `GET /providers`: lists the providers of the caller's environment, ordered by id.

use axum::Json;
use axum::extract::State;
use link_domain::owner::Owner;
use link_store::{BoundCursors, Store};
use link_types::list::{MAX_SIZE, Page};
use link_types::provider::{Provider, ProviderType};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, PageParams, Query, QueryFields};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of providers.
#[derive(Default)]
pub(super) struct ListProvidersQuery {
    provider_type: Option<ProviderType>,
    sub_type: Option<String>,
    country: Option<String>,
    name: Option<String>,
    ids: Option<String>,
    size: usize,
    cursor: Option<String>,
}

impl FromQuery for ListProvidersQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            provider_type: query.optional("type", "GOVERNMENT, EMPLOYER, GIG or PAYROLL"),
            sub_type: query.text("subType", 64),
            country: query.text("country", 2),
            name: query.text("name", 200),
            ids: query.text("ids", 4_000),
            size: query.in_range("size", 1, MAX_SIZE.into()).and_then(|it| it.try_into().ok()).unwrap_or(10),
            cursor: query.text("cursor", 1_000),
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
        store.bound_cursors("providers", owner, &filters)
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
#[utoipa::path(
    get, path = "/providers", tag = "providers", operation_id = "listProviders",
    params(
        ("type" = Option<ProviderType>, Query, description = "Return only providers of this type"),
        ("subType" = Option<String>, Query, max_length = 64, description = "Return only providers of this subtype"),
        ("country" = Option<String>, Query, max_length = 2, description = "Return only providers in this country, as an ISO 3166-1 alpha-2 code"),
        ("name" = Option<String>, Query, max_length = 200, description = "Return only providers whose name contains this text"),
        ("ids" = Option<String>, Query, max_length = 4000, description = "Return only providers with these ids, separated by commas"),
        PageParams,
    ),
    responses((status = 200, description = "A page of providers", body = Page<Provider>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListProvidersQuery>,
) -> ApiResult<Json<Page<Provider>>> {
    let mut found: Vec<Provider> =
        app.source(caller.owner().mode).providers().iter().filter(|it| query.includes(it)).cloned().collect();
    found.sort_by(|a, b| a.id.cmp(&b.id));
    let cursors = query.cursors(app.store(), caller.owner());
    page(found, query.size, query.cursor.as_deref(), &cursors).map(Json)
}

/// Returns the page after the provider whose id the cursor contains.
fn page(
    mut found: Vec<Provider>,
    size: usize,
    cursor: Option<&str>,
    cursors: &BoundCursors,
) -> ApiResult<Page<Provider>> {
    if let Some(cursor) = cursor {
        let last = cursors.position(cursor)?;
        found.retain(|it| it.id.as_str() > last.as_str());
    }
    let more = found.len() > size;
    found.truncate(size);
    let next_cursor = found.last().filter(|_| more).map(|it| cursors.after(it.id.as_str()));
    Ok(Page { items: found, next_cursor })
}
