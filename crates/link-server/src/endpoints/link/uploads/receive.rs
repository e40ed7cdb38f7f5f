//! The bytes of a request on their way into a file.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::{find, standing};
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::pace::Pace;
use crate::http::problem::{Answer, Problem};
use crate::http::tus::{Append, Turn, locked};
use crate::logs::still_serving;
use crate::uploads::{UploadEnd, UploadWriter};

/// What has brought nothing for so long, when its request is to end, holds nothing more.
const QUIET: Duration = Duration::from_millis(250);
/// How long a request that is to end may go on taking what its connection holds: who waits for it waits ten seconds.
const LAST_BYTES: Duration = Duration::from_secs(5);
/// How often the session is looked at while bytes come too slowly to fill a segment.
const SESSION_LOOK: Duration = Duration::from_secs(30);

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
    tokio::spawn(still_serving(work)).await.map_err(|_| Problem::system("an upload's task panicked"))?
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
    let taken = take(&app, &caller, &mut body, &mut writer, &mut turn).await;
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

/// What a request that sends comes to next.
enum Next {
    Bytes(Bytes),
    /// The session is to be looked at.
    Look,
    /// It must end early.
    Over(Problem),
}

/// The body's bytes, as they come: never more of them in memory than a segment and what the connection holds.
///
/// A request that must end early first takes what its connection holds already: it was sent, and would be sent again.
async fn take(
    app: &App,
    caller: &SessionCaller,
    body: &mut Body,
    writer: &mut UploadWriter,
    turn: &mut Turn,
) -> Answer<()> {
    let mut stopping = app.stopping();
    let mut durable = writer.received();
    let (_, ends_in) = caller.session().time_left(caller.now().wall());
    let mut look_at = next_look(ends_in);
    let mut paced = Pace::SLOWEST.begins(Instant::now());
    loop {
        let next = tokio::select! {
            // First, or a connection that brings much would not give way for long.
            biased;
            () = turn.is_wanted() => Next::Over(locked()),
            () = stops(&mut stopping) => Next::Over(Problem::unavailable("it stops while a file comes")),
            () = sleep_until(look_at) => Next::Look,
            next = timeout_at(paced.deadline(), next(body)) => match next.map_err(|_| slow())?? {
                Some(bytes) => Next::Bytes(bytes),
                None => return Ok(()),
            },
        };
        match next {
            Next::Bytes(bytes) => {
                let came = Instant::now();
                paced.received(bytes.len(), came);
                writer.append(&bytes).await?;
                paced.waited(came.elapsed());
                if writer.received() == durable {
                    continue;
                }
            }
            Next::Look => {}
            Next::Over(problem) => {
                return if is_drained(body, writer).await? { Ok(()) } else { Err(problem) };
            }
        }
        durable = writer.received();
        match caller.uses_again().await {
            Ok(ends_in) => look_at = next_look(ends_in),
            Err(refused) => {
                is_drained(body, writer).await?;
                return Err(refused);
            }
        }
    }
}

/// Ends when the service is to stop.
async fn stops(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, and that is a stop too.
    drop(stopping.wait_for(|stop| *stop).await);
}

/// When the session is looked at again, at its end at the latest.
fn next_look(ends_in: Duration) -> Instant {
    Instant::now() + SESSION_LOOK.min(ends_in)
}

/// Takes what the connection holds already; whether that was all there is.
async fn is_drained(body: &mut Body, writer: &mut UploadWriter) -> Answer<bool> {
    let end = Instant::now() + LAST_BYTES;
    loop {
        let now = Instant::now();
        if now >= end {
            return Ok(false);
        }
        match timeout_at(end.min(now + QUIET), next(body)).await {
            Ok(Ok(Some(bytes))) => writer.append(&bytes).await?,
            Ok(Ok(None)) => return Ok(true),
            // It broke off, or nothing more is there.
            Ok(Err(_)) | Err(_) => return Ok(false),
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

fn slow() -> Problem {
    let words = "Fewer than 30 KB came within 30 seconds. What came is kept.";
    Problem::new(ProblemCode::InvalidParameters, words).with_status(StatusCode::REQUEST_TIMEOUT)
}

async fn current(
    app: &App,
    caller: &SessionCaller,
    id: &FileId,
) -> Answer<(link_domain::archive::Archive, link_domain::archive::UploadingFile)> {
    let (session, id) = (caller.session().clone(), id.clone());
    app.store().read(move |reader| find(reader, &session, &id)).await
}
