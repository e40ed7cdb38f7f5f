//! Connections to receivers: each makes one request at a time, and waits for the next attempt in between.
//!
//! Our own: hyper-util's pool connects by name, and the sender may connect only to addresses that it has checked.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use link_domain::notifications::delivery::{MAX_ATTEMPTS_AT_ONCE, MAX_RESPONSE_BYTES};
use link_domain::notifications::webhook_sender::{ReceiverResponse, SendError};
use tokio::time::{Instant, timeout_at};

use super::network::Stream;
use super::tls::tls_cause;

/// How long a connection waits for the next attempt. Common servers close it after 5 s or more.
const IDLE_TIME: Duration = Duration::from_secs(4);
/// How long a connection is used. A receiver's new address is used after this time.
const LIFETIME: Duration = Duration::from_secs(60);
/// The maximum number of waiting connections to one receiver.
const MAX_IDLE_PER_RECEIVER: usize = 64;

/// Whom a connection leads to. The address was checked when the connection was opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Receiver {
    pub(super) is_tls: bool,
    pub(super) host: String,
    pub(super) port: u16,
}

/// Reads from and writes to a stream while it is polled.
type Driver = http1::Connection<TokioIo<Box<dyn Stream>>, Full<Bytes>>;

/// An open connection.
pub(super) struct Connection {
    client: http1::SendRequest<Full<Bytes>>,
    // Driven by the attempt and not by a separate task, so that nothing is sent or received after the attempt.
    driver: Pin<Box<Driver>>,
    opened: Instant,
    is_closed: bool,
    is_drained: bool,
}

impl Connection {
    /// Begins HTTP on a stream.
    pub(super) async fn open(stream: Box<dyn Stream>) -> Result<Self, SendError> {
        let (client, driver) = http1::handshake(TokioIo::new(stream)).await.map_err(|_| SendError::Broken)?;
        let opened = Instant::now();
        Ok(Self { client, driver: Box::pin(driver), opened, is_closed: false, is_drained: true })
    }

    /// Sends a request and reads the response.
    pub(super) async fn exchange(
        &mut self,
        message: Request<Full<Bytes>>,
        deadline: Instant,
    ) -> Result<ReceiverResponse, SendError> {
        self.is_drained = false;
        let Self { client, driver, is_closed, is_drained, .. } = self;
        let exchange = async {
            let head = timeout_at(deadline, client.send_request(message)).await;
            let response = head.map_err(|_| SendError::TimedOut)?.map_err(|error| send_error(&error))?;
            let (response, is_whole) = read_response(response, deadline).await;
            *is_drained = is_whole;
            Ok(response)
        };
        tokio::pin!(exchange);
        tokio::select! {
            biased;
            response = &mut exchange => response,
            closed = driver.as_mut() => {
                *is_closed = true;
                match (exchange.await, closed) {
                    (Err(SendError::Broken), Err(error)) => Err(send_error(&error)),
                    (response, _) => response,
                }
            }
        }
    }

    /// Returns whether the connection can take another request now.
    async fn is_ready(&mut self) -> bool {
        if self.is_closed || !self.is_drained || self.opened.elapsed() >= LIFETIME {
            return false;
        }
        let driver = &mut self.driver;
        self.is_closed = poll_fn(|context| Poll::Ready(driver.as_mut().poll(context).is_ready())).await;
        !self.is_closed && self.client.is_ready()
    }
}

fn send_error(error: &hyper::Error) -> SendError {
    tls_cause(error).map_or(SendError::Broken, SendError::Tls)
}

/// Reads the status and the start of the body, and whether that is all of it. A body that is too long, too slow or
/// interrupted is cut and not an error, because the receiver's status comes before its body.
async fn read_response(response: Response<Incoming>, deadline: Instant) -> (ReceiverResponse, bool) {
    let status = response.status().as_u16();
    let mut incoming = response.into_body();
    let (mut body, mut is_whole) = (Vec::new(), false);
    while body.len() < MAX_RESPONSE_BYTES {
        match timeout_at(deadline, incoming.frame()).await {
            Ok(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    let room = MAX_RESPONSE_BYTES - body.len();
                    body.extend_from_slice(data.get(..room).unwrap_or(&data));
                }
            }
            Ok(None) => {
                is_whole = true;
                break;
            }
            Ok(Some(Err(_))) | Err(_) => break,
        }
    }
    (ReceiverResponse { status, body: String::from_utf8_lossy(&body).into_owned() }, is_whole)
}

/// The connections that wait for the next attempt.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Idle>>);

#[derive(Default)]
struct Idle {
    receivers: HashMap<Receiver, Vec<(Instant, Connection)>>,
    count: usize,
    /// Whether a task closes connections that have waited too long.
    is_tended: bool,
}

impl Connections {
    /// Returns the connection to a receiver that was used last, if it still works.
    pub(super) async fn take(&self, receiver: &Receiver) -> Option<Connection> {
        loop {
            let mut connection = self.lock().take(receiver)?;
            if connection.is_ready().await {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection for the next attempt, or closes it if it cannot take another request.
    pub(super) async fn keep(&self, receiver: Receiver, mut connection: Connection) {
        if connection.is_ready().await && self.lock().put(receiver, connection) {
            tokio::spawn(tend(Arc::downgrade(&self.0)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Idle> {
        lock(&self.0)
    }
}

fn lock(idle: &Mutex<Idle>) -> MutexGuard<'_, Idle> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Idle {
    fn take(&mut self, receiver: &Receiver) -> Option<Connection> {
        let waiting = self.receivers.get_mut(receiver)?;
        let (_, connection) = waiting.pop()?;
        self.count -= 1;
        Some(connection)
    }

    /// Returns whether a task must be started that closes the connection later.
    fn put(&mut self, receiver: Receiver, connection: Connection) -> bool {
        if self.count >= MAX_ATTEMPTS_AT_ONCE {
            return false;
        }
        let waiting = self.receivers.entry(receiver).or_default();
        if waiting.len() >= MAX_IDLE_PER_RECEIVER {
            return false;
        }
        waiting.push((Instant::now(), connection));
        self.count += 1;
        !std::mem::replace(&mut self.is_tended, true)
    }

    fn close_older(&mut self) {
        let now = Instant::now();
        self.receivers.retain(|_, waiting| {
            waiting.retain(|(since, _)| now - *since < IDLE_TIME);
            !waiting.is_empty()
        });
        self.count = self.receivers.values().map(Vec::len).sum();
        self.is_tended = self.count > 0;
    }
}

/// Closes connections that have waited too long, until there are none.
async fn tend(idle: Weak<Mutex<Idle>>) {
    loop {
        tokio::time::sleep(IDLE_TIME / 2).await;
        let Some(idle) = idle.upgrade() else { return };
        let mut idle = lock(&idle);
        idle.close_older();
        if !idle.is_tended {
            return;
        }
    }
}
