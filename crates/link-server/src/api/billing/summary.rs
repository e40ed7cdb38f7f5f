//! `GET /billing/summary`: counts the chargeable events of a month by type.

use axum::Json;
use axum::extract::State;
use link_domain::kernel::clock::TenantTime;
use link_domain::tenancy::billing::summary;
use link_types::billing::BillingSummary;
use link_types::{Month, Timestamp};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Query of the billing summary.
pub(super) struct BillingSummaryQuery {
    month: Option<Month>,
}

impl FromQuery for BillingSummaryQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            month: query.optional("month", "The month. Defaults to the current one", "a month, like 2026-11"),
        }
    }
}

/// Retrieves the number of chargeable events of each type in a month.
///
/// Months begin and end at midnight UTC.
#[utoipa::path(
    get, path = "/billing/summary", tag = "billing", operation_id = "getBillingSummary",
    params(Query<BillingSummaryQuery>),
    responses((status = 200, description = "The month's summary", body = BillingSummary, example = json!(shown(include_str!("summary.json")))), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<BillingSummaryQuery>,
) -> ApiResult<Json<BillingSummary>> {
    let owner = caller.owner().clone();
    let this_month = Timestamp::from(caller.now().tenant()).date().month();
    let month = query.month.unwrap_or(this_month);
    let (from, until) = (start(month)?, start(month.plus_months(1))?);
    let counts = app
        .store()
        .read(move |reader| -> ApiResult<_> { Ok(reader.billing_events().counts(&owner, from, until)?) })
        .await?;
    Ok(Json(summary(month, &counts)))
}

fn start(month: Month) -> ApiResult<TenantTime> {
    let day = month.first_day().ok_or_else(|| Problem::system("A month has no first day"))?;
    Ok(TenantTime::from_micros(day.start().as_micros()))
}
