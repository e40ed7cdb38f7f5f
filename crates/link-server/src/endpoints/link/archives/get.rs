//! `GET /link/archives/{id}`: how far an archive has come; waits for news when asked to.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use link_store::Signal;
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout_at};

use super::own;
use crate::app::App;
use crate::endpoints::link::accounts::get::{OTHER_NODES, Wait};
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
        ("wait" = Option<u64>, Query, description = "Milliseconds to wait, at most 25000"),
    ),
    responses((status = 200, description = "The archive under way", body = ArchiveProgress), refusals::Read),
    security(("session" = []))
)]
pub(in super::super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<ArchiveId>,
    Query(wait): Query<Wait>,
) -> Answer<Json<ArchiveProgress>> {
    let deadline = Instant::now() + Duration::from_millis(wait.millis.unwrap_or(0));
    let mut news = app.store().subscribe();
    let mut stopping = app.stopping();
    loop {
        let progress = current(&app, &caller, &id).await?;
        let is_news = wait.after.is_none_or(|after| progress.version > after);
        if is_news || Instant::now() >= deadline || *stopping.borrow_and_update() {
            return Ok(Json(progress));
        }
        let pause = deadline.min(Instant::now() + OTHER_NODES);
        tokio::select! {
            // Whatever wakes it, the next round looks for itself.
            _ = timeout_at(pause, changed(&mut news, &id)) => {}
            _ = stopping.changed() => {}
        }
    }
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

async fn changed(news: &mut broadcast::Receiver<Signal>, wanted: &ArchiveId) {
    loop {
        match news.recv().await {
            Ok(Signal::Archive(id)) if id == *wanted => return,
            Ok(Signal::Archive(_) | Signal::Account(_) | Signal::Deliveries | Signal::Jobs) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
