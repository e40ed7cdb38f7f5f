//! Archives that are being uploaded in the widget.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::documents::archive::{Archive, ArchiveInput, NewArchive};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::source::RevokedBy;
use link_domain::linking::consent::Consent;
use link_domain::linking::link::{LinkSession, confirmation, confirms};
use link_domain::linking::reach::Reach;
use link_domain::linking::terms::Terms;
use link_domain::use_cases::{
    StoredSubmission, StoredUploads, begin_archive, revoke_archive, submit_archive,
};
use link_store::{Label, Tx, Watched};
use link_types::id::ArchiveId;
use link_types::link::SubmitArchive;
use link_types::problem::FaultCode;
use link_types::uploading::{ArchiveProgress, ConfirmRevocation, CreateArchive, Revocation};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::{ComputerCaller, SessionCaller};
use crate::http::polling::Wait;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};
use crate::widget::sessions::terms_to_cite;

/// Returns the routes of archives.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => person))
        .routes(routes!(get => read, discard => person))
        .routes(routes!(submit => person))
        .routes(routes!(revocation => person))
        .routes(routes!(revoke => person))
}

/// Creates an archive to upload files into.
///
/// The tenant cannot see the archive before it is submitted. An archive that is not submitted is deleted one day after
/// its last byte arrived. A repeated request, for example after a lost response, returns the first archive while it has
/// no files.
#[utoipa::path(
    post, path = "/link/archives", tag = "link", operation_id = "createLinkArchive",
    request_body(content = CreateArchive, example = json!({
        "type": "PAYSLIP",
        "consent": {
            "consentTemplateId": "ct-0192f0c1a2b37c4d8e5f60718293a4b5",
            "version": "1.0",
            "locale": "en",
            "givenBy": "PERSON",
            "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        },
    })),
    responses((status = 201, description = "The archive's progress", body = ArchiveProgress), refusals::FileWrite),
    security(("session" = []))
)]
async fn create(
    State(app): State<App>,
    caller: SessionCaller,
    Body(body): Body<CreateArchive>,
) -> ApiResult<(StatusCode, Json<ArchiveProgress>)> {
    if !caller.reach().may_upload(body.archive_type) {
        return Err(Problem::conflict("This phone continues another step."));
    }
    let (session, context, quota) = (caller.session().clone(), caller.context(), app.settings.upload_quota());
    let given_in = caller.given_in();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let owner = &session.owner;
            // Locks the user, so that concurrent requests of one user cannot exceed a quota together.
            tx.users().get(owner, &session.user_id)?.ok_or_else(Problem::missing)?;
            let consent =
                check_template(tx, &session, &body, context.now().tenant())?.with_place(given_in.clone());
            let stored = StoredUploads {
                session: &session,
                archives: tx.archives().of_attempt(owner, &session.attempt_id)?,
                usage: tx.upload_uses().usage(owner, &session.user_id, context.now().wall())?,
                quota,
            };
            let new = NewArchive {
                owner: owner.clone(),
                user_id: session.user_id.clone(),
                attempt_id: session.attempt_id.clone(),
                visit_id: session.visit.as_ref().map(|visit| visit.id.clone()),
                archive_type: body.archive_type,
                consent,
            };
            let (archive, change) = begin_archive(stored, new, &mut context)?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await?;
    Ok((StatusCode::CREATED, Json(progress)))
}

/// Checks the consent and the kind of document against the session's link template. Returns the consent, given now.
fn check_template(
    tx: &mut Tx<'_>,
    session: &LinkSession,
    body: &CreateArchive,
    now: TenantTime,
) -> ApiResult<Consent> {
    let (template, consent) = terms_to_cite(tx, session)?.ok_or_else(Problem::missing)?;
    if !template.accepts(body.archive_type) {
        return Err(Problem::invalid_field("type", FaultCode::Invalid, "a file type of the link template"));
    }
    let terms = Terms { link: &template, consent: &consent };
    Ok(terms.read_consent(body.consent.clone(), now)?)
}

/// Retrieves the progress of an archive.
///
/// With `after` and `wait`, the response waits for a later version.
#[utoipa::path(
    get, path = "/link/archives/{id}", tag = "link", operation_id = "getLinkArchive",
    params(
        ("id" = ArchiveId, Path, description = "The archive's id"),
        Query<Wait>,
    ),
    responses((status = 200, description = "The archive's progress", body = ArchiveProgress, example = json!(parse_example(include_str!("archives/get.json")))), refusals::Read),
    security(("session" = []))
)]
async fn get(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(wait): Query<Wait>,
) -> ApiResult<Json<ArchiveProgress>> {
    let about = Watched::Archive(id.clone());
    wait.news(&app, &caller, about, |it: &ArchiveProgress| it.version, || current(&caller, &id)).await
}

async fn current(caller: &SessionCaller, id: &ArchiveId) -> ApiResult<ArchiveProgress> {
    let (owner, reach, id, now) = (caller.owner().clone(), caller.reach(), id.clone(), caller.now());
    caller
        .read(move |reader| -> ApiResult<_> {
            let archive = own(reader.archives().get(&owner, &id)?, &reach)?;
            Ok(archive.progress(now.tenant()))
        })
        .await
}

