//! `/events/feed`: the events as they occur, oldest first, with a cursor and a wait.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use link_domain::kernel::clock::{ClockOffset, Now, TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::notifications::event_feed::{FeedPosition, MAX_REMEMBERED};
use link_store::{PageRequest, Reader, StoreError, Watched};
use link_types::event::EventFeed;
use link_types::{Mode, Timestamp};

use crate::app::App;
use crate::app::long_polls::Poller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::polling;
use crate::http::problem::ApiResult;
use crate::openapi::{parse_example, refusals};

/// The maximum time to wait, in seconds.
const MAX_WAIT_SECONDS: u32 = 30;

/// Returns the route of the feed.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(feed => read))
}

/// Query of the feed.
struct FeedQuery {
    since: Option<Timestamp>,
    wait: Duration,
    page: PageRequest,
}

impl FromQuery for FeedQuery {
    fn take(query: &mut QueryFields) -> Self {
        let since = query.take_optional(
            "since",
            "Start with the events since this time, instead of now. Only without `cursor`",
            "a time, like 2026-11-20T11:07:11.000Z",
        );
        let of_wait = "Maximum time to wait for an event, in seconds. The default is 0";
        let wait = query.in_range("waitSeconds", of_wait, (0, MAX_WAIT_SECONDS));
        let page = query.page();
        if since.is_some() && page.cursor.is_some() {
            query.refuse("since", "only without `cursor`, which contains the position");
        }
        Self { since, wait: Duration::from_secs(wait.unwrap_or(0).into()), page }
    }
}

/// One look at the events.
struct Seen {
    version: u32,
    bodies: Vec<Vec<u8>>,
    next: FeedPosition,
}

/// Reads the events as they occur, oldest first.
///
/// Without `cursor` and `since`, the response is an empty page whose `nextCursor` is the position of now. Pass it as
/// `cursor` to get the events since then, each once, and pass the `nextCursor` of every response to the next request. If
/// there are no events, the response waits for `waitSeconds`, and may be empty: the wait is over, another request waits
/// instead of this one, or the service stops. An event whose request or job takes long can follow a newer one. If more
/// than 750 events occur within 30 seconds, the others follow as these become 30 seconds old. The `payload` of an event
/// is empty.
#[utoipa::path(
    get, path = "/events/feed", tag = "events", operation_id = "readEventFeed",
    params(Query<FeedQuery>),
    responses((status = 200, description = "The events since the cursor", body = EventFeed, example = json!({"items": [parse_example(include_str!("get.json"))], "nextCursor": "cGxlYXNlIHBhc3MgaXQgYXMgaXQgaXM"})), refusals::List),
    security(("apiKey" = []))
)]
async fn feed(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<FeedQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let cursors = app.store.bind_cursors("event_feed", &owner, &[], &PageRequest::default());
    let local = app.wall();
    let position = match (&query.page.cursor, query.since) {
        (Some(cursor), _) => {
            cursors.position(cursor)?.parse::<FeedPosition>().map_err(|_| StoreError::BadCursor)?
        }
        (None, Some(since)) => {
            let since = TenantTime::from_micros(since.as_micros());
            let whose = owner.clone();
            let now = app.store.read(move |reader| read_clock(reader, &whose, local)).await?;
            FeedPosition::since(since.min(now.tenant()), now)
        }
        (None, None) => {
            let read = app.store.read(move |reader| -> Result<_, StoreError> {
                let now = read_clock(reader, &owner, local)?;
                Ok(FeedPosition::now(&reader.events().newest_ids(&owner, MAX_REMEMBERED)?, now))
            });
            let position = read.await?;
            return list::raw_page(&[], Some(&cursors.after(&position.to_string())));
        }
    };
    let size = query.page.size.get();
    let look = async || -> ApiResult<Seen> {
        let local = app.wall();
        let (owner, position) = (owner.clone(), position.clone());
        app.store
            .read(move |reader| -> ApiResult<_> {
                let now = read_clock(reader, &owner, local)?;
                let position = position.at(now);
                let version = reader.events().version(&owner)?;
                let ids = reader.events().ids_after(&owner, position.after(), position.limit(size))?;
                let page = position.page(&ids, size, now);
                let mut bodies = Vec::with_capacity(page.new.len());
                for id in &page.new {
                    // Retention may have removed it meanwhile.
                    bodies.extend(reader.events().get_plain(&owner, id)?.map(|it| it.body(false).to_vec()));
                }
                Ok(Seen { version, bodies, next: page.next })
            })
            .await
    };
    let whose = Poller { tenant: owner.tenant.clone(), session: None };
    let waits = (whose, Watched::Events(owner.clone()), query.wait);
    let has_news = |seen: &Seen| !seen.bodies.is_empty();
    let seen = polling::wait_for_change(&app, waits, |seen| seen.version, has_news, look).await?;
    if query.wait > Duration::ZERO {
        caller.check_still_admitted().await?;
    }
    list::raw_page(&seen.bodies, Some(&cursors.after(&seen.next.to_string())))
}

/// Returns the time of the clock that all nodes share, on the owner's clock too.
fn read_clock(reader: &mut Reader<'_>, owner: &Owner, local: Wall) -> Result<Now, StoreError> {
    let offset = match owner.mode {
        Mode::Production => ClockOffset::default(),
        Mode::Sandbox => reader.tenants().offset(owner)?,
    };
    Ok(Now::new(reader.wall_clock(local)?, offset))
}
