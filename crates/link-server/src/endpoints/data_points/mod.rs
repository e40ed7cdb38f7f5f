//! The data points: one table, one list and one lookup for every kind. A new kind is one line here.

use axum::extract::State;
use axum::response::Response;
use link_store::{Created, DataPointFilter, PageRequest};
use link_types::data::{self, DataPointKind, WithMetadata};
use link_types::id::{SourceId, UserId};
use link_types::list::Page;
use link_types::{Date, Month};

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, NoQuery, PageParams, PathId, Query, QueryFields, created_between};
use crate::http::{list, refusals};

/// Which data points to list.
#[derive(Clone)]
struct Wanted {
    user_id: Option<UserId>,
    account_id: Option<SourceId>,
    source_id: Option<SourceId>,
    dates: (Option<Date>, Option<Date>),
    months: (Option<Month>, Option<Month>),
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "a user's id"),
            account_id: query.optional("accountId", "an account's id, or an archive's"),
            source_id: query.optional("sourceId", "an account's id, or an archive's"),
            dates: query.dates(),
            months: (None, None),
            page: query.page(),
        }
    }
}

/// Which estimated incomes to list: they speak of months.
#[derive(Clone)]
struct WantedMonths(Wanted);

impl FromQuery for WantedMonths {
    fn take(query: &mut QueryFields) -> Self {
        let months = query.months();
        Self(Wanted { months, ..Wanted::take(query) })
    }
}

/// What the lists of data points may be narrowed to.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields")]
struct FilterParams {
    /// Only this user's.
    user_id: Option<UserId>,
    /// The same as `sourceId`, as in the metadata.
    account_id: Option<SourceId>,
    /// Only of this account or archive.
    source_id: Option<SourceId>,
    /// First day that the data point speaks of; of its creation where it speaks of none.
    start_date: Option<Date>,
    /// Last such day, inclusive.
    end_date: Option<Date>,
}

/// What the list of estimated incomes may be narrowed to besides.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only the document reads these fields")]
struct MonthParams {
    /// First month.
    start_month: Option<Month>,
    /// Last month, inclusive.
    end_month: Option<Month>,
}

/// Two routes for each kind: its list and one of it.
macro_rules! data_points {
    ($( $module:ident: $path:literal, $name:literal, $one:literal, $many:literal, $Body:ident, $Id:ident, $kind:ident, $Wanted:ident, $($Extra:ident)?; )+) => {
        $(
            mod $module {
                use super::*;

                #[utoipa::path(
                    get, path = $path, tag = "dataPoints", operation_id = concat!("list", $name),
                    summary = concat!("List ", $many, ", newest first."),
                    params(FilterParams, $($Extra,)? PageParams),
                    responses(
                        (status = 200, description = "A page, newest first", body = Page<WithMetadata<data::$Body>>),
                        refusals::List,
                    ),
                    security(("apiKey" = []))
                )]
                pub(super) async fn list(
                    State(app): State<App>,
                    caller: TenantCaller,
                    Query(wanted): Query<$Wanted>,
                ) -> Answer<Response> {
                    list_kind(app, caller, DataPointKind::$kind, wanted.into()).await
                }

                #[utoipa::path(
                    get, path = concat!($path, "/{id}"), tag = "dataPoints", operation_id = concat!("get", $name),
                    summary = concat!("One ", $one, "."),
                    params(("id" = link_types::id::$Id, Path, description = "The data point")),
                    responses((status = 200, description = "The data point", body = WithMetadata<data::$Body>, example = json!(shown(include_str!(concat!("examples/", stringify!($module), ".json"))))), refusals::Read),
                    security(("apiKey" = []))
                )]
                pub(super) async fn get(
                    State(app): State<App>,
                    caller: TenantCaller,
                    PathId(id): PathId<link_types::id::$Id>,
                    Query(NoQuery): Query<NoQuery>,
                ) -> Answer<Response> {
                    get_kind(app, caller, DataPointKind::$kind, id.to_string()).await
                }
            }
        )+

        /// The routes of every kind of data point.
        pub fn routes() -> Endpoints {
            Endpoints::new()$(.routes(routes!($module::list)).routes(routes!($module::get)))+
        }
    };
}

data_points! {
    identities: "/identities", "Identities", "identity", "identities", Identity, IdentityId, Identities, Wanted,;
    employments: "/employments", "Employments", "employment", "employments", Employment, EmploymentId, Employments, Wanted,;
    incomes: "/incomes", "Incomes", "income", "incomes", Income, IncomeId, Incomes, Wanted,;
    transactions: "/transactions", "Transactions", "transaction", "transactions", Transaction, TransactionId, Transactions, Wanted,;
    contributions: "/contributions", "Contributions", "contribution", "contributions", Contribution, ContributionId, Contributions, Wanted,;
    liabilities: "/liabilities", "Liabilities", "liability", "liabilities", Liability, LiabilityId, Liabilities, Wanted,;
    eincomes: "/eincomes", "Eincomes", "estimated income", "estimated incomes", EstimatedIncome, EstimatedIncomeId, Eincomes, WantedMonths, MonthParams;
    ratings: "/ratings", "Ratings", "rating", "ratings", Rating, RatingId, Ratings, Wanted,;
    documents: "/documents", "Documents", "document", "documents", Document, DocumentId, Documents, Wanted,;
    insights: "/insights", "Insights", "insight", "insights", Insight, InsightId, Insights, Wanted,;
    links: "/links", "Links", "link", "links", Link, LinkId, Links, Wanted,;
}

impl From<WantedMonths> for Wanted {
    fn from(WantedMonths(wanted): WantedMonths) -> Self {
        wanted
    }
}

async fn list_kind(app: App, caller: TenantCaller, kind: DataPointKind, wanted: Wanted) -> Answer<Response> {
    let source = match (&wanted.account_id, &wanted.source_id) {
        (Some(account), Some(source)) if account != source => return list::raw_page(&[], None),
        (Some(source), _) | (None, Some(source)) => Some(source.to_string()),
        (None, None) => None,
    };
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            let (speaks_of, created) = match kind {
                DataPointKind::Identities | DataPointKind::Ratings | DataPointKind::Eincomes => {
                    ((None, None), created_between(wanted.dates))
                }
                DataPointKind::Documents
                | DataPointKind::Employments
                | DataPointKind::Incomes
                | DataPointKind::Transactions
                | DataPointKind::Contributions
                | DataPointKind::Liabilities
                | DataPointKind::Links
                | DataPointKind::Insights => (wanted.dates, Created::default()),
            };
            let filter = DataPointFilter {
                user: wanted.user_id.as_ref(),
                source: source.as_deref(),
                created,
                from_date: speaks_of.0,
                to_date: speaks_of.1,
                from_month: wanted.months.0,
                to_month: wanted.months.1,
            };
            Ok(reader.data_points(&owner, kind, filter, &wanted.page)?)
        })
        .await?;
    let items: Vec<Vec<u8>> = page.items.iter().map(|it| it.rest_json()).collect();
    list::raw_page(&items, page.next_cursor.as_deref())
}

async fn get_kind(app: App, caller: TenantCaller, kind: DataPointKind, id: String) -> Answer<Response> {
    let owner = caller.owner().clone();
    let found =
        app.store().read(move |reader| -> Answer<_> { Ok(reader.data_point(&owner, kind, &id)?) }).await?;
    found.map(|it| list::json_bytes(it.rest_json())).ok_or_else(Problem::missing)
}
