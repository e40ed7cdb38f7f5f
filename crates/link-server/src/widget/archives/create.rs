//! `POST /link/archives`: creates an archive to upload files into.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::documents::archive::NewArchive;
use link_domain::kernel::clock::TenantTime;
use link_domain::linking::consent::Consent;
use link_domain::linking::link::LinkSession;
use link_domain::linking::terms::Terms;
use link_domain::use_cases::{StoredUploads, begin_archive};
use link_store::Tx;
use link_types::problem::FaultCode;
use link_types::uploading::{ArchiveProgress, CreateArchive};

use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::widget::terms::terms_to_cite;

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
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    Body(body): Body<CreateArchive>,
) -> ApiResult<(StatusCode, Json<ArchiveProgress>)> {
    if !caller.reach().may_upload(body.archive_type) {
        return Err(Problem::conflict("This phone continues another step."));
    }
    let (session, context, quota) =
        (caller.session().clone(), caller.context(), app.settings().upload_quota());
    let given_in = caller.given_in();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let owner = &session.owner;
            // Locks the user, so that concurrent requests of one user cannot exceed a quota together.
            tx.users().get(owner, &session.user_id)?.ok_or_else(Problem::missing)?;
            let consent =
                check_template(tx, &session, &body, context.now().tenant())?.given_in(given_in.clone());
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
    Ok(terms.given(body.consent.clone(), now)?)
}
