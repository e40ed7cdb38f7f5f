//! One signed request to a connector and its response, within limits, retried if that is safe.
//!
//! Our own retries: if a step's result is unknown, it is not repeated, because it may have used up a code (ADR 95).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, Response, body::Incoming};
use link_domain::kernel::system::{Clock, Entropy};
use link_domain::lookups::record_source::SourceTask;
use opentelemetry::trace::{SpanKind, TraceContextExt as _, Tracer as _};
use opentelemetry::{Context, global};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep, timeout_at};

use super::client::HttpClient;
use super::fault::ExchangeError;
use super::signature::{NONCE, SIGNATURE, SignedRequest, SignedResponse, SigningKey, TIMESTAMP};

/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The protocol's version, which is the prefix of every operation's path.
pub const BASE_PATH: &str = "/linchpin/v1";

/// The operations of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Lists the providers it serves.
    Providers,
    /// The first step of a login.
    Start,
    /// A further step.
    Step,
    /// The first reading.
    Fetch,
    /// A later reading.
    Refresh,
    /// The file of a document.
    Document,
    /// The end of an access.
    Revoke,
    /// A query for a record.
    Record,
    /// A query for a signal.
    Signal,
}

impl Operation {
    /// Returns the last part of the operation's path.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Providers => "providers",
            Self::Start => "start",
            Self::Step => "step",
            Self::Fetch => "fetch",
            Self::Refresh => "refresh",
            Self::Document => "document",
            Self::Revoke => "revoke",
            Self::Record => "record",
            Self::Signal => "signal",
        }
    }

    /// Returns the time limit for all tries together.
    const fn time(self) -> Duration {
        Duration::from_secs(match self {
            Self::Providers => 10,
            Self::Signal => 30,
            Self::Start | Self::Step | Self::Document | Self::Revoke | Self::Record => 60,
            Self::Fetch | Self::Refresh => 300,
        })
    }

    /// Returns the maximum length of the response, in bytes.
    const fn limit(self) -> usize {
        match self {
            Self::Revoke | Self::Record | Self::Signal => 64 * 1024,
            // A challenge may have a picture and a recording of 256 KiB, which is left out if it is larger.
            Self::Providers | Self::Start | Self::Step => 1024 * 1024,
            Self::Document => 8 * 1024 * 1024,
            Self::Fetch | Self::Refresh => 16 * 1024 * 1024,
        }
    }

    /// Returns whether the request may be repeated although it may have been processed. A step may have used up a
    /// user's code.
    const fn is_repeatable(self) -> bool {
        match self {
            Self::Start | Self::Step => false,
            Self::Providers
            | Self::Fetch
            | Self::Refresh
            | Self::Document
            | Self::Revoke
            | Self::Record
            | Self::Signal => true,
        }
    }
}

/// Begins a span of an attempt, and adds `traceparent` to its headers. `None` if the work that asks is not traced.
fn trace_attempt(operation: Operation, headers: &mut HeaderMap) -> Option<Context> {
    let parent = Context::map_current(|it| it.has_active_span().then(|| it.clone()))?;
    let tracer = global::tracer("linchpin");
    let span = tracer.span_builder(format!("connector {}", operation.as_str())).with_kind(SpanKind::Client);
    let context = parent.with_span(span.start_with_context(&tracer, &parent));
    let own = context.span().span_context().clone();
    let value = format!("00-{}-{}-{:02x}", own.trace_id(), own.span_id(), own.trace_flags().to_u8());
    headers.extend(HeaderValue::from_str(&value).map(|it| (TRACEPARENT, it)));
    Some(context)
}

/// One request, which is sent once or more.
struct Asking {
    operation: Operation,
    method: Method,
    path: String,
    body: Bytes,
}

/// Sends requests to one connector.
pub(super) struct Exchange {
    pub(super) name: String,
    pub(super) origin: String,
    pub(super) key: SigningKey,
    pub(super) client: HttpClient,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
}

impl Exchange {
    /// Sends a request, and converts the response with `take`.
    pub(super) async fn ask<T: DeserializeOwned, U>(
        &self,
        operation: Operation,
        body: Vec<u8>,
        take: impl Fn(T) -> Result<U, ExchangeError>,
    ) -> Result<U, ExchangeError> {
        let method = if operation == Operation::Providers { Method::GET } else { Method::POST };
        let path = format!("{BASE_PATH}/{}", operation.as_str());
        self.send(&Asking { operation, method, path, body: Bytes::from(body) }, take).await
    }

    /// Asks for a task that an earlier request of this operation started, and converts the response with `take`.
    pub(super) async fn ask_for_task<T: DeserializeOwned, U>(
        &self,
        operation: Operation,
        task: &SourceTask,
        take: impl Fn(T) -> Result<U, ExchangeError>,
    ) -> Result<U, ExchangeError> {
        let path = format!("{BASE_PATH}/{}/{}", operation.as_str(), task.as_str());
        self.send(&Asking { operation, method: Method::GET, path, body: Bytes::new() }, take).await
    }

