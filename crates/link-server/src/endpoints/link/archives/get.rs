//! `GET /link/archives/{id}`: how far an archive has come; waits for news when asked to.

use axum::Json;
use axum::extract::State;
use link_store::Watched;
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;

use super::own;
use crate::app::App;
use crate::endpoints::link::news::Wait;
use crate::endpoints::openapi::shown;
use crate::http::caller::SessionCaller;
use crate::http::problem::Answer;
use crate::http::query::{PathId, Query};
use crate::http::refusals;

/// How far an archive has come. With `after` and `wait` the answer waits for a later version.
#[utoipa::path(
    get, path = "/link/archives/{id}", tag = "link", operation_id = "getLinkArchive",
    params(
        ("id" = ArchiveId, Path, description = "The archive"),
        ("after" = Option<u32>, Query, description = "Wait for a version after this one"),
        ("wait" = Option<u64>, Query, description = "Milliseconds to wait, at most 25000", maximum = 25000),
    ),
    responses((status = 200, description = "The archive under way", body = ArchiveProgress, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(wait): Query<Wait>,
) -> Answer<Json<ArchiveProgress>> {
    let about = Watched::Archive(id.clone());
    wait.news(&app, &caller, about, |it: &ArchiveProgress| it.version, || current(&app, &caller, &id)).await
}

async fn current(app: &App, caller: &SessionCaller, id: &ArchiveId) -> Answer<ArchiveProgress> {
    let (session, id, now) = (caller.session().clone(), id.clone(), caller.now());
    app.store()
        .read(move |reader| -> Answer<_> {
            let archive = own(reader.archive(&session.owner, &id)?, &session.user_id)?;
            Ok(archive.progress(now.tenant()))
        })
        .await
}
