//! A session as the widget sees it.

use link_domain::account::AccountState;
use link_domain::clock::Wall;
use link_domain::link::{Attempt, LinkSession};
use link_store::{AccountFilter, Created, PageRequest, PageSize, Reader};
use link_types::link::{self, AttemptState};

use crate::http::problem::{Answer, Problem};

/// The session with its template and the account under way.
pub(super) fn view(
    reader: &mut Reader<'_>,
    session: &LinkSession,
    attempt: &Attempt,
    now: Wall,
) -> Answer<link::LinkSession> {
    let owner = &session.owner;
    let template = reader.link_template(owner, &session.template_id)?.ok_or_else(Problem::missing)?;
    let consent = reader
        .consent_template(owner, &template.template.consent_template_id)?
        .ok_or_else(|| Problem::system("a link template names a consent template that is not there"))?;
    let account = match &attempt.account_id {
        Some(id) => reader.account(owner, id)?.map(|it| it.progress(now)),
        None => None,
    };
    let (left, ends) = session.time_left(now);
    Ok(link::LinkSession {
        session_id: session.id.clone(),
        user_id: session.user_id.clone(),
        mode: owner.mode,
        expires_in_ms: u32::try_from(left.as_millis()).unwrap_or(u32::MAX),
        ends_in_ms: u32::try_from(ends.as_millis()).unwrap_or(u32::MAX),
        template: template.session_view(&consent),
        has_linked: has_linked(reader, session)?,
        attempt: AttemptState {
            id: attempt.id.clone(),
            account,
            archives: Vec::new(),
            place: attempt.place.clone(),
        },
    })
}

/// Whether one of the person's newest accounts is connected.
fn has_linked(reader: &mut Reader<'_>, session: &LinkSession) -> Answer<bool> {
    let filter = AccountFilter { user: Some(&session.user_id), created: Created::default() };
    let page = reader.accounts(&session.owner, filter, &PageRequest::first(PageSize::default()))?;
    Ok(page.items.iter().any(|account| matches!(account.state, AccountState::Connected(_))))
}
