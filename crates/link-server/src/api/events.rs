//! `/events`: the events that the service emitted.

mod feed;

use axum::extract::State;
use axum::response::Response;
use link_connectors::sandbox::sample;
use link_domain::change::Change;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::event::EventRecord;
use link_store::{Created, EventFilter, PageRequest, Tx};
use link_types::Mode;
use link_types::data::DataPointKind;
use link_types::event::{Event, EventType};
use link_types::id::{ArchiveId, EventId, InviteId, RecordId, SourceId, UserId};
use link_types::list::Page;
use link_types::problem::FaultCode;
use link_types::signal::SignalId;
use serde::Deserialize;

use super::payload::EventLinks;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of events.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list => read))
        .routes(routes!(get => read))
        .routes(routes!(fire => EventFired))
        .merge(feed::routes())
}

/// Query of the list of events.
struct ListEventsQuery {
    event_type: Option<EventType>,
    user_id: Option<UserId>,
    subject: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListEventsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            event_type: query.take_optional(
                "type",
                "Return only events of this type",
                "an event type, like TASK_FINISHED",
            ),
            user_id: query.take_optional(
                "userId",
                "Return only events about this user and the user's resources",
                "a user's id",
            ),
            subject: subject(query),
            created: query.take_creation_range(),
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
                .take_optional::<SourceId>("accountId", "Return only events about this account. Also accepts an archive's id, for the events about its data", "the id of an account or an archive")
                .map(|id| id.to_string()),
        ),
        ("archiveId", query.take_optional::<ArchiveId>("archiveId", "Return only events about this archive", "an archive's id").map(|id| id.to_string())),
        ("recordId", query.take_optional::<RecordId>("recordId", "Return only events about this record", "a record's id").map(|id| id.to_string())),
        (
            "verificationId",
            query.take_optional::<SignalId>("verificationId", "Return only events about this verification", "a verification's id").map(|id| id.to_string()),
        ),
        ("inviteId", query.take_optional::<InviteId>("inviteId", "Return only events about this invitation", "an invitation's id").map(|id| id.to_string())),
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
    responses((status = 200, description = "A page of events", body = Page<Event>, example = json!({"items": [parse_example(include_str!("events/get.json"))], "nextCursor": null})), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListEventsQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let page = app
        .store
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

/// Retrieves an event.
///
/// The response is the envelope as webhooks receive it, with an empty `payload`. After the data of its source is
/// erased, it contains only ids, types and times.
#[utoipa::path(
    get, path = "/events/{id}", tag = "events", operation_id = "getEvent",
    params(("id" = EventId, Path, description = "The event's id")),
    responses((status = 200, description = "The event", body = Event, example = json!(parse_example(include_str!("events/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<EventId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    let event =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.events().get(&owner, &id)?) }).await?;
    event.map(|it| list::json_bytes(it.body(false).to_vec())).ok_or_else(Problem::missing)
}

/// Body of `POST /events/fire`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FireEvent {
    /// Type of the event.
    r#type: EventType,
    /// User that the event is about. Defaults to a fictional user.
    user_id: Option<UserId>,
}

/// Emits a test event. Sandbox only: returns 404 in production.
///
/// The event is stored, listed and delivered like any other. The resource that it is about is fictional: retrieving
/// that resource, or a file of its documents, returns 404.
#[utoipa::path(
    post, path = "/events/fire", tag = "sandbox", operation_id = "fireEvent",
    request_body(content = FireEvent, example = json!({"type": "ACCOUNT_CONNECTED"})),
    responses((status = 201, description = "The event, as sent to webhooks without payload", body = Event, example = json!(parse_example(include_str!("events/get.json")))), refusals::Write),
    security(("apiKey" = []))
)]
async fn fire(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<FireEvent>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let (event, change) =
                fire_test_event(&app, tx, &owner, (body.r#type, body.user_id.clone()), context)?;
            let effect = IdempotentResponse::created_json(event.body(false).to_vec(), change);
            Ok(match event.subject.scope() {
                Some(_) => effect.about(event.subject),
                None => effect,
            })
        })
        .await
}

/// Returns the test event and the change that stores it.
///
/// # Errors
/// 404 in production, 422 if the user does not exist.
pub(crate) fn fire_test_event(
    app: &App,
    tx: &mut Tx<'_>,
    owner: &Owner,
    (event_type, user_id): (EventType, Option<UserId>),
    context: &mut Context,
) -> ApiResult<(EventRecord, Change)> {
    if owner.mode == Mode::Production {
        return Err(Problem::missing());
    }
    if let Some(id) = &user_id
        && tx.users().get(owner, id)?.is_none()
    {
        return Err(Problem::invalid_field("userId", FaultCode::Invalid, "a user of this environment"));
    }
    let links = EventLinks::for_invented(app, tx, owner, context.now().wall());
    invent(&links, owner, event_type, user_id, context)
}

/// Returns an event of a type about a fictional resource, and the change that stores it.
///
/// # Errors
/// 500 if the sandbox has no provider.
pub(crate) fn invent(
    links: &EventLinks,
    owner: &Owner,
    event_type: EventType,
    user_id: Option<UserId>,
    context: &mut Context,
) -> ApiResult<(EventRecord, Change)> {
    let kind = DataPointKind::of_event(event_type).filter(|kind| !kind.is_computed());
    let sample =
        sample(kind, context.now().tenant()).ok_or_else(|| Problem::system("The sandbox has no provider"))?;
    Ok(sample.fire(owner, event_type, user_id, links, context))
}
