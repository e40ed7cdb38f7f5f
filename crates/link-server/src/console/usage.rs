//! `/console/api/{environment}/billing/export`: a file with the chargeable events of a month.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use link_domain::tenancy::billing::{BillingRecord, span_of};
use link_store::{BillingFilter, Created, PageRequest, PageSize};
use link_types::Month;
use link_types::billing::BillingEvent;
use link_types::problem::FaultCode;

use super::caller::ConsoleCaller;
use crate::app::App;
use crate::exports::csv;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};

/// The maximum number of events in a file.
const FILE_LIMIT: usize = 100_000;

/// The month of a file. If it is missing, [`Query`] has refused the request.
pub(super) struct ExportQuery {
    month: Option<Month>,
}

impl FromQuery for ExportQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { month: query.take_required("month", "The month, UTC", "a month, like 2026-11") }
    }
}

/// Returns a file with the chargeable events of a month, newest first.
pub(super) async fn export(
    State(app): State<App>,
    caller: ConsoleCaller,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Response> {
    let (owner, month) = (caller.owner(), query.month.ok_or_else(Problem::missing)?);
    let _permit = app.limits.exports.take(&owner.tenant, None).await?;
    let (from, until) = span_of(month).ok_or_else(|| Problem::system("A month has no first day"))?;
    let events = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let created = Created { from: Some(from), until: Some(until) };
            let filter = BillingFilter { created, ..BillingFilter::default() };
            let (mut events, mut request) = (Vec::new(), PageRequest::first(PageSize::default()));
            loop {
                let page = reader.billing_events().list(&owner, filter, &request)?;
                events.extend(page.items.into_iter().map(BillingRecord::view));
                match page.next_cursor {
                    _ if events.len() > FILE_LIMIT => return Ok(None),
                    Some(cursor) => request = PageRequest::after(PageSize::default(), cursor),
                    None => return Ok(Some(events)),
                }
            }
        })
        .await?;
    let many = || {
        let limit = "a month with at most 100,000 events: list those of this one with `GET /billing/events`";
        Problem::invalid_field("month", FaultCode::OutOfRange, limit)
    };
    let events = events.ok_or_else(many)?;
    let render = move || csv::table(&COLUMNS, events.into_iter().map(cells)).map_err(Problem::system);
    let table = tokio::task::spawn_blocking(render).await.map_err(Problem::system)??;
    let name = format!("attachment; filename=\"usage-{month}.csv\"");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(name).map_err(Problem::system)?),
    ];
    Ok((headers, table).into_response())
}

const COLUMNS: [&str; 5] = ["id", "createdAt", "type", "subjectId", "userId"];

fn cells(event: BillingEvent) -> Vec<String> {
    vec![
        event.id.as_str().to_owned(),
        event.created_at.to_string(),
        event.kind.to_string(),
        event.subject_id,
        event.user_id.map(|it| it.as_str().to_owned()).unwrap_or_default(),
    ]
}
