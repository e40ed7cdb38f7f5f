//! The accept loop: HTTP/1.1 connections with limits of number and time, on hyper.
//!
//! `axum::serve` keeps a connection for as long as its client likes. Here each one has a deadline while it waits for a
//! request or cannot be written to, and a place in a table that says which may stay (`admission`).

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
use crate::http::client::network;
use crate::http::strangers::Stranger;
use crate::logs::Sampled;
use crate::settings::ConnectionLimits;

/// The longest head of a request, and the longest trailers, in bytes; a longer one is answered 431.
const HEAD_LIMIT: usize = 32 * 1024;
/// Bytes that are buffered of what a connection reads, and of what it writes.
const BUFFER: usize = 64 * 1024;
/// How long the loop waits after the operating system refused to accept, so that it does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `stopping` becomes true; then accepts no more, lets requests under way finish, and returns once
/// the last connection is closed.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    mut stopping: watch::Receiver<bool>,
) {
    let total = open_files::connections_within(limits.total);
    if total < limits.total {
        tracing::warn!(total, "fewer connections than --max-connections: raise the limit of open files");
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
    // Each connection holds a sender: the channel closes with the last one.
    let (open, mut all_closed) = mpsc::channel::<Infallible>(1);
    loop {
        let accepted = tokio::select! {
            // An error means that the sender is gone, and that is a stop too.
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

/// Whether the connection failed before it was accepted, which says nothing of the next one.
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

/// The open connections, and how each is told to close.
struct Table {
    admission: Admission,
    evictions: HashMap<ConnectionId, oneshot::Sender<()>>,
}

/// A connection's place in the table, until it is dropped.
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
                "connections refused: one network has --max-connections-per-network; if it is your proxy, name it with \
                 --trusted-proxies"
            ),
            Refused::Total => tracing::warn!(count, "connections refused: --max-connections are open"),
        }
    }

    /// Open files or memory ran out: the connection that has waited longest for a request gives its own back.
    fn accept_failed(&self, error: &io::Error) {
        if let Some(count) = self.failed.count(Instant::now().into_std()) {
            tracing::error!(%error, count, "connections cannot be accepted");
        }
        let mut table = lock(&self.table);
        let evicted = table.admission.evict();
        table.close(evicted);
    }
}

impl Table {
    fn close(&mut self, evicted: Option<ConnectionId>) {
        if let Some(eviction) = evicted.and_then(|id| self.evictions.remove(&id)) {
            // Where the connection has just ended by itself, no one listens.
            eviction.send(()).ok();
        }
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    /// The connection has a request. False if it made room for another connection.
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

/// Serves one connection until it ends, is out of time, or makes room for another one.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    activity: Arc<Activity>,
    evicted: oneshot::Receiver<()>,
    mut stopping: watch::Receiver<bool>,
) {
    // An answer's last segment does not wait for the acknowledgement of the one before.
    drop(stream.set_nodelay(true));
    let io = TokioIo::new(Watched { stream, activity: Arc::clone(&activity) });
    let service = {
        let activity = Arc::clone(&activity);
        service_fn(move |request| answered(request, peer, router.clone(), Arc::clone(&activity)))
    };
    let connection = http1::Builder::new()
        // A client that has sent its last request may close its side and still wait for the answers.
        .half_close(true)
        // `Activity` has the deadlines: hyper's cannot tell an idle connection from half a head.
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
            // The alarm is never later than the deadline, and seldom set: each request moves the deadline away.
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
        // Nothing was done for this request: its client may send it again.
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        response
    };
    let stranger = response.extensions_mut().remove::<Stranger>();
    Ok(response.map(|body| AnswerBody { body, activity, stranger }))
}
