//! `POST /link/archives/{id}/revocation`: creates the confirmation that revoking an archive requires.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::linking::link::confirmation;
use link_store::Label;
use link_types::id::ArchiveId;
use link_types::uploading::Revocation;

use super::own::revocable;
use crate::app::App;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Creates the confirmation that revoking an archive requires.
///
/// The confirmation is valid in this session for 10 minutes.
#[utoipa::path(
    post, path = "/link/archives/{id}/revocation", tag = "link", operation_id = "askToRevokeLinkArchive",
    params(("id" = ArchiveId, Path, description = "The archive's id")),
    responses((status = 201, description = "The confirmation", body = Revocation, example = json!(shown(include_str!("../accounts/revocation.json")))), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: ComputerCaller,
    PathId(id): PathId<ArchiveId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<(StatusCode, Json<Revocation>)> {
    let (session, reach, now) = (caller.session().clone(), caller.reach(), caller.now());
    let confirmation = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            revocable(reader.archives().get(&session.owner, &id)?, &reach)?;
            let key = reader.derived_key(Label::Confirmation);
            Ok(confirmation(&key, &session.id, id.as_str(), now.wall()))
        })
        .await?;
    Ok((StatusCode::CREATED, Json(Revocation { confirmation })))
}
