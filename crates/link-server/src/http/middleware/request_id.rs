//! The outermost layer: gives each request an id, a span and a log line, and writes problem documents with that id.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use tracing::Instrument as _;

use crate::app::App;
use crate::app::readiness::Readiness;
use crate::app::request_log::{Completed, LoggedOwner, RequestLog};
use crate::http::limits::rate_limit::LimitHeaders;
use crate::http::problem::Problem;
use crate::metrics::Metrics;
use crate::traces::{TracedRequest, trace_request};

/// The response header with the request's id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request, as an extension of it.
#[derive(Debug, Clone)]
pub struct RequestId(pub Arc<str>);

/// Generates request ids: a random number for each process, then a counter.
#[derive(Debug)]
pub struct RequestIds {
    process: u64,
    count: AtomicU64,
}

impl RequestIds {
    /// Creates a generator with the process's random number.
    pub fn new(process: u64) -> Self {
        Self { process, count: AtomicU64::new(0) }
    }

    fn next(&self) -> Arc<str> {
        format!("req-{:016x}{:08x}", self.process, self.count.fetch_add(1, Ordering::Relaxed)).into()
    }
}

/// Observes each request: its id, its span, its line in the log, and its counts.
pub struct RequestObserver {
    ids: RequestIds,
    readiness: Arc<Readiness>,
    log: Arc<RequestLog>,
    metrics: Arc<Metrics>,
}

impl RequestObserver {
    /// Creates the observer of an app's requests.
    pub fn new(app: &App) -> Self {
        Self {
            ids: RequestIds::new(app.random()),
            readiness: Arc::clone(&app.health.readiness),
            log: Arc::clone(&app.reports.request_log),
            metrics: Arc::clone(&app.reports.metrics),
        }
    }

    /// Runs a request in a span with its id, completes the response, and logs and counts the result.
    pub async fn run<N, F>(&self, mut request: Request, next: N) -> Response
    where
        N: FnOnce(Request) -> F,
        F: Future<Output = Response>,
    {
        let id = self.ids.next();
        let method = request.method().clone();
        // Never the path, which may contain ids.
        let matched = request.extensions().get::<MatchedPath>().cloned();
        let route = matched.as_ref().map_or("unmatched", MatchedPath::as_str);
        // Of the highest level, so that a filter which shows a line of the request also shows its id.
        let span = tracing::error_span!("request", request_id = &*id, route);
        let limits = LimitHeaders::default();
        let owner = LoggedOwner::default();
        request.extensions_mut().insert(limits.clone());
        request.extensions_mut().insert(owner.clone());
        request.extensions_mut().insert(RequestId(Arc::clone(&id)));
        let started = Instant::now();
        let traced = TracedRequest::new(request.headers(), &method, route, &id);
        let mut response = trace_request(traced, next(request).instrument(span.clone())).await;
        limits.write(response.headers_mut());
        let problem = match response.extensions_mut().remove::<Problem>() {
            Some(problem) => Some(problem),
            None if is_bare_refusal(&response) => Some(Problem::of_status(response.status())),
            None => None,
        };
        let code = problem.as_ref().map(Problem::code);
        if let Some(problem) = problem {
            span.in_scope(|| problem.log());
            self.readiness.note(problem.storage_fault());
            response = with_headers_of(&response, problem.into_document(&id));
        }
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(X_REQUEST_ID, value);
        }
        let (took, status) = (started.elapsed(), response.status());
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let (word, number) = (method.as_str(), status.as_u16());
        tracing::info!(request_id = &*id, method = word, route, status = number, micros, "Request completed");
        self.metrics.count_request((route, &method), (status, code), response.headers(), took);
        self.log.add(&owner, || Completed { id, method, route: matched.clone(), status, code, took });
        response
    }
}

/// Copies the headers that inner layers set (CORS, rate limits, the router's `Allow`) to the problem document.
fn with_headers_of(refusal: &Response, mut document: Response) -> Response {
    let own = document.headers().clone();
    for (name, value) in refusal.headers() {
        if !own.contains_key(name) && *name != CONTENT_TYPE && *name != CONTENT_LENGTH {
            document.headers_mut().append(name.clone(), value.clone());
        }
    }
    document
}

/// Returns true for an error response without a document, such as axum's own 404, 405 and 413.
fn is_bare_refusal(response: &Response) -> bool {
    let refused = response.status().is_client_error() || response.status().is_server_error();
    refused && response.extensions().get::<Finished>().is_none()
}

/// Marks an error response that has its own body (the frame page, health).
#[derive(Debug, Clone, Copy)]
pub struct Finished;
