//! The representation of a session for the widget.

use link_domain::documents::archive::ArchiveState;
use link_domain::kernel::clock::{Now, TenantTime};
use link_domain::kernel::languages::Languages;
use link_domain::linking::account::{Account, AccountState};
use link_domain::linking::account_source::AccountSource;
use link_domain::linking::link::{Attempt, LinkSession};
use link_domain::linking::terms::Terms;
use link_domain::tenancy::wording::Wording;
use link_store::{AccountFilter, ArchiveFilter, PageRequest, PageSize, Reader};
use link_types::link::{self, AttemptState};
use link_types::uploading::{ArchivePhase, ArchiveProgress, ResumePoint};

use crate::http::problem::ApiResult;
use crate::widget::terms::shown_terms;

/// How many accounts and archives are searched for one that is linked.
const NEWEST: i64 = 10;

/// The languages that the person reads, the source of the providers' texts, and whether a step can continue on a phone.
pub(super) struct Reading<'a> {
    pub(super) may_hand_off: bool,
    pub(super) languages: &'a Languages,
    pub(super) source: &'a dyn AccountSource,
}

/// Returns the session with its template, its account and its archives.
pub(super) fn view(
    reader: &mut Reader<'_>,
    session: &LinkSession,
    attempt: &Attempt,
    (now, reading): (Now, &Reading<'_>),
) -> ApiResult<link::LinkSession> {
    let owner = &session.owner;
    let (template, consent) = shown_terms(reader, session)?;
    let terms = Terms { link: &template, consent: &consent };
    let account = match &attempt.account_id {
        Some(id) => {
            let progress = reader.accounts().get(owner, id)?.map(|it| it.progress(now));
            progress.map(|it| {
                let translations = reading.source.translations(&it.provider_id);
                Wording::of(&translations, reading.languages).progress(it)
            })
        }
        None => None,
    };
    let again = account_to_sign_in_to(reader, attempt)?;
    let (left, ends) = session.time_left(now.wall());
    Ok(link::LinkSession {
        session_id: session.id.clone(),
        user_id: session.user_id.clone(),
        mode: owner.mode,
        expires_in_ms: u32::try_from(left.as_millis()).unwrap_or(u32::MAX),
        ends_in_ms: u32::try_from(ends.as_millis()).unwrap_or(u32::MAX),
        template: template.session_view(&consent, reading.languages),
        has_linked: has_linked(reader, session)?,
        is_handoff: false,
        may_hand_off: reading.may_hand_off,
        attempt: AttemptState {
            id: attempt.id.clone(),
            account,
            archives: archives(reader, attempt, now.tenant())?,
            consent_needed: !again.as_ref().is_some_and(|it| terms.are_covered_by(it.consent.as_ref())),
            chosen_data: again.as_ref().map(Account::chosen_data).unwrap_or_default(),
            place: ResumePoint { account_id: again.map(|it| it.id), ..attempt.place.clone() },
        },
    })
}

/// Returns the account that the person signs in to again. The widget chose it, so its user is checked. `None` if it is no
/// longer connected.
fn account_to_sign_in_to(reader: &mut Reader<'_>, attempt: &Attempt) -> ApiResult<Option<Account>> {
    let account = match &attempt.place.account_id {
        Some(id) => reader.accounts().get(&attempt.owner, id)?,
        None => None,
    };
    Ok(account.filter(|it| it.user_id == attempt.user_id && it.is_connected()))
}

/// Returns the archives that are being uploaded or read, and the finished ones of the kind that the person chose.
fn archives(reader: &mut Reader<'_>, attempt: &Attempt, now: TenantTime) -> ApiResult<Vec<ArchiveProgress>> {
    let found = reader.archives().of_attempt(&attempt.owner, &attempt.id)?;
    let is_current = |archive: &ArchiveProgress| match archive.phase {
        ArchivePhase::Uploading {} | ArchivePhase::Analyzing { .. } => true,
        ArchivePhase::Analyzed {} | ArchivePhase::Failed { .. } => {
            attempt.place.archive_type == Some(archive.archive_type)
        }
        ArchivePhase::Revoked {} => false,
    };
    Ok(found.iter().map(|archive| archive.progress(now)).filter(is_current).collect())
}

/// Returns true if one of the user's newest accounts is connected, or one of the newest archives is not revoked.
fn has_linked(reader: &mut Reader<'_>, session: &LinkSession) -> ApiResult<bool> {
    let (user, newest) = (Some(&session.user_id), PageRequest::first(PageSize::new(NEWEST)?));
    let accounts = AccountFilter { user, ..AccountFilter::default() };
    let accounts = reader.accounts().list(&session.owner, accounts, &newest)?.items;
    if accounts.iter().any(|account| matches!(account.state, AccountState::Connected(_))) {
        return Ok(true);
    }
    let archives = ArchiveFilter { user, ..ArchiveFilter::default() };
    let archives = reader.archives().list(&session.owner, archives, &newest)?.items;
    Ok(archives.iter().any(|archive| !matches!(archive.state, ArchiveState::Revoked { .. })))
}
