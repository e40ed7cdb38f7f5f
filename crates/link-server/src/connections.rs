//! The accept loop: HTTP/1.1 connections on hyper, with limits on their number and on inactivity.
//!
//! Our own: with `axum::serve`, 60 of 60 connections with an incomplete head were still open after 78 s (ADR 131).
//!
//! A connection has a deadline while it waits for a request or cannot be written to, and a table decides which
//! connections may stay (`admission`).

mod admission;
mod open_files;
mod refusal;
mod watched;

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tower::Service as _;

use self::admission::{Admission, Admitted, ConnectionId, Refused};
pub use self::open_files::raise as raise_open_files;
use self::refusal::Refusals;
use self::watched::{Activity, AnswerBody, Times, Watched};
use crate::http::limits::network::network;
use crate::http::middleware::unauthenticated::UnauthenticatedRequest;
use crate::logs::Sampled;
use crate::settings::ConnectionLimits;

/// The maximum size of a request's head, and of its trailers, in bytes. A longer one gets 431.
const HEAD_LIMIT: usize = 32 * 1024;
/// The maximum size of a connection's read buffer, and of its write buffer, in bytes.
const BUFFER: usize = 64 * 1024;
/// How long the loop waits after an error of the operating system, so that it does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `stopping` becomes true. Then it accepts no new connections, lets running requests finish,
/// and returns when the last connection is closed.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    mut stopping: watch::Receiver<bool>,
) {
    let total = open_files::connections_within(limits.total);
    if total < limits.total {
        tracing::warn!(total, "Fewer connections than --max-connections; raise the limit on open files");
    }
    let serving = Serving {
        table: Arc::new(Mutex::new(Table {
            admission: Admission::new(total, limits.per_network),
            evictions: HashMap::new(),
        })),
        refusals: Refusals::new(),
        refused: Sampled::default(),
        failed: Sampled::default(),
        stopping: stopping.clone(),
        router,
        limits,
    };
    // Each connection holds a sender, so the channel closes with the last connection.
    let (open, mut all_closed) = mpsc::channel::<Infallible>(1);
    loop {
        let accepted = tokio::select! {
            // An error means that the sender is gone, which also means stop.
            _ = stopping.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => serving.take(stream, peer, open.clone()),
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                serving.accept_failed(&error);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    drop(open);
    all_closed.recv().await;
}

/// Returns true if only this connection failed, before it was accepted.
fn is_of_the_client(error: &io::Error) -> bool {
    let kind = error.kind();
    kind == io::ErrorKind::ConnectionAborted
        || kind == io::ErrorKind::ConnectionReset
        || kind == io::ErrorKind::ConnectionRefused
        || kind == io::ErrorKind::Interrupted
}

struct Serving {
    table: Arc<Mutex<Table>>,
    refusals: Refusals,
    refused: Sampled,
    failed: Sampled,
    stopping: watch::Receiver<bool>,
    router: Router,
    limits: ConnectionLimits,
}

/// The open connections, and the channels that close them.
struct Table {
    admission: Admission,
    evictions: HashMap<ConnectionId, oneshot::Sender<()>>,
}

/// A connection's entry in the table. Dropping it removes the entry.
struct Slot {
    id: ConnectionId,
    table: Arc<Mutex<Table>>,
}

impl Serving {
    fn take(&self, stream: TcpStream, peer: SocketAddr, open: mpsc::Sender<Infallible>) {
        let now = Instant::now();
        let network = (!self.limits.exempt.contains(peer.ip())).then(|| network(peer.ip()));
        let (evict, evicted) = oneshot::channel();
        let admitted = {
            let mut table = lock(&self.table);
            let admitted = table.admission.admit(network, now);
            if let Ok(Admitted { id, evicted }) = &admitted {
                table.evictions.insert(*id, evict);
                table.close(*evicted);
            }
            admitted
        };
        match admitted {
            Ok(Admitted { id, .. }) => {
                let slot = Slot { id, table: Arc::clone(&self.table) };
                let activity = Arc::new(Activity::new(self.times(), slot, now));
                let (router, stopping) = (self.router.clone(), self.stopping.clone());
                tokio::spawn(async move {
                    converse(stream, peer, router, activity, evicted, stopping).await;
                    drop(open);
                });
            }
            Err(refused) => {
                self.report(refused, now);
                self.refusals.refuse(stream);
            }
        }
    }

    fn times(&self) -> Times {
        Times { head: self.limits.head, idle: self.limits.idle, write: self.limits.write }
    }

    fn report(&self, refused: Refused, now: Instant) {
        let Some(count) = self.refused.count(now.into_std()) else { return };
        match refused {
            Refused::Network => tracing::warn!(
                count,
                "Connections refused: one network has reached --max-connections-per-network; if it is your \
                 proxy, add it to --trusted-proxies"
            ),
            Refused::Total => tracing::warn!(count, "Connections refused: --max-connections is reached"),
        }
    }

    /// Handles an error of `accept`, such as a lack of open files or memory: closes the connection that has waited
    /// longest.
    fn accept_failed(&self, error: &io::Error) {
        if let Some(count) = self.failed.count(Instant::now().into_std()) {
            tracing::error!(%error, count, "Accepting connections failed");
        }
        let mut table = lock(&self.table);
        let evicted = table.admission.evict();
        table.close(evicted);
    }
}

impl Table {
    fn close(&mut self, evicted: Option<ConnectionId>) {
        if let Some(eviction) = evicted.and_then(|id| self.evictions.remove(&id)) {
            // An error means that the connection has already ended.
            eviction.send(()).ok();
        }
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    /// Records that the connection has a request. Returns false if it was evicted.
    #[must_use]
    fn serves(&self) -> bool {
        lock(&self.table).admission.serves(self.id)
    }

    fn waits(&self, now: Instant) {
        lock(&self.table).admission.waits(self.id, now);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        table.evictions.remove(&self.id);
        table.admission.remove(self.id);
    }
}

/// Serves one connection until it ends, reaches its deadline, or is evicted.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    activity: Arc<Activity>,
    evicted: oneshot::Receiver<()>,
    mut stopping: watch::Receiver<bool>,
) {
    // Without `nodelay`, a response's last segment would wait for the acknowledgement of the previous one.
    drop(stream.set_nodelay(true));
    let io = TokioIo::new(Watched { stream, activity: Arc::clone(&activity) });
    let service = {
        let activity = Arc::clone(&activity);
        service_fn(move |request| answered(request, peer, router.clone(), Arc::clone(&activity)))
    };
    let connection = http1::Builder::new()
        // A client may close its side after the last request, and still wait for responses.
        .half_close(true)
        // `Activity` has the deadlines: hyper's timeout does not distinguish an idle connection from an incomplete
        // head.
        .header_read_timeout(None)
        .max_header_size(HEAD_LIMIT)
        .max_buf_size(BUFFER)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    let mut evicted = pin!(evicted);
    let mut stop = pin!(stopping.wait_for(|stop| *stop).fuse());
    let mut alarm = pin!(tokio::time::sleep_until(activity.deadline().unwrap_or_else(Instant::now)));
    poll_fn(|context| {
        if stop.as_mut().poll(context).is_ready() {
            connection.as_mut().graceful_shutdown();
        }
        if connection.as_mut().poll(context).is_ready() || evicted.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        loop {
            let Some(deadline) = activity.deadline() else { return Poll::Pending };
            // The alarm is never later than the deadline. Each request moves the deadline, but rarely resets the alarm.
            if alarm.is_elapsed() || deadline < alarm.deadline() {
                alarm.as_mut().reset(deadline);
            }
            if alarm.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            if activity.deadline().is_some_and(|it| it <= Instant::now()) {
                return Poll::Ready(());
            }
        }
    })
    .await;
}

async fn answered(
    request: Request<Incoming>,
    peer: SocketAddr,
    mut router: Router,
    activity: Arc<Activity>,
) -> Result<Response<AnswerBody>, Infallible> {
    let mut response = if activity.serves() {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request).await?
    } else {
        // The connection was evicted and the request not processed, so the client may send it again.
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        response
    };
    let unauthenticated = response.extensions_mut().remove::<UnauthenticatedRequest>();
    Ok(response.map(|body| AnswerBody { body, activity, unauthenticated }))
}
