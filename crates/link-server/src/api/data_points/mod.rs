//! The endpoints of data points: one list and one lookup for every kind. They are made from the table of kinds.

use axum::extract::State;
use axum::response::Response;
use link_domain::data::data_point::DataPoint;
use link_store::{Created, DataPointFilter, PageRequest};
use link_types::data::{self, DataPointKind, WithMetadata};
use link_types::id::{SourceId, UserId};
use link_types::list::Page;
use link_types::{Date, Month};

use crate::api::payload::DocumentUrls;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields, between_days};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Query of a list of data points.
struct ListDataPointsQuery {
    user_id: Option<UserId>,
    account_id: Option<SourceId>,
    source_id: Option<SourceId>,
    dates: (Option<Date>, Option<Date>),
    months: (Option<Month>, Option<Month>),
    page: PageRequest,
}

impl ListDataPointsQuery {
    /// Takes the parameters. `months` takes those that only some lists have, which come before `size` and `cursor`.
    fn take_with(
        query: &mut QueryFields,
        months: impl FnOnce(&mut QueryFields) -> (Option<Month>, Option<Month>),
    ) -> Self {
        let source = "the id of an account or an archive";
        let days = [
            "First day that the data point is about, or first day of its creation if it is not about a day.",
            "Last day, inclusive.",
        ];
        Self {
            user_id: query.take_optional("userId", "Return only data points of this user.", "a user's id"),
            account_id: query.take_optional("accountId", "Same as `sourceId`.", source),
            source_id: query.take_optional(
                "sourceId",
                "Return only data points of this account or archive.",
                source,
            ),
            dates: query.dates(days),
            months: months(query),
            page: query.page(),
        }
    }
}

impl FromQuery for ListDataPointsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self::take_with(query, |_| (None, None))
    }
}

/// Query of the list of estimated incomes, which can also be filtered by month.
struct ListEstimatedIncomesQuery(ListDataPointsQuery);

impl FromQuery for ListEstimatedIncomesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self(ListDataPointsQuery::take_with(query, QueryFields::months))
    }
}

/// The queries of the lists, by how the table of kinds says that they filter.
mod query {
    pub(super) use super::ListDataPointsQuery as Day;
    pub(super) use super::ListDataPointsQuery as Creation;
    pub(super) use super::ListEstimatedIncomesQuery as Month;
}

/// Generates two routes for each kind: its list and its lookup.
macro_rules! endpoints {
    ($( $kind:ident $Body:ident $key:ident $doc:literal {
        $stored:tt $Id:ident $prefix:literal, $events:tt, $filter:ident, $text:path, $page_text:path,
        $path:literal $one:literal $many:literal $about:literal
    } )+) => {
        $(
            mod $key {
                use super::*;

                #[utoipa::path(
                    get, path = $path, tag = "dataPoints", operation_id = concat!("list", stringify!($kind)),
                    summary = concat!("Lists ", $many, ", newest first."),
                    description = concat!($about, " The list contains only data that is not erased. The filters can be combined."),
                    params(Query<query::$filter>),
                    responses(
                        (status = 200, description = "A page of data points", body = Page<WithMetadata<data::$Body>>),
                        refusals::List,
                    ),
                    security(("apiKey" = []))
                )]
                pub(super) async fn list(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Query(query): Query<query::$filter>,
                ) -> ApiResult<Response> {
                    list_kind(app, caller, DataPointKind::$kind, query.into()).await
                }

                #[utoipa::path(
                    get, path = concat!($path, "/{id}"), tag = "dataPoints", operation_id = concat!("get", stringify!($kind)),
                    summary = concat!("Retrieves ", $one, "."),
                    description = concat!($about, " Returns 404 once the data of its account or archive is erased."),
                    params(("id" = link_types::id::$Id, Path, description = "The data point's id")),
                    responses((status = 200, description = "The data point", body = WithMetadata<data::$Body>, example = json!(parse_example(<data::$Body as data::Body>::EXAMPLE))), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn get(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<link_types::id::$Id>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> ApiResult<Response> {
                    get_kind(app, caller, DataPointKind::$kind, id.to_string()).await
                }
            }
        )+

        /// Returns the routes of every kind of data point.
        pub fn routes() -> Endpoints {
            Endpoints::new()$(.routes(routes!($key::list => read)).routes(routes!($key::get => read)))+
        }
    };
}

link_types::data_points!(all endpoints);

impl From<ListEstimatedIncomesQuery> for ListDataPointsQuery {
    fn from(ListEstimatedIncomesQuery(query): ListEstimatedIncomesQuery) -> Self {
        query
    }
}

async fn list_kind(
    app: App,
    caller: TenantCaller,
    kind: DataPointKind,
    query: ListDataPointsQuery,
) -> ApiResult<Response> {
    let source = match (&query.account_id, &query.source_id) {
        // With a cursor, one of the two is the cursor's.
        (Some(account), Some(source)) if account != source && query.page.cursor.is_some() => {
            return Err(link_store::StoreError::BadCursor.into());
        }
        (Some(account), Some(source)) if account != source => return list::raw_page(&[], None),
        (Some(source), _) | (None, Some(source)) => Some(source.to_string()),
        (None, None) => None,
    };
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::for_caller(&app, &caller));
    let (items, next_cursor) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let (dates, created) = if kind.has_date() {
                (query.dates, Created::default())
            } else {
                ((None, None), between_days(query.dates))
            };
            let filter = DataPointFilter {
                user: query.user_id.as_ref(),
                source: source.as_deref(),
                created,
                from_date: dates.0,
                to_date: dates.1,
                from_month: query.months.0,
                to_month: query.months.1,
            };
            let page = reader.data_points().list(&owner, kind, filter, &query.page)?;
            Ok((urls.add(reader, kind, page.items)?, page.next_cursor))
        })
        .await?;
    let items: Vec<Vec<u8>> = items.iter().map(DataPoint::rest_json).collect();
    list::raw_page(&items, next_cursor.as_deref())
}

async fn get_kind(app: App, caller: TenantCaller, kind: DataPointKind, id: String) -> ApiResult<Response> {
    let (owner, urls) = (caller.owner().clone(), DocumentUrls::for_caller(&app, &caller));
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let found = reader.data_points().get(&owner, kind, &id)?;
            Ok(urls.add(reader, kind, found.into_iter().collect())?.pop())
        })
        .await?;
    found.map(|it| list::json_bytes(it.rest_json())).ok_or_else(Problem::missing)
}
