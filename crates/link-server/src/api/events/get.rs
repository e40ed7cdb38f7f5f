//! `GET /events/{id}`: returns one event, as webhooks without payload received it.

use axum::extract::State;
use axum::response::Response;
use link_types::event::Event;
use link_types::id::EventId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves an event.
///
/// The response is the envelope as webhooks receive it, with an empty `payload`. After the data of its source is
/// erased, it contains only ids, types and times.
#[utoipa::path(
    get, path = "/events/{id}", tag = "events", operation_id = "getEvent",
    params(("id" = EventId, Path, description = "The event's id")),
    responses((status = 200, description = "The event", body = Event, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<EventId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let event =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.events().get(&owner, &id)?) }).await?;
    event.map(|it| list::json_bytes(it.body(false).to_vec())).ok_or_else(Problem::missing)
}
