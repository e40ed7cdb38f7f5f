//! The HTTP client of the exporter, based on the hyper and rustls that the service already uses.
//!
//! Our own 40 lines: the library's clients are reqwest, or hyper without TLS (ADR 268).

use std::time::{Duration, Instant};

use axum::http::Request;
use http_body_util::{BodyExt as _, Full, Limited};
use link_connectors::http_source::{HttpClient as Hyper, plain_client};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Response};
use tokio::runtime::Handle;

use crate::logs::Sampled;

/// How long the collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of a response in bytes.
const MAX_RESPONSE: usize = 64 * 1024;

/// Sends spans from the exporter's own thread, with the connections of the service's runtime.
#[derive(Debug)]
pub(super) struct CollectorClient {
    client: Hyper,
    runtime: Handle,
    failed: Sampled,
}

impl CollectorClient {
    pub(super) fn new(runtime: Handle) -> Self {
        Self { client: plain_client(), runtime, failed: Sampled::default() }
    }

    /// Logs a failure, at most once a minute. The error may contain the endpoint's password.
    fn log(&self, why: &str) {
        if let Some(failures) = self.failed.count(Instant::now()) {
            tracing::warn!(failures, why, "The collector of traces does not take them; they are dropped");
        }
    }
}

#[async_trait::async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sending = async move {
            let response = client.request(request.map(Full::new)).await?;
            let (head, body) = response.into_parts();
            let body = Limited::new(body, MAX_RESPONSE).collect().await?.to_bytes();
            Ok::<_, HttpError>(Response::from_parts(head, body))
        };
        // The exporter's thread has no timers, so they begin in the runtime.
        let sent = self.runtime.spawn(async move { tokio::time::timeout(TIMEOUT, sending).await });
        match sent.await? {
            Ok(Ok(response)) => {
                if !response.status().is_success() {
                    self.log(response.status().as_str());
                }
                Ok(response)
            }
            Ok(Err(error)) => {
                self.log("it cannot be reached");
                Err(error)
            }
            Err(late) => {
                self.log("it does not respond in time");
                Err(late.into())
            }
        }
    }
}
