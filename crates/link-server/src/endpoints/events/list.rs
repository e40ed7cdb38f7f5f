//! `GET /events`: everything that was emitted in the caller's environment.

use axum::extract::State;
use axum::response::Response;
use link_store::{Created, EventFilter, PageRequest};
use link_types::event::{Event, EventType};
use link_types::list::Page;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which events to list.
pub(super) struct Wanted {
    event_type: Option<EventType>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            event_type: query.optional("type", "an event type, like TASK_FINISHED"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// List events, newest first.
#[utoipa::path(
    get, path = "/events", tag = "events", operation_id = "listEvents",
    params(("type" = Option<EventType>, Query, description = "Only this type"), CreatedParams, PageParams),
    responses((status = 200, description = "A page of events", body = Page<Event>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            let filter =
                EventFilter { event_type: wanted.event_type, subject: None, created: wanted.created };
            Ok(reader.events(&owner, filter, &wanted.page)?)
        })
        .await?;
    let bodies: Vec<Vec<u8>> = page.items.iter().map(|it| it.body(false).to_vec()).collect();
    list::raw_page(&bodies, page.next_cursor.as_deref())
}
