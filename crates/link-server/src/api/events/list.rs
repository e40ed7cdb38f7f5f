//! `GET /events`: lists the events of the caller's environment.

use axum::extract::State;
use axum::response::Response;
use link_store::{Created, EventFilter, PageRequest};
use link_types::event::{Event, EventType};
use link_types::id::{ArchiveId, InviteId, RecordId, SourceId, UserId};
use link_types::list::Page;
use link_types::signal::SignalId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Query of the list of events.
pub(super) struct ListEventsQuery {
    event_type: Option<EventType>,
    user_id: Option<UserId>,
    subject: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListEventsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            event_type: query.optional(
                "type",
                "Return only events of this type",
                "an event type, like TASK_FINISHED",
            ),
            user_id: query.optional(
                "userId",
                "Return only events about this user and the user's resources",
                "a user's id",
            ),
            subject: subject(query),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Takes the id of the resource that the events are about. Only one is allowed, because an event is about one resource.
fn subject(query: &mut QueryFields) -> Option<String> {
    let named = [
        (
            "accountId",
            query
                .optional::<SourceId>("accountId", "Return only events about this account. Also accepts an archive's id, for the events about its data", "the id of an account or an archive")
                .map(|id| id.to_string()),
        ),
        ("archiveId", query.optional::<ArchiveId>("archiveId", "Return only events about this archive", "an archive's id").map(|id| id.to_string())),
        ("recordId", query.optional::<RecordId>("recordId", "Return only events about this record", "a record's id").map(|id| id.to_string())),
        (
            "verificationId",
            query.optional::<SignalId>("verificationId", "Return only events about this verification", "a verification's id").map(|id| id.to_string()),
        ),
        ("inviteId", query.optional::<InviteId>("inviteId", "Return only events about this invitation", "an invitation's id").map(|id| id.to_string())),
    ];
    let mut found = named.into_iter().filter_map(|(name, id)| Some((name, id?)));
    let (_, id) = found.next()?;
    for (name, _) in found {
        query.refuse(name, "only one of accountId, archiveId, recordId, verificationId and inviteId");
    }
    Some(id)
}

/// Lists events, newest first.
///
/// The list contains every event of the last 60 days, also events that no webhook received. Their `payload` is empty.
#[utoipa::path(
    get, path = "/events", tag = "events", operation_id = "listEvents",
    params(Query<ListEventsQuery>),
    responses((status = 200, description = "A page of events", body = Page<Event>, example = json!({"items": [shown(include_str!("get.json"))], "nextCursor": null})), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListEventsQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let filter = EventFilter {
                event_type: query.event_type,
                subject: query.subject.as_deref(),
                user: query.user_id.as_ref(),
                created: query.created,
            };
            Ok(reader.events().list(&owner, filter, &query.page)?)
        })
        .await?;
    let bodies: Vec<Vec<u8>> = page.items.iter().map(|it| it.body(false).to_vec()).collect();
    list::raw_page(&bodies, page.next_cursor.as_deref())
}
