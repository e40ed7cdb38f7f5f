//! `/console/api/{environment}/audit`: lists and exports the audit log.

use std::fmt::Write as _;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use link_domain::tenancy::audit::{ChainedEvent, event_of};
use link_store::StoreError;

use super::caller::ConsoleCaller;
use crate::api::audit_events::{ListAuditEventsQuery, page};
use crate::app::App;
use crate::exports::csv;
use crate::http::extract::query::Query;
use crate::http::problem::{ApiResult, Problem};

/// The number of events that one read returns.
const AT_ONCE: usize = 1_000;
/// The maximum number of events in a file: the newest ones.
const FILE_LIMIT: u64 = 100_000;

/// Lists the events of the environment, newest first.
pub(super) async fn list(
    State(app): State<App>,
    caller: ConsoleCaller,
    Query(query): Query<ListAuditEventsQuery>,
) -> ApiResult<Response> {
    page(&app, caller.owner(), query).await
}

/// Returns a file with the tenant's events in both environments, oldest first, at most [`FILE_LIMIT`]. Each has its
/// number and hash, so that others can check the chain.
pub(super) async fn export(
    State(app): State<App>,
    Path((_, format)): Path<(String, String)>,
    caller: ConsoleCaller,
) -> ApiResult<Response> {
    let tenant = caller.owner().tenant;
    let is_csv = match format.as_str() {
        "audit.csv" => true,
        "audit.json" => false,
        _ => return Err(Problem::missing()),
    };
    let _permit = app.limits.exports.take(&tenant, None).await?;
    let events = app
        .store
        .read(move |reader| -> Result<_, StoreError> {
            let mut all: Vec<ChainedEvent> = Vec::new();
            let chain = reader.audit_events().chain(&tenant)?;
            let mut after = chain.removed.sequence.max(chain.last.sequence.saturating_sub(FILE_LIMIT));
            loop {
                let more = reader.audit_events().after(&tenant, after, AT_ONCE)?;
                let Some(last) = more.last() else { return Ok(all) };
                after = last.end.sequence;
                all.extend(more);
            }
        })
        .await?;
    let render = move || {
        if is_csv {
            let table = csv::table(&COLUMNS, events.iter().map(cells)).map_err(Problem::system)?;
            return Ok(("text/csv; charset=utf-8", table));
        }
        Ok(("application/json", json(&events).into_bytes()))
    };
    let rendered: ApiResult<_> = tokio::task::spawn_blocking(render).await.map_err(Problem::system)?;
    let (kind, body) = rendered?;
    let mut response = (StatusCode::OK, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let name =
        if is_csv { "attachment; filename=\"audit.csv\"" } else { "attachment; filename=\"audit.json\"" };
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    Ok(response)
}

const COLUMNS: [&str; 13] = [
    "sequence",
    "hash",
    "id",
    "createdAt",
    "action",
    "actorType",
    "actorId",
    "outcome",
    "code",
    "subjectId",
    "address",
    "agent",
    "requestId",
];

fn cells(chained: &ChainedEvent) -> Vec<String> {
    let mut cells = vec![chained.end.sequence.to_string(), chained.end.hash_text()];
    if let Some(event) = event_of(&chained.body) {
        cells.extend([
            event.id.as_str().to_owned(),
            event.created_at.to_string(),
            event.action.to_string(),
            event.actor.kind.to_string(),
            event.actor.id.unwrap_or_default(),
            event.outcome.to_string(),
            event.code.map(|it| it.to_string()).unwrap_or_default(),
            event.subject_id.unwrap_or_default(),
            event.address.unwrap_or_default(),
            event.agent,
            event.request_id.unwrap_or_default(),
        ]);
    }
    cells.resize(COLUMNS.len(), String::new());
    cells
}

fn json(events: &[ChainedEvent]) -> String {
    let mut text = String::from("[");
    for (index, ChainedEvent { end, body, .. }) in events.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{comma}\n{{\"sequence\":{},\"hash\":\"{}\",\"event\":{body}}}",
            end.sequence,
            end.hash_text()
        );
    }
    text.push_str("\n]\n");
    text
}
