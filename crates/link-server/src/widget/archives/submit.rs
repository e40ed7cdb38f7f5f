//! `POST /link/archives/{id}/submit`: submits an archive, so that its files are read.

use axum::Json;
use link_domain::linking::terms::Terms;
use link_domain::use_cases::{StoredSubmission, submit_archive};
use link_types::id::ArchiveId;
use link_types::link::SubmitArchive;
use link_types::uploading::ArchiveProgress;

use super::own::own;
use crate::http::extract::body::Body;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::widget::terms::terms_to_cite;

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
pub(super) async fn handler(
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
            let invite = match &session.visit {
                Some(visit) => tx.invites().get(&session.owner, &visit.invite_id)?,
                None => None,
            };
            let templates = terms_to_cite(tx, &session)?;
            let stored = StoredSubmission {
                archive,
                given_in: given_in.clone(),
                terms: templates.as_ref().map(|(link, consent)| Terms { link, consent }),
                invite,
                handoff: tx.link_handoffs().get(&session.id)?,
            };
            let (archive, change) = submit_archive(stored, receipt.clone(), &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await?;
    Ok(Json(progress))
}
