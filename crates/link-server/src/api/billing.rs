//! `/billing`: the tenant's charges. Only production is charged; the sandbox counts in the same way.

use axum::Json;
use axum::extract::State;
use link_domain::tenancy::billing::{BillingRecord, span_of, summary};
use link_store::{BillingFilter, Created, PageRequest};
use link_types::billing::{BillingEvent, BillingKind, BillingSummary};
use link_types::id::UserId;
use link_types::list::Page;
use link_types::{Month, Timestamp};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of billing.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list_events => read)).routes(routes!(get_summary => read))
}

/// Query of the list of chargeable events.
struct ListBillingEventsQuery {
    kind: Option<BillingKind>,
    subject: Option<String>,
    user_id: Option<UserId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListBillingEventsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            kind: query.take_optional(
                "type",
                "Return only chargeable events of this type",
                "a kind of chargeable event, like ACCOUNT_CONNECTED",
            ),
            subject: query.text(
                "subjectId",
                "Return only chargeable events of this account, record or signal",
                64,
            ),
            user_id: query.take_optional(
                "userId",
                "Return only chargeable events of this user",
                "a user's id",
            ),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists chargeable events, newest first.
///
/// An account is charged once, when it is connected for the first time. A signal or record is charged when it is
/// created, as its result code decides.
#[utoipa::path(
    get, path = "/billing/events", tag = "billing", operation_id = "listBillingEvents",
    params(Query<ListBillingEventsQuery>),
    responses(
        (status = 200, description = "A page of chargeable events", body = Page<BillingEvent>, example = json!(parse_example(include_str!("billing/events.json")))), refusals::List,
    ),
    security(("apiKey" = []))
)]
async fn list_events(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListBillingEventsQuery>,
) -> ApiResult<Json<Page<BillingEvent>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter = BillingFilter {
                kind: query.kind,
                subject: query.subject.as_deref(),
                user: query.user_id.as_ref(),
                created: query.created,
            };
            Ok(reader.billing_events().list(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, BillingRecord::view)))
}

/// Query of the billing summary.
struct BillingSummaryQuery {
    month: Option<Month>,
}

impl FromQuery for BillingSummaryQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            month: query.take_optional(
                "month",
                "The month. Defaults to the current one",
                "a month, like 2026-11",
            ),
        }
    }
}

/// Retrieves the number of chargeable events of each type in a month.
///
/// Months begin and end at midnight UTC.
#[utoipa::path(
    get, path = "/billing/summary", tag = "billing", operation_id = "getBillingSummary",
    params(Query<BillingSummaryQuery>),
    responses((status = 200, description = "The month's summary", body = BillingSummary, example = json!(parse_example(include_str!("billing/summary.json")))), refusals::List),
    security(("apiKey" = []))
)]
async fn get_summary(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<BillingSummaryQuery>,
) -> ApiResult<Json<BillingSummary>> {
    let owner = caller.owner().clone();
    let this_month = Timestamp::from(caller.now().tenant()).date().month();
    let month = query.month.unwrap_or(this_month);
    let (from, until) = span_of(month).ok_or_else(|| Problem::system("A month has no first day"))?;
    let counts = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.billing_events().counts(&owner, from, until)?) })
        .await?;
    Ok(Json(summary(month, &counts)))
}
