//! `GET /events`: everything that was emitted in the caller's environment.

use axum::extract::State;
use axum::response::Response;
use link_store::{Created, EventFilter, PageRequest};
use link_types::event::{Event, EventType};
use link_types::id::{ArchiveId, InviteId, RecordId, SignalId, SourceId, UserId};
use link_types::list::Page;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which events to list.
pub(super) struct Wanted {
    event_type: Option<EventType>,
    user_id: Option<UserId>,
    subject: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            event_type: query.optional("type", "an event type, like TASK_FINISHED"),
            user_id: query.optional("userId", "a user's id"),
            subject: subject(query),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// The one thing that the events are about: no event is about two.
fn subject(query: &mut QueryFields) -> Option<String> {
    let named = [
        (
            "accountId",
            query
                .optional::<SourceId>("accountId", "an account's id, or an archive's")
                .map(|id| id.to_string()),
        ),
        ("archiveId", query.optional::<ArchiveId>("archiveId", "an archive's id").map(|id| id.to_string())),
        ("recordId", query.optional::<RecordId>("recordId", "a record's id").map(|id| id.to_string())),
        (
            "verificationId",
            query.optional::<SignalId>("verificationId", "a verification's id").map(|id| id.to_string()),
        ),
        ("inviteId", query.optional::<InviteId>("inviteId", "an invitation's id").map(|id| id.to_string())),
    ];
    let mut found = named.into_iter().filter_map(|(name, id)| Some((name, id?)));
    let (_, id) = found.next()?;
    for (name, _) in found {
        query.refuse(name, "with no other id of what an event is about");
    }
    Some(id)
}

/// List events, newest first.
#[utoipa::path(
    get, path = "/events", tag = "events", operation_id = "listEvents",
    params(
        ("type" = Option<EventType>, Query, description = "Only this type"),
        ("userId" = Option<UserId>, Query, description = "Only about this user or what is theirs"),
        ("accountId" = Option<SourceId>, Query, description = "Only about this account; an archive's id, too, as events of its data have it"),
        ("archiveId" = Option<ArchiveId>, Query, description = "Only about this archive"),
        ("recordId" = Option<RecordId>, Query, description = "Only about this record"),
        ("verificationId" = Option<SignalId>, Query, description = "Only about this verification"),
        ("inviteId" = Option<InviteId>, Query, description = "Only about this invitation"),
        CreatedParams, PageParams,
    ),
    responses((status = 200, description = "A page of events", body = Page<Event>, example = json!({"items": [shown(include_str!("get.json"))], "nextCursor": null})), refusals::List),
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
            let filter = EventFilter {
                event_type: wanted.event_type,
                subject: wanted.subject.as_deref(),
                user: wanted.user_id.as_ref(),
                created: wanted.created,
            };
            Ok(reader.events(&owner, filter, &wanted.page)?)
        })
        .await?;
    let bodies: Vec<Vec<u8>> = page.items.iter().map(|it| it.body(false).to_vec()).collect();
    list::raw_page(&bodies, page.next_cursor.as_deref())
}