    async fn send<T: DeserializeOwned, U>(
        &self,
        asking: &Asking,
        take: impl Fn(T) -> Result<U, ExchangeError>,
    ) -> Result<U, ExchangeError> {
        let operation = asking.operation;
        let deadline = Instant::now() + operation.time();
        let mut tries = 0;
        loop {
            tries += 1;
            let nonce = self.nonce();
            let response = timeout_at(deadline, self.attempt(asking, &nonce)).await;
            let result =
                response.unwrap_or(Err(ExchangeError::Late)).and_then(|it| read(&it)).and_then(&take);
            let fault = match result {
                Ok(taken) => return Ok(taken),
                Err(fault) => fault,
            };
            match fault.wait(tries, operation.is_repeatable()) {
                Some(wait) if Instant::now() + wait < deadline => sleep(wait).await,
                Some(_) | None => {
                    self.log(operation, &nonce, tries, &fault);
                    return Err(fault);
                }
            }
        }
    }

    async fn attempt(&self, asking: &Asking, nonce: &str) -> Result<Bytes, ExchangeError> {
        let mut request = self.request(asking, nonce)?;
        // The span ends with the attempt.
        let _span = trace_attempt(asking.operation, request.headers_mut());
        let response =
            self.client.request(request).await.map_err(|error| ExchangeError::from_client(&error))?;
        let status = response.status().as_u16();
        // Only signed responses are read. A proxy's page is not part of the protocol.
        match status {
            200 => self.read_signed_body(asking.operation, response, nonce).await,
            401 => Err(ExchangeError::SignatureRefused),
            429 | 503 => Err(ExchangeError::Busy { status, retry_after: retry_after(response.headers()) }),
            502 | 504 => Err(ExchangeError::Gateway { status }),
            _ => Err(ExchangeError::Status { status }),
        }
    }

    fn request(&self, asking: &Asking, nonce: &str) -> Result<Request<Full<Bytes>>, ExchangeError> {
        let Asking { operation: _, method, path, body } = asking;
        let timestamp = self.clock.now().micros().div_euclid(1_000_000);
        let signed = SignedRequest { method: method.as_str(), path, timestamp, nonce, body };
        Request::builder()
            .uri(format!("{}{path}", self.origin))
            .header(USER_AGENT, concat!("Linchpin/", env!("CARGO_PKG_VERSION"), " (connectors)"))
            .header(CONTENT_TYPE, "application/json")
            .header(TIMESTAMP, timestamp)
            .header(NONCE, nonce)
            .header(SIGNATURE, self.key.sign_request(signed))
            .method(method.clone())
            .body(Full::new(body.clone()))
            .map_err(|_| ExchangeError::Unreachable)
    }

    async fn read_signed_body(
        &self,
        operation: Operation,
        response: Response<Incoming>,
        nonce: &str,
    ) -> Result<Bytes, ExchangeError> {
        let (parts, body) = response.into_parts();
        let limit = operation.limit();
        let body = Limited::new(body, limit).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                ExchangeError::TooLarge { limit }
            } else {
                ExchangeError::Broken
            }
        })?;
        let body = body.to_bytes();
        let signature = parts.headers.get(SIGNATURE).and_then(|it| it.to_str().ok()).unwrap_or_default();
        let response = SignedResponse { nonce, status: parts.status.as_u16(), body: &body };
        if self.key.is_response_signed(response, signature) { Ok(body) } else { Err(ExchangeError::Unsigned) }
    }

    fn nonce(&self) -> String {
        let mut bytes = [0; 16];
        self.entropy.fill(&mut bytes);
        base16ct::lower::encode_string(&bytes)
    }

    /// Logs a fault with the request's nonce, so that a connector's log can be matched with the service's.
    fn log(&self, operation: Operation, nonce: &str, tries: u32, fault: &ExchangeError) {
        let (connector, operation) = (self.name.as_str(), operation.as_str());
        if fault.is_operators() {
            tracing::error!(connector, operation, nonce, tries, %fault, "A connector violates the protocol");
        } else {
            tracing::warn!(connector, operation, nonce, tries, %fault, "A connector cannot be used");
        }
    }
}

/// Parses a response. A fault contains the location, but not the value.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ExchangeError> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // If the JSON itself is broken, the path may contain keys that are not field names.
        if error.inner().is_data() {
            ExchangeError::at(error.path().to_string())
        } else {
            ExchangeError::at("the JSON itself")
        }
    })?;
    json.end().map_err(|_| ExchangeError::at("the JSON itself"))?;
    Ok(value)
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}
