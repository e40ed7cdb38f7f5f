//! The accept loop: HTTP/1.1 connections on hyper, with limits on their number and on inactivity.
//!
//! Our own: with `axum::serve`, 60 of 60 connections with an incomplete head were still open after 78 s (ADR 210).

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use link_types::problem::ProblemCode;
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_io_timeout::TimeoutStream;
use tower::Service as _;

use crate::app::counted::{Counted, Counts};
use crate::http::limits::network::network;
use crate::http::limits::rate_limit::LimitKey;
use crate::http::problem::Problem;
use crate::logs::Sampled;
use crate::metrics::{Metrics, OpenConnection};
use crate::settings::ConnectionLimits;

/// The maximum size of a request's head, and of its trailers, in bytes. A longer one gets 431.
const MAX_HEAD: usize = 32 * 1024;
/// The maximum size of a connection's read buffer, and of its write buffer, in bytes.
const MAX_BUFFER: usize = 64 * 1024;
/// How long the loop waits after an error of the operating system, so that it does not spin.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// The number of refused connections that get a response at the same time. Further ones are closed at once.
const MAX_REFUSALS: usize = 64;
/// How long a refused connection may take to send its head, and to read the response.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves connections until `stopping` becomes true. Then it accepts no new connections, lets running requests finish,
/// and returns when the last connection is closed.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    metrics: Arc<Metrics>,
    mut stopping: watch::Receiver<bool>,
) {
    let total = connections_within(limits.total);
    if total < limits.total {
        tracing::warn!(total, "Fewer connections than --max-connections; raise the limit on open files");
    }
    let serving = Serving {
        router,
        limits,
        metrics,
        open: Arc::new(Semaphore::new(total.min(Semaphore::MAX_PERMITS))),
        networks: Counts::default(),
        refusals: Arc::new(Semaphore::new(MAX_REFUSALS)),
        refused: Sampled::default(),
        failed: Sampled::default(),
        shutdown: GracefulShutdown::new(),
    };
    loop {
        let accepted = tokio::select! {
            // An error means that the sender is gone, which also means stop.
            _ = stopping.wait_for(|stop| *stop) => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => serving.take(stream, peer),
            Err(error) if is_of_the_client(&error) => {}
            // Such as a lack of open files or memory.
            Err(error) => {
                if let Some(count) = serving.failed.count(Instant::now()) {
                    tracing::error!(%error, count, "Accepting connections failed");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    serving.shutdown.shutdown().await;
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
    router: Router,
    limits: ConnectionLimits,
    metrics: Arc<Metrics>,
    /// A permit for each connection.
    open: Arc<Semaphore>,
    networks: Counts<LimitKey>,
    refusals: Arc<Semaphore>,
    refused: Sampled,
    failed: Sampled,
    shutdown: GracefulShutdown,
}

/// An accepted connection's place within the limits. The connection of an exempt network counts only in total.
type Slot = (OwnedSemaphorePermit, Option<Counted<LimitKey>>, OpenConnection);

/// The limit that a connection exceeds.
enum ConnectionLimitError {
    Network,
    Total,
}

impl Serving {
    fn take(&self, stream: TcpStream, peer: SocketAddr) {
        let watcher = self.shutdown.watcher();
        match self.admit(peer.ip()) {
            Ok(slot) => {
                let router = self.router.clone();
                let respond = move |request| respond(router.clone(), peer, request);
                tokio::spawn(converse(stream, self.limits.idle, self.limits.write, respond, watcher, slot));
            }
            Err(exceeded) => {
                self.metrics.count_refused_connection(match exceeded {
                    ConnectionLimitError::Network => "network",
                    ConnectionLimitError::Total => "total",
                });
                self.report(&exceeded);
                if let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() {
                    let limit = REFUSAL_TIMEOUT;
                    tokio::spawn(converse(stream, limit, limit, refuse, watcher, permit));
                }
            }
        }
    }

    fn admit(&self, address: IpAddr) -> Result<Slot, ConnectionLimitError> {
        let counted = if self.limits.exempt.contains(address) {
            None
        } else {
            let counted = self.networks.admit(&network(address), self.limits.per_network);
            Some(counted.ok_or(ConnectionLimitError::Network)?)
        };
        let permit = Arc::clone(&self.open).try_acquire_owned().map_err(|_| ConnectionLimitError::Total)?;
        Ok((permit, counted, self.metrics.open_connection()))
    }

    fn report(&self, exceeded: &ConnectionLimitError) {
        let Some(count) = self.refused.count(Instant::now()) else { return };
        match exceeded {
            ConnectionLimitError::Network => tracing::warn!(
                count,
                "Connections refused: one network has reached --max-connections-per-network; if it is your \
                 proxy, add it to --trusted-proxies"
            ),
            ConnectionLimitError::Total => {
                tracing::warn!(count, "Connections refused: --max-connections is reached")
            }
        }
    }
}

/// Serves one connection until it ends. Its client must send a whole head within `idle` after the accept or the last
/// response, and must not leave a response unread for longer than `write`. `slot` is held until then.
async fn converse<F>(
    stream: TcpStream,
    idle: Duration,
    write: Duration,
    respond: impl Fn(Request<Incoming>) -> F,
    watcher: Watcher,
    slot: impl Send,
) where
    F: Future<Output = Result<Response<Body>, Infallible>>,
{
    // Without `nodelay`, a response's last segment would wait for the acknowledgement of the previous one.
    drop(stream.set_nodelay(true));
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(write));
    let connection = http1::Builder::new()
        // A client may close its side after the last request, and still wait for responses.
        .half_close(true)
        .timer(TokioTimer::new())
        .header_read_timeout(idle)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(Box::pin(stream)), service_fn(respond));
    // An error is the client's, or a timeout, and ends only this connection.
    drop(watcher.watch(connection).await);
    drop(slot);
}

async fn respond(
    mut router: Router,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.call(request).await
}

async fn refuse(_request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let detail = "Too many connections are open. Try again in a few seconds.";
    let problem = Problem::new(ProblemCode::ServiceUnavailable, detail)
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
        .with_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .with_header(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))
        .with_header(header::CONNECTION, HeaderValue::from_static("close"));
    Ok(problem.into_document("none"))
}

// The process's limit on open files. Each connection is an open file.

/// The number of files reserved for the database, uploads, webhooks and child processes.
const RESERVED: u64 = 256;

/// Raises the process's limit on open files to its hard limit.
pub fn raise_open_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "Raising the limit on open files failed");
    }
}

/// Returns the number of connections that leaves enough files for everything else.
fn connections_within(wanted: usize) -> usize {
    match getrlimit(Resource::Nofile).current {
        Some(files) => wanted.min(share(files)),
        None => wanted,
    }
}

fn share(files: u64) -> usize {
    // If there are few files, use half of them for connections, and always allow at least one connection.
    let connections = files.saturating_sub(RESERVED).max(files / 2).max(1);
    usize::try_from(connections).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_reserved_files() {
        assert_eq!(share(65_536), 65_280);
        assert_eq!(share(1_024), 768);
        assert_eq!(share(300), 150);
        assert_eq!(share(0), 1);
    }
}
