//! `/console/api/{environment}/people`: finds a person and shows what happened to them, without sealed data.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::invitations::invite::{AskedBy, InviteInput};
use link_domain::kernel::owner::Owner;
use link_domain::use_cases::History;
use link_store::{
    AccountFilter, ArchiveFilter, EventFilter, InviteFilter, PageRequest, PageSize, Reader, StoreError,
};
use link_types::Sensitive;
use link_types::console::Items;
use link_types::console::people::{FoundBy, FoundPerson, MAX_ENTRIES, MAX_FOUND, Person};
use link_types::id::{AccountId, ArchiveId, InviteId, UserId};
use link_types::problem::FaultCode;
use serde::Deserialize;

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem, fault};

/// The maximum length of a searched text in characters.
const MAX_TEXT: usize = 254;

/// The text to find. It can be an e-mail address, so it is neither in the URL nor in the log.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Search {
    find: Sensitive,
}

/// Finds people by the id of a user, account, archive or invitation, by reference, or by the address of an invitation.
pub(super) async fn search(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(Search { find }): ConsoleBody<Search>,
) -> ApiResult<Json<Items<FoundPerson>>> {
    let length = find.expose().trim().chars().count();
    if !(1..=MAX_TEXT).contains(&length) {
        let wrong = fault("find", FaultCode::Invalid, "a reference, an id or an e-mail address");
        return Err(Problem::invalid(vec![wrong]));
    }
    let owner = caller.owner();
    let items = app.store.read(move |reader| find_people(reader, &owner, find.expose().trim())).await?;
    if let [only] = items.as_slice() {
        caller.concerns(only.id.as_str());
    }
    Ok(Json(Items { items }))
}

fn find_people(reader: &mut Reader<'_>, owner: &Owner, text: &str) -> Result<Vec<FoundPerson>, StoreError> {
    let mut found: BTreeMap<UserId, FoundBy> = BTreeMap::new();
    if let Ok(id) = text.parse::<UserId>() {
        found.insert(id, FoundBy::User);
    }
    let of_subject = if let Ok(id) = text.parse::<AccountId>() {
        reader.accounts().summary(owner, &id)?.map(|it| it.user_id)
    } else if let Ok(id) = text.parse::<ArchiveId>() {
        reader.archives().get(owner, &id)?.map(|it| it.user_id)
    } else if let Ok(id) = text.parse::<InviteId>() {
        reader.invites().get(owner, &id)?.map(|it| it.user_id)
    } else {
        None
    };
    found.extend(of_subject.map(|id| (id, FoundBy::Subject)));
    if text.contains('@') {
        let users = reader.invites().users_by_address(owner, text, MAX_FOUND)?;
        found.extend(users.into_iter().map(|id| (id, FoundBy::Address)));
    }
    if let Some(user) = reader.users().by_reference(owner, text)? {
        found.insert(user.id, FoundBy::Reference);
    }
    let mut people = Vec::new();
    for (id, found_by) in found {
        // An id of another tenant, or a user who was erased meanwhile.
        let Some(user) = reader.users().get(owner, &id)? else { continue };
        let (reference, created_at) = (user.reference, user.created_at.into());
        people.push(FoundPerson { id, reference, created_at, found_by });
    }
    people.sort_by_key(|person| std::cmp::Reverse(person.created_at));
    Ok(people)
}

/// Returns the user of a path, which has the id without the tenant.
fn user_id(owner: &Owner, digits: &str) -> ApiResult<UserId> {
    format!("{}-{digits}", owner.tenant).parse().map_err(|_| Problem::missing())
}

/// Shows a person.
pub(super) async fn show(
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Person>> {
    let (owner, offset) = (caller.owner(), caller.offset());
    let id = user_id(&owner, &id)?;
    let history = app.store.read(move |reader| read_history(reader, &owner, &id)).await?;
    Ok(Json(history.ok_or_else(Problem::missing)?.into_person(offset)))
}

fn read_history(reader: &mut Reader<'_>, owner: &Owner, id: &UserId) -> Result<Option<History>, StoreError> {
    let Some(user) = reader.users().get(owner, id)? else { return Ok(None) };
    // One more than is shown, so that it is known whether there are more.
    let limit = MAX_ENTRIES + 1;
    let page = PageRequest::first(PageSize::new(limit as i64)?);
    let of_accounts = AccountFilter { user: Some(id), ..AccountFilter::default() };
    let of_archives = ArchiveFilter { user: Some(id), ..ArchiveFilter::default() };
    let of_invites = InviteFilter { user: Some(id), ..InviteFilter::default() };
    let of_events = EventFilter { user: Some(id), ..EventFilter::default() };
    let mut events = Vec::new();
    for event in reader.events().list(owner, of_events, &page)?.items {
        let deliveries = reader.deliveries().all_of_event(&event.id)?;
        events.push((event, deliveries));
    }
    Ok(Some(History {
        user,
        accounts: reader.accounts().summaries(owner, of_accounts, &page)?.items,
        archives: reader.archives().list(owner, of_archives, &page)?.items,
        invites: reader.invites().list(owner, of_invites, &page)?.items,
        sessions: reader.link_sessions().of_user(owner, id, limit)?,
        steps: reader.ui_events().steps(owner, id, limit)?,
        events,
    }))
}

/// Sends the mail of an invitation again. Unlike in REST, the response has neither the recipient nor the link.
pub(super) async fn resend_invite(
    State(app): State<App>,
    Path((_, user, id)): Path<(String, String, String)>,
    caller: ConsoleCaller,
) -> ApiResult<StatusCode> {
    let id: InviteId = id.parse().map_err(|_| Problem::missing())?;
    caller.concerns(id.as_str());
    let (owner, context) = (caller.owner(), app.context(caller.offset()));
    let user = user_id(&owner, &user)?;
    app.store
        .write(move |tx| -> ApiResult<()> {
            caller.check_again(tx, context.now().wall())?;
            let mut context = context.clone();
            let invite = tx.invites().get(&owner, &id)?.filter(|it| it.user_id == user);
            let invite = invite.ok_or_else(Problem::missing)?;
            let (_, change) = invite.apply(InviteInput::Resend(AskedBy::Tenant), &mut context)?;
            Ok(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(StatusCode::ACCEPTED)
}
