//! The bytes of a request on their way into a file.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use tokio::time::timeout;

use super::{find, standing};
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::tus::{Append, Turn, locked};
use crate::uploads::{UploadEnd, UploadWriter};

/// How long the next bytes of a request are waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Takes the body into the upload, from the offset it is for. Gives where the upload stands afterwards.
///
/// It goes on when its caller is dropped: what had come before the connection was lost is kept.
pub(super) async fn receive(
    app: &App,
    caller: SessionCaller,
    id: FileId,
    append: Append,
    body: Body,
) -> Answer<HeaderMap> {
    let turn = app.upload_turns().take(&id).await.ok_or_else(locked)?;
    let work = work(app.clone(), caller, id, append, body, turn);
    tokio::spawn(work).await.map_err(|_| Problem::system("an upload's task panicked"))?
}

async fn work(
    app: App,
    caller: SessionCaller,
    id: FileId,
    append: Append,
    mut body: Body,
    mut turn: Turn,
) -> Answer<HeaderMap> {
    let (archive, file) = current(&app, &caller, &id).await?;
    append.check(file.received_bytes(), file.size_bytes())?;
    if file.stored().is_some() {
        return Ok(standing(&archive, &file));
    }
    let mut writer = UploadWriter::open(&app, caller.owner(), &archive.id, &id).await?;
    let taken = take(&mut body, &mut writer, &mut turn).await;
    let ended = writer.finish().await;
    // Why the body ended early comes before what became of its bytes, but a file that is refused is refused.
    if let Ok(UploadEnd::Refused(fault)) = ended {
        return Err(Problem::file(fault));
    }
    taken?;
    ended?;
    let (archive, file) = current(&app, &caller, &id).await?;
    Ok(standing(&archive, &file))
}

/// The body's bytes, as they come: never more of them in memory than a segment and what the connection holds.
async fn take(body: &mut Body, writer: &mut UploadWriter, turn: &mut Turn) -> Answer<()> {
    loop {
        let bytes = tokio::select! {
            // First, or a connection with much in its buffers would not give way for long.
            biased;
            () = turn.is_wanted() => return Err(locked()),
            next = timeout(PATIENCE, next(body)) => next.map_err(|_| silent())?,
        };
        match bytes? {
            Some(bytes) => writer.append(&bytes).await?,
            None => return Ok(()),
        }
    }
}

async fn next(body: &mut Body) -> Answer<Option<Bytes>> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(_)) => return Err(Problem::unparseable("The body broke off.")),
            Some(Ok(frame)) => {
                if let Ok(bytes) = frame.into_data() {
                    return Ok(Some(bytes));
                }
            }
        }
    }
}

fn silent() -> Problem {
    Problem::new(ProblemCode::InvalidParameters, "No bytes came for half a minute; what came is kept.")
        .with_status(StatusCode::REQUEST_TIMEOUT)
}

async fn current(
    app: &App,
    caller: &SessionCaller,
    id: &FileId,
) -> Answer<(link_domain::archive::Archive, link_domain::archive::UploadingFile)> {
    let (session, id) = (caller.session().clone(), id.clone());
    app.store().read(move |reader| find(reader, &session, &id)).await
}
