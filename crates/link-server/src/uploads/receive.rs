//! Receives the body of a request into a file.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::Instrument as _;

use super::{UploadEnd, UploadWriter};
use crate::app::App;
use crate::app::upload_locks::UploadLock;
use crate::http::limits::body::MinimumRate;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::{Append, upload_in_use};

/// While a request is being ended: how long its connection must be silent to count as empty.
const QUIET: Duration = Duration::from_millis(250);
/// How long a request that is being ended may continue to read from its connection.
///
/// The request that waits for it gives up after 10 seconds.
const LAST_BYTES: Duration = Duration::from_secs(5);
/// How often to check the session if bytes arrive too slowly to fill a segment.
const SESSION_CHECK: Duration = Duration::from_secs(30);

/// The progress of an upload.
#[derive(Debug)]
pub struct Uploading {
    /// The progress as tus headers.
    pub headers: HeaderMap,
    /// The number of received bytes.
    pub received_bytes: u32,
    /// The size of the file in bytes.
    pub size_bytes: u32,
    /// Whether the file is complete and has passed inspection.
    pub is_complete: bool,
}

/// A caller that may append to an upload.
pub trait Uploader: Send + Sync + 'static {
    /// Finds an upload in the caller's reach.
    ///
    /// # Errors
    /// 404 for an unknown upload.
    fn progress(&self, id: &FileId) -> impl Future<Output = ApiResult<Uploading>> + Send;

    /// Opens an upload at its current offset.
    ///
    /// # Errors
    /// See [`UploadWriter::open`].
    fn writer(&self, id: &FileId) -> impl Future<Output = ApiResult<UploadWriter>> + Send;

    /// Returns how long the caller's session can still last.
    fn time_left(&self) -> Duration;

    /// Renews the session during a long request, and returns how long it can still last.
    ///
    /// # Errors
    /// The rejection that a new request would get.
    fn uses_again(&self) -> impl Future<Output = ApiResult<Duration>> + Send;
}

/// Appends the body to the upload. Returns the upload's progress as headers.
///
/// # Errors
/// See [`UploadWriter::append`] and [`UploadWriter::finish`]; 423 if a newer request wants the upload, 408 if the body is
/// slow, and the rejection of a caller whose session has ended.
///
/// Continues if the caller is dropped, so that the bytes received before the connection was lost are stored.
pub async fn receive(
    app: &App,
    caller: impl Uploader,
    id: FileId,
    append: Append,
    body: Body,
) -> ApiResult<HeaderMap> {
    let lock = app.limits.upload_locks.take(&id).await.ok_or_else(upload_in_use)?;
    let work = work(app.clone(), caller, id, append, body, lock);
    tokio::spawn(work.in_current_span()).await.map_err(|_| Problem::system("An upload's task panicked"))?
}

async fn work(
    app: App,
    caller: impl Uploader,
    id: FileId,
    append: Append,
    mut body: Body,
    mut lock: UploadLock,
) -> ApiResult<HeaderMap> {
    let before = caller.progress(&id).await?;
    append.check(before.received_bytes, before.size_bytes)?;
    if before.is_complete {
        return Ok(before.headers);
    }
    let mut writer = caller.writer(&id).await?;
    let taken = take(&app, &caller, &mut body, &mut writer, &mut lock).await;
    let ended = writer.finish().await;
    // A rejected file takes precedence. Otherwise the reason why the body ended early is reported before storage
    // errors.
    if let Ok(UploadEnd::Refused(fault)) = ended {
        return Err(Problem::file(fault));
    }
    taken?;
    ended?;
    Ok(caller.progress(&id).await?.headers)
}

/// The next thing that happens while a body is received.
enum Next {
    Bytes(Bytes),
    /// The session must be checked now.
    CheckSession,
    /// The request must end early.
    End(Problem),
}

/// Receives the body. At most one segment, and what the connection buffers, is in memory.
///
/// A request that must end early first stores what its connection has already buffered, so that the client does not
/// have to send it again.
async fn take(
    app: &App,
    caller: &impl Uploader,
    body: &mut Body,
    writer: &mut UploadWriter,
    lock: &mut UploadLock,
) -> ApiResult<()> {
    let mut stopping = app.stopping.clone();
    let mut durable = writer.received_bytes();
    let mut check_at = next_check(caller.time_left());
    let mut rate = MinimumRate::SLOWEST.begins(Instant::now());
    loop {
        let next = tokio::select! {
            // Checked in order, or a fast connection would delay the request that waits for it.
            biased;
            () = lock.is_wanted() => Next::End(upload_in_use()),
            () = stops(&mut stopping) => Next::End(Problem::unavailable("The service stopped during an upload")),
            () = sleep_until(check_at) => Next::CheckSession,
            next = timeout_at(rate.deadline(), next(body)) => match next.map_err(|_| slow())?? {
                Some(bytes) => Next::Bytes(bytes),
                None => return Ok(()),
            },
        };
        match next {
            Next::Bytes(bytes) => {
                let arrived = Instant::now();
                rate.count_bytes(bytes.len(), arrived);
                writer.append(&bytes).await?;
                rate.extend(arrived.elapsed());
                if writer.received_bytes() == durable {
                    continue;
                }
            }
            Next::CheckSession => {}
            Next::End(problem) => {
                return if is_drained(body, writer).await? { Ok(()) } else { Err(problem) };
            }
        }
        durable = writer.received_bytes();
        match caller.uses_again().await {
            Ok(ends_in) => check_at = next_check(ends_in),
            Err(refused) => {
                is_drained(body, writer).await?;
                return Err(refused);
            }
        }
    }
}

/// Waits until the service stops.
async fn stops(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender was dropped, which also means that the service stops.
    drop(stopping.wait_for(|stop| *stop).await);
}

/// Returns when to check the session again: at the latest when it ends.
fn next_check(ends_in: Duration) -> Instant {
    Instant::now() + SESSION_CHECK.min(ends_in)
}

/// Stores what the connection has already buffered. Returns true if that completes the body.
async fn is_drained(body: &mut Body, writer: &mut UploadWriter) -> ApiResult<bool> {
    let end = Instant::now() + LAST_BYTES;
    loop {
        let now = Instant::now();
        if now >= end {
            return Ok(false);
        }
        match timeout_at(end.min(now + QUIET), next(body)).await {
            Ok(Ok(Some(bytes))) => writer.append(&bytes).await?,
            Ok(Ok(None)) => return Ok(true),
            // The connection broke off or is silent.
            Ok(Err(_)) | Err(_) => return Ok(false),
        }
    }
}

async fn next(body: &mut Body) -> ApiResult<Option<Bytes>> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(_)) => return Err(Problem::unparseable("The body ended early.")),
            Some(Ok(frame)) => {
                if let Ok(bytes) = frame.into_data() {
                    return Ok(Some(bytes));
                }
            }
        }
    }
}

fn slow() -> Problem {
    let detail = "Fewer than 30 KB arrived within 30 seconds. The bytes received before are stored.";
    Problem::new(ProblemCode::InvalidParameters, detail).with_status(StatusCode::REQUEST_TIMEOUT)
}
