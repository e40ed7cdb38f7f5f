//! One request to a connector and its answer: signed, within limits, tried again where that is safe.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, Response, body::Incoming};
use link_domain::ports::{Clock, Entropy};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep, timeout_at};

use super::BASE_PATH;
use super::client::HttpClient;
use super::fault::Fault;
use super::signature::{NONCE, SIGNATURE, SignedAnswer, SignedRequest, SigningKey, TIMESTAMP};

/// What may be asked of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Which providers it serves.
    Providers,
    /// The first step of a login.
    Start,
    /// A further step.
    Step,
    /// The first reading.
    Fetch,
    /// A later reading.
    Refresh,
}

impl Operation {
    /// The last part of its path.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Providers => "providers",
            Self::Start => "start",
            Self::Step => "step",
            Self::Fetch => "fetch",
            Self::Refresh => "refresh",
        }
    }

    /// All tries together.
    const fn time(self) -> Duration {
        Duration::from_secs(match self {
            Self::Providers => 10,
            Self::Start | Self::Step => 60,
            Self::Fetch | Self::Refresh => 300,
        })
    }

    /// Bytes its answer may have.
    const fn limit(self) -> usize {
        match self {
            Self::Providers => 1024 * 1024,
            Self::Start | Self::Step => 512 * 1024,
            Self::Fetch | Self::Refresh => 16 * 1024 * 1024,
        }
    }

    /// Whether it may be asked again although it may have been taken up: a step may have used up a person's code.
    const fn is_repeatable(self) -> bool {
        matches!(self, Self::Providers | Self::Fetch | Self::Refresh)
    }

    fn method(self) -> Method {
        if self == Self::Providers { Method::GET } else { Method::POST }
    }
}

/// The way to one connector.
pub(super) struct Exchange {
    pub(super) name: String,
    pub(super) origin: String,
    pub(super) key: SigningKey,
    pub(super) client: HttpClient,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
}

impl Exchange {
    /// Asks, and makes of the answer what `take` does.
    pub(super) async fn ask<T: DeserializeOwned, U>(
        &self,
        operation: Operation,
        body: Vec<u8>,
        take: impl Fn(T) -> Result<U, Fault>,
    ) -> Result<U, Fault> {
        let (body, deadline) = (Bytes::from(body), Instant::now() + operation.time());
        let mut tries = 0;
        loop {
            tries += 1;
            let nonce = self.nonce();
            let answer = timeout_at(deadline, self.attempt(operation, &body, &nonce)).await;
            let result = answer.unwrap_or(Err(Fault::Late)).and_then(|it| read(&it)).and_then(&take);
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

    async fn attempt(&self, operation: Operation, body: &Bytes, nonce: &str) -> Result<Bytes, Fault> {
        let request = self.request(operation, body, nonce)?;
        let answer = self.client.request(request).await.map_err(|error| Fault::of(&error))?;
        let status = answer.status().as_u16();
        // Only what is signed is read at all: a proxy's page is none of the protocol's.
        match status {
            200 => self.signed(operation, answer, nonce).await,
            401 => Err(Fault::SignatureRefused),
            429 | 503 => Err(Fault::Busy { status, retry_after: retry_after(answer.headers()) }),
            502 | 504 => Err(Fault::Gateway { status }),
            _ => Err(Fault::Status { status }),
        }
    }

    fn request(
        &self,
        operation: Operation,
        body: &Bytes,
        nonce: &str,
    ) -> Result<Request<Full<Bytes>>, Fault> {
        let (method, path) = (operation.method(), format!("{BASE_PATH}/{}", operation.as_str()));
        let timestamp = self.clock.now().micros().div_euclid(1_000_000);
        let signed = SignedRequest { method: method.as_str(), path: &path, timestamp, nonce, body };
        Request::builder()
            .uri(format!("{}{path}", self.origin))
            .header(USER_AGENT, concat!("Linchpin/", env!("CARGO_PKG_VERSION"), " (connectors)"))
            .header(CONTENT_TYPE, "application/json")
            .header(TIMESTAMP, timestamp)
            .header(NONCE, nonce)
            .header(SIGNATURE, self.key.sign_request(signed))
            .method(method)
            .body(Full::new(body.clone()))
            .map_err(|_| Fault::Unreachable)
    }

    async fn signed(
        &self,
        operation: Operation,
        answer: Response<Incoming>,
        nonce: &str,
    ) -> Result<Bytes, Fault> {
        let (parts, body) = answer.into_parts();
        let limit = operation.limit();
        let body = Limited::new(body, limit).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() { Fault::TooLarge { limit } } else { Fault::Broken }
        })?;
        let body = body.to_bytes();
        let signature = parts.headers.get(SIGNATURE).and_then(|it| it.to_str().ok()).unwrap_or_default();
        let answer = SignedAnswer { nonce, status: parts.status.as_u16(), body: &body };
        if self.key.is_answer_signed(answer, signature) { Ok(body) } else { Err(Fault::Unsigned) }
    }

    fn nonce(&self) -> String {
        let mut bytes = [0; 16];
        self.entropy.fill(&mut bytes);
        base16ct::lower::encode_string(&bytes)
    }

    /// The nonce names the exchange: a connector that logs it too can be read beside the service.
    fn log(&self, operation: Operation, nonce: &str, tries: u32, fault: &Fault) {
        let (connector, operation) = (self.name.as_str(), operation.as_str());
        if fault.is_operators() {
            tracing::error!(connector, operation, nonce, tries, %fault, "a connector breaks the protocol");
        } else {
            tracing::warn!(connector, operation, nonce, tries, %fault, "a connector cannot be used");
        }
    }
}

/// Reads an answer; a fault tells where it is, and not what stands there.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Where the text itself is broken, the way there may lead through keys that are no field's name.
        if error.inner().is_data() {
            Fault::at(error.path().to_string())
        } else {
            Fault::at("the JSON itself")
        }
    })?;
    json.end().map_err(|_| Fault::at("the JSON itself"))?;
    Ok(value)
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}
