//! The widget's session: opening it with a link token, reading it and ending it; its sealing key and its terms.

mod open;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::documents::archive::{Archive, ArchiveState};
use link_domain::kernel::clock::{Now, TenantTime, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::languages::Languages;
use link_domain::kernel::sealing::SessionKey;
use link_domain::linking::account::{Account, AccountState};
use link_domain::linking::account_source::AccountSource;
use link_domain::linking::link::{
    Attempt, ExchangeRequest, Handoff, HandoffEnd, LinkSession, TokenError, Work,
};
use link_domain::linking::terms::Terms;
use link_domain::tenancy::template::{ConsentTemplate, LinkTemplate};
use link_domain::tenancy::wording::Wording;
use link_store::{AccountFilter, ArchiveFilter, Label, PageRequest, PageSize, Reader, Tx};
use link_types::link::{self, AttemptState};
use link_types::sealing::SealingKey;
use link_types::uploading::{ArchivePhase, ArchiveProgress, ResumePoint};
use link_types::{Mode, Sensitive};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::{SessionCaller, step_progress};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of sessions.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(open::handler => person)).routes(routes!(get => read, end => person))
}

/// Retrieves the session's current state.
///
/// It contains what the widget needs to continue after a reload: the texts, the consent and the attempt with its
/// progress. Durations are relative, because the widget's clock may be wrong.
#[utoipa::path(
    get, path = "/link/session", tag = "link", operation_id = "getSession",
    responses((status = 200, description = "The session", body = link::LinkSession, example = json!(parse_example(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
async fn get(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<link::LinkSession>> {
    let (session, attempt, now) = (caller.session().clone(), caller.attempt().clone(), caller.now());
    let (handoff, may_hand_off) = (caller.handoff().cloned(), app.settings.may_hand_off());
    let (languages, source) = (caller.languages().clone(), Arc::clone(app.ports.source(caller.owner().mode)));
    let hosted_url = app.settings.hosted_url.clone();
    let view = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let (languages, source, hosted_url) = (&languages, source.as_ref(), hosted_url.as_str());
            let is_phone = handoff.is_some();
            let reading = Reading { may_hand_off, is_phone, languages, source, hosted_url };
            let view = view(reader, &session, &attempt, (now, &reading))?;
            Ok(match &handoff {
                Some(handoff) => handoff.on_phone(view),
                None => view,
            })
        })
        .await?;
    Ok(Json(view))
}

/// Ends the session.
///
/// Accounts that are not linked yet and unfinished uploads remain in the attempt, so that the next session continues
/// them. The phone of a hand-off ends only its own access.
#[utoipa::path(
    delete, path = "/link/session", tag = "link", operation_id = "endSession",
    responses((status = 204, description = "The session is ended"), refusals::Read),
    security(("session" = []))
)]
async fn end(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (id, now) = (caller.session().id.clone(), caller.now());
    if caller.handoff().is_some() {
        let left = move |tx: &mut Tx<'_>| -> ApiResult<_> {
            let handoff = tx.link_handoffs().get(&id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&handoff.end(HandoffEnd::Left).1, now)?)
        };
        caller.report(left).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    app.store
        .write(move |tx| -> ApiResult<_> {
            let session = tx.link_sessions().get(&id)?.ok_or_else(Problem::missing)?;
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let found = Found::find(&attempt, tx)?;
            Ok(tx.apply(&attempt.close(session, found.work(), now.tenant()), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Uses a code, and returns the session as the phone sees it.
async fn redeem(
    app: &App,
    token: &Sensitive,
    (mode, request): (Mode, ExchangeRequest),
    languages: Languages,
) -> ApiResult<link::LinkSession> {
    let (token, wall, secret) = (Handoff::hash(token), app.wall(), request.secret_hash);
    // Checks with a read first, so that invalid requests do not wait for the writer.
    let checked = request.clone();
    app.store
        .read(move |reader| -> ApiResult<_> {
            let (handoff, session) = find_handoff(reader, &token, mode)?;
            let progress = step_progress(reader, &handoff)?;
            handoff.verdict(&checked, &session, progress, wall)?;
            Ok(())
        })
        .await?;
    let source = Arc::clone(app.ports.source(mode));
    let hosted_url = app.settings.hosted_url.clone();
    let session = app
        .store
        .write(move |tx| {
            let (languages, source, hosted_url) = (&languages, source.as_ref(), hosted_url.as_str());
            let reading = Reading { may_hand_off: false, is_phone: true, languages, source, hosted_url };
            continue_on_phone(tx, &token, (mode, &request), (wall, &reading))
        })
        .await?;
    app.limits.known_sessions.remember(secret);
    Ok(session)
}

/// Returns the hand-off with this token and its session, if they belong to this environment.
fn find_handoff(reader: &mut Reader<'_>, token: &Digest32, mode: Mode) -> ApiResult<(Handoff, LinkSession)> {
    let handoff = reader.link_handoffs().by_token(token)?.filter(|it| it.owner.mode == mode);
    let handoff = handoff.ok_or(TokenError::Invalid)?;
    let session = reader.link_sessions().get(&handoff.session_id)?.ok_or(TokenError::Invalid)?;
    Ok((handoff, session))
}

fn continue_on_phone(
    tx: &mut Tx<'_>,
    token: &Digest32,
    (mode, request): (Mode, &ExchangeRequest),
    (wall, reading): (Wall, &Reading<'_>),
) -> ApiResult<link::LinkSession> {
    let (handoff, _) = find_handoff(tx, token, mode)?;
    // Locks both, the session first, and reads them again: the code may have been used or replaced.
    let session = tx.link_sessions().get(&handoff.session_id)?.ok_or(TokenError::Invalid)?;
    let handoff = tx.link_handoffs().get(&session.id)?.filter(|it| it.token_hash == *token);
    let handoff = handoff.ok_or(TokenError::Invalid)?;
    let progress = step_progress(tx, &handoff)?;
    let (handoff, change) = handoff.redeem(request, &session, progress, wall)?;
    let tenant = tx.tenants().get(&session.owner.tenant)?.ok_or(TokenError::Invalid)?;
    tenant.check_active()?;
    let now = Now::new(wall, tenant.offset(mode));
    tx.apply(&change, now)?;
    let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or(TokenError::Used)?;
    Ok(handoff.on_phone(view(tx, &session, &attempt, (now, reading))?))
}

/// How many accounts and archives are searched for one that is linked.
const MAX_ACCOUNTS: i64 = 10;

/// The languages that the person reads, the source of the providers' texts, and whether a step can continue on a phone, or
/// is on one.
struct Reading<'a> {
    may_hand_off: bool,
    is_phone: bool,
    languages: &'a Languages,
    source: &'a dyn AccountSource,
    /// URL of the hosted pages.
    hosted_url: &'a str,
}

/// Returns the session with its template, its account and its archives.
fn view(
    reader: &mut Reader<'_>,
    session: &LinkSession,
    attempt: &Attempt,
    (now, reading): (Now, &Reading<'_>),
) -> ApiResult<link::LinkSession> {
    let owner = &session.owner;
    let (template, consent) = find_shown_terms(reader, session)?;
    let terms = Terms { link: &template, consent: &consent };
    let account = match &attempt.account_id {
        Some(id) => {
            let progress = reader.accounts().get(owner, id)?.map(|it| it.progress(now));
            progress.map(|it| {
                let translations = reading.source.translations(&it.provider_id);
                let worded = Wording::for_languages(&translations, reading.languages).progress(it);
                worded.with_address_on(reading.hosted_url, session.visit.is_some() && !reading.is_phone)
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
    let (user, newest) = (Some(&session.user_id), PageRequest::first(PageSize::new(MAX_ACCOUNTS)?));
    let accounts = AccountFilter { user, ..AccountFilter::default() };
    let accounts = reader.accounts().list(&session.owner, accounts, &newest)?.items;
    if accounts.iter().any(|account| matches!(account.state, AccountState::Connected(_))) {
        return Ok(true);
    }
    let archives = ArchiveFilter { user, ..ArchiveFilter::default() };
    let archives = reader.archives().list(&session.owner, archives, &newest)?.items;
    Ok(archives.iter().any(|archive| !matches!(archive.state, ArchiveState::Revoked { .. })))
}

/// The account and the archives of an attempt.
struct Found {
    account: Option<Account>,
    archives: Vec<Archive>,
}

impl Found {
    /// Reads the account and the archives of an attempt.
    fn find(attempt: &Attempt, tx: &mut Tx<'_>) -> ApiResult<Self> {
        let account = match &attempt.account_id {
            Some(id) => tx.accounts().get(&attempt.owner, id)?,
            None => None,
        };
        Ok(Self { account, archives: tx.archives().of_attempt(&attempt.owner, &attempt.id)? })
    }

    /// Returns them in the form that the attempt's transitions take.
    fn work(&self) -> Work<'_> {
        Work::for_attempt(self.account.as_ref(), &self.archives)
    }
}

/// Retrieves the session's public key.
///
/// The service accepts credentials and typed answers only if they are encrypted to this key.
#[utoipa::path(
    get, path = "/link/sealingKey", tag = "link", operation_id = "getSealingKey",
    responses((status = 200, description = "The key", body = SealingKey, example = json!(parse_example(include_str!("../sealing_key.json")))), refusals::Read),
    security(("session" = []))
)]
pub(super) async fn get_sealing_key(
    State(app): State<App>,
    caller: SessionCaller,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<SealingKey>> {
    let root = app.store.read(|reader| -> ApiResult<_> { Ok(reader.derive_key(Label::Sessions)) }).await?;
    Ok(Json(SessionKey::derive(&root, &caller.session().id).sealing_key()))
}

/// Returns the link template of a session and its consent template, as the widget shows them.
pub(super) fn find_shown_terms(
    reader: &mut Reader<'_>,
    session: &LinkSession,
) -> ApiResult<(LinkTemplate, ConsentTemplate)> {
    let owner = &session.owner;
    let template = reader.link_templates().get(owner, &session.template_id)?.ok_or_else(Problem::missing)?;
    let consent = reader
        .consent_templates()
        .get_kept(owner, &template.template.consent_template_id)?
        .ok_or_else(|| Problem::system("A link template refers to a missing consent template"))?;
    Ok((template, consent))
}

/// Returns the link template of a session and its consent template, for a consent to them. `None` if the tenant deleted
/// the link template.
pub(super) fn terms_to_cite(
    tx: &mut Tx<'_>,
    session: &LinkSession,
) -> ApiResult<Option<(LinkTemplate, ConsentTemplate)>> {
    let owner = &session.owner;
    let Some(template) = tx.link_templates().get_to_cite(owner, &session.template_id)? else {
        return Ok(None);
    };
    let consent = tx
        .consent_templates()
        .get_kept(owner, &template.template.consent_template_id)?
        .ok_or_else(|| Problem::system("A link template refers to a missing consent template"))?;
    Ok(Some((template, consent)))
}
