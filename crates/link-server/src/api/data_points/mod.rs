//! The endpoints of data points: one list and one lookup for every kind. To add a kind, add a line to the table.

use axum::extract::State;
use axum::response::Response;
use link_store::{Created, DataPointFilter, PageRequest};
use link_types::data::{self, DataPointKind, WithMetadata};
use link_types::id::{SourceId, UserId};
use link_types::list::Page;
use link_types::{Date, Month};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{
    FromQuery, NoQuery, PageParams, PathId, Query, QueryFields, created_between,
};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Query of a list of data points.
#[derive(Clone)]
struct ListDataPointsQuery {
    user_id: Option<UserId>,
    account_id: Option<SourceId>,
    source_id: Option<SourceId>,
    dates: (Option<Date>, Option<Date>),
    months: (Option<Month>, Option<Month>),
    page: PageRequest,
}

impl FromQuery for ListDataPointsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "a user's id"),
            account_id: query.optional("accountId", "the id of an account or an archive"),
            source_id: query.optional("sourceId", "the id of an account or an archive"),
            dates: query.dates(),
            months: (None, None),
            page: query.page(),
        }
    }
}

/// Query of the list of estimated incomes, which can also be filtered by month.
#[derive(Clone)]
struct ListEstimatedIncomesQuery(ListDataPointsQuery);

impl FromQuery for ListEstimatedIncomesQuery {
    fn take(query: &mut QueryFields) -> Self {
        let months = query.months();
        Self(ListDataPointsQuery { months, ..ListDataPointsQuery::take(query) })
    }
}

/// The documentation of the filters of every list of data points.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields")]
struct FilterParams {
    /// Return only data points of this user.
    user_id: Option<UserId>,
    /// Same as `sourceId`.
    account_id: Option<SourceId>,
    /// Return only data points of this account or archive.
    source_id: Option<SourceId>,
    /// First day that the data point is about, or first day of its creation if it is not about a day.
    start_date: Option<Date>,
    /// Last day, inclusive.
    end_date: Option<Date>,
}

/// The documentation of the additional filters of estimated incomes.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields")]
struct MonthParams {
    /// First month.
    start_month: Option<Month>,
    /// Last month, inclusive.
    end_month: Option<Month>,
}

/// Generates two routes for each kind: its list and its lookup.
macro_rules! data_points {
    ($( $module:ident: $path:literal, $name:literal, $one:literal, $many:literal, $Body:ident, $Id:ident, $kind:ident, $Query:ident, $($Extra:ident)?; )+) => {
        $(
            mod $module {
                use super::*;

                #[utoipa::path(
                    get, path = $path, tag = "dataPoints", operation_id = concat!("list", $name),
                    summary = concat!("Lists ", $many, ", newest first."),
                    params(FilterParams, $($Extra,)? PageParams),
                    responses(
                        (status = 200, description = "A page of data points", body = Page<WithMetadata<data::$Body>>),
                        refusals::List,
                    ),
                    security(("apiKey" = []))
                )]
                pub(super) async fn list(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Query(query): Query<$Query>,
                ) -> ApiResult<Response> {
                    list_kind(app, caller, DataPointKind::$kind, query.into()).await
                }

                #[utoipa::path(
                    get, path = concat!($path, "/{id}"), tag = "dataPoints", operation_id = concat!("get", $name),
                    summary = concat!("Retrieves ", $one, "."),
                    params(("id" = link_types::id::$Id, Path, description = "The data point's id")),
                    responses((status = 200, description = "The data point", body = WithMetadata<data::$Body>, example = json!(shown(include_str!(concat!("examples/", stringify!($module), ".json"))))), refusals::Read),
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
            Endpoints::new()$(.routes(routes!($module::list)).routes(routes!($module::get)))+
        }
    };
}

data_points! {
    identities: "/identities", "Identities", "an identity", "identities", Identity, IdentityId, Identities, ListDataPointsQuery,;
    employments: "/employments", "Employments", "an employment", "employments", Employment, EmploymentId, Employments, ListDataPointsQuery,;
    incomes: "/incomes", "Incomes", "an income", "incomes", Income, IncomeId, Incomes, ListDataPointsQuery,;
    transactions: "/transactions", "Transactions", "a transaction", "transactions", Transaction, TransactionId, Transactions, ListDataPointsQuery,;
    contributions: "/contributions", "Contributions", "a contribution", "contributions", Contribution, ContributionId, Contributions, ListDataPointsQuery,;
    liabilities: "/liabilities", "Liabilities", "a liability", "liabilities", Liability, LiabilityId, Liabilities, ListDataPointsQuery,;
    eincomes: "/eincomes", "Eincomes", "an estimated income", "estimated incomes", EstimatedIncome, EstimatedIncomeId, Eincomes, ListEstimatedIncomesQuery, MonthParams;
    ratings: "/ratings", "Ratings", "a rating", "ratings", Rating, RatingId, Ratings, ListDataPointsQuery,;
    documents: "/documents", "Documents", "a document", "documents", Document, DocumentId, Documents, ListDataPointsQuery,;
    insights: "/insights", "Insights", "an insight", "insights", Insight, InsightId, Insights, ListDataPointsQuery,;
    links: "/links", "Links", "a link", "links", Link, LinkId, Links, ListDataPointsQuery,;
}

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
        (Some(account), Some(source)) if account != source => return list::raw_page(&[], None),
        (Some(source), _) | (None, Some(source)) => Some(source.to_string()),
        (None, None) => None,
    };
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let (dates, created) = match kind {
                DataPointKind::Identities | DataPointKind::Ratings | DataPointKind::Eincomes => {
                    ((None, None), created_between(query.dates))
                }
                DataPointKind::Documents
                | DataPointKind::Employments
                | DataPointKind::Incomes
                | DataPointKind::Transactions
                | DataPointKind::Contributions
                | DataPointKind::Liabilities
                | DataPointKind::Links
                | DataPointKind::Insights => (query.dates, Created::default()),
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
            Ok(reader.data_points().list(&owner, kind, filter, &query.page)?)
        })
        .await?;
    let items: Vec<Vec<u8>> = page.items.iter().map(|it| it.rest_json()).collect();
    list::raw_page(&items, page.next_cursor.as_deref())
}

async fn get_kind(app: App, caller: TenantCaller, kind: DataPointKind, id: String) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let found = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.data_points().get(&owner, kind, &id)?) })
        .await?;
    found.map(|it| list::json_bytes(it.rest_json())).ok_or_else(Problem::missing)
}