/// Submits an archive.
///
/// All its files must be complete. The event ARCHIVE_STARTED informs the tenant. A repeated request has
/// no further effect. CONSENT_REQUIRED means that the archive was created in an earlier session or on another device, and
/// `consent` is missing or outdated: read the session again and ask the person.
#[utoipa::path(
    post, path = "/link/archives/{id}/submit", tag = "link", operation_id = "submitLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    request_body(content = SubmitArchive, example = json!({
        "consent": {
            "consentTemplateId": "ct-0192f0c1a2b37c4d8e5f60718293a4b5",
            "version": "1.0",
            "locale": "en",
            "givenBy": "PERSON",
            "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        },
    })),
    responses((status = 200, description = "The archive's progress", body = ArchiveProgress), refusals::Write),
    security(("session" = []))
)]
async fn submit(
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
    body: Option<Body<SubmitArchive>>,
) -> ApiResult<Json<ArchiveProgress>> {
    let (session, reach, context) = (caller.session().clone(), caller.reach(), caller.context());
    let given_in = caller.given_in();
    let receipt = body.and_then(|Body(body)| body.consent);
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let archive = own(tx.archives().get(&session.owner, &id)?, &reach)?;
            let invite = match session.visit.as_ref().and_then(|it| it.invite_id.as_ref()) {
                Some(id) => tx.invites().get(&session.owner, id)?,
                None => None,
            };
            let hosted_link = match &session.visit {
                Some(visit) => tx.hosted_links().by_visit(&visit.id)?,
                None => None,
            };
            let templates = terms_to_cite(tx, &session)?;
            let stored = StoredSubmission {
                archive,
                given_in: given_in.clone(),
                terms: templates.as_ref().map(|(link, consent)| Terms { link, consent }),
                invite,
                hosted_link,
                visit_id: session.visit.as_ref().map(|visit| visit.id.clone()),
                visit: match &session.visit {
                    Some(visit) => tx.visits().get(&session.owner, &visit.id)?,
                    None => None,
                },
                handoff: tx.link_handoffs().get(&session.id)?,
            };
            let (archive, change) = submit_archive(stored, receipt.clone(), &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await?;
    Ok(Json(progress))
}

/// Discards an archive that was not submitted.
///
/// The archive and its files are deleted without a trace.
#[utoipa::path(
    delete, path = "/link/archives/{id}", tag = "link", operation_id = "discardLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 204, description = "The archive is deleted"), refusals::Write),
    security(("session" = []))
)]
async fn discard(
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    apply(&caller, id, || ArchiveInput::Discard).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Revokes an archive and erases its files and data.
///
/// The event ARCHIVE_REVOKED informs the tenant. A repeated request has no further effect.
#[utoipa::path(
    post, path = "/link/archives/{id}/revoke", tag = "link", operation_id = "revokeLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    request_body(content = ConfirmRevocation, example = json!({"confirmation": "AAZg2BTgfqS_uGqzSNF-uu8a3wWU8iWMlX8z8ZZTHZtnslZMUhlkjA"})),
    responses((status = 204, description = "The archive is revoked"), refusals::Write),
    security(("session" = []))
)]
async fn revoke(
    caller: ComputerCaller,
    PathId(id): PathId<ArchiveId>,
    Body(body): Body<ConfirmRevocation>,
) -> ApiResult<StatusCode> {
    let (session, reach, context) = (caller.session().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let now = context.now();
            let archive = revocable(tx.archives().get(&session.owner, &id)?, &reach)?;
            let key = tx.derive_key(Label::Confirmation);
            if !confirms(&key, &session.id, id.as_str(), &body.confirmation, now.wall()) {
                let form = "a confirmation that this session requested in the last 10 minutes";
                return Err(Problem::invalid_field("confirmation", FaultCode::Invalid, form));
            }
            Ok(tx.apply(&revoke_archive(archive, RevokedBy::User, &mut context.clone())?, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Creates the confirmation that revoking an archive requires.
///
/// The confirmation is valid in this session for 10 minutes.
#[utoipa::path(
    post, path = "/link/archives/{id}/revocation", tag = "link", operation_id = "askToRevokeLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 201, description = "The confirmation", body = Revocation, example = json!(parse_example(include_str!("accounts/revocation.json")))), refusals::Write),
    security(("session" = []))
)]
async fn revocation(
    State(app): State<App>,
    caller: ComputerCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<(StatusCode, Json<Revocation>)> {
    let (session, reach, now) = (caller.session().clone(), caller.reach(), caller.now());
    let confirmation = app
        .store
        .read(move |reader| -> ApiResult<_> {
            revocable(reader.archives().get(&session.owner, &id)?, &reach)?;
            let key = reader.derive_key(Label::Confirmation);
            Ok(confirmation(&key, &session.id, id.as_str(), now.wall()))
        })
        .await?;
    Ok((StatusCode::CREATED, Json(Revocation { confirmation })))
}

/// Returns the archive if it is in the caller's reach.
///
/// # Errors
/// 404 if it is not.
pub(crate) fn own(archive: Option<Archive>, reach: &Reach) -> ApiResult<Archive> {
    archive.filter(|it| reach.has_archive(it)).ok_or_else(Problem::missing)
}

/// Returns the archive if the person may revoke it, in whichever attempt they uploaded it.
///
/// # Errors
/// 404 if they may not.
fn revocable(archive: Option<Archive>, reach: &Reach) -> ApiResult<Archive> {
    archive.filter(|it| reach.may_revoke(it)).ok_or_else(Problem::missing)
}

/// Applies an input to an archive of the session's attempt, and returns the archive's progress.
async fn apply(
    caller: &SessionCaller,
    id: ArchiveId,
    input: impl Fn() -> ArchiveInput<'static> + Send + 'static,
) -> ApiResult<ArchiveProgress> {
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let archive = own(tx.archives().get(&owner, &id)?, &reach)?;
            let (archive, change) = archive.apply(input(), &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await
}
