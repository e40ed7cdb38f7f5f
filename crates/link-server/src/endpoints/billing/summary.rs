//! `GET /billing/summary`: what a month comes to, by kind.

use axum::Json;
use axum::extract::State;
use link_domain::billing::summary;
use link_domain::clock::TenantTime;
use link_types::billing::BillingSummary;
use link_types::{Month, Timestamp};

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, Query, QueryFields};
use crate::http::refusals;

/// Which month.
pub(super) struct Wanted {
    month: Option<Month>,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self { month: query.optional("month", "a month, like 2026-11") }
    }
}

/// Chargeable events of a month, counted by kind. Months run in UTC.
#[utoipa::path(
    get, path = "/billing/summary", tag = "billing", operation_id = "getBillingSummary",
    params(("month" = Option<Month>, Query, description = "The month; this one when left out")),
    responses((status = 200, description = "The month's summary", body = BillingSummary, example = json!(shown(include_str!("summary.json")))), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<BillingSummary>> {
    let owner = caller.owner().clone();
    let this_month = Timestamp::from(caller.now().tenant()).date().month();
    let month = wanted.month.unwrap_or(this_month);
    let (from, until) = (start(month)?, start(month.plus_months(1))?);
    let counts = app
        .store()
        .read(move |reader| -> Answer<_> { Ok(reader.billing_counts(&owner, from, until)?) })
        .await?;
    Ok(Json(summary(month, &counts)))
}

fn start(month: Month) -> Answer<TenantTime> {
    let day = month.first_day().ok_or_else(|| Problem::system("a month has no first day"))?;
    Ok(TenantTime::from_micros(day.start().as_micros()))
}
