//! JSON request bodies, checked against their published schema before they are deserialized.

use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use futures_util::StreamExt as _;
use link_types::problem::{FaultCode, FieldFault, ProblemCode};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;

use super::query::unknown_parameters;
use crate::app::App;
use crate::http::idempotency::key::BodyDigest;
use crate::http::limits::minimum_rate::MinimumRate;
use crate::http::problem::{Problem, fault};
use crate::http::validation::json::{self, Unreadable};

/// The default size limit of a JSON body, in bytes. An endpoint can set another.
pub const BODY_LIMIT: usize = 256 * 1024;

/// Bodies above this size, in bytes, are parsed on the blocking pool: parsing 32 MB would delay the other requests of
/// an async worker for too long.
const LONG: usize = 1024 * 1024;

/// How long a body may take to arrive. A slower sender would occupy a connection and, on some endpoints, a scarce
/// permit.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The longest pause between two chunks.
    pub silence: Duration,
    /// The longest time from the first byte to the last.
    pub whole: Duration,
    /// The minimum rate at which the body must arrive.
    pub minimum_rate: MinimumRate,
}

impl Patience {
    /// For a small body from an unauthenticated caller.
    pub const SHORT: Self = Self {
        silence: Duration::from_secs(5),
        whole: Duration::from_secs(5),
        minimum_rate: MinimumRate::SLOWEST,
    };
}

impl Default for Patience {
    fn default() -> Self {
        let minimum_rate = MinimumRate { bytes: 15 * 1024, within: Duration::from_secs(15) };
        Self { silence: minimum_rate.within, whole: Duration::from_secs(60), minimum_rate }
    }
}

/// Extracts the request's body as a `T`, of at most `LIMIT` bytes.
///
/// Reports all invalid fields in one problem document. Query parameters count as invalid too, because no operation with
/// a body takes any.
pub struct Body<T, const LIMIT: usize = BODY_LIMIT>(pub T);

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> FromRequest<App> for Body<T, LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        Self::within(request, app, Patience::default()).await
    }
}

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> Body<T, LIMIT> {
    /// Reads and checks the body within the given time limits.
    ///
    /// # Errors
    /// 408 if the body does not arrive in time, 415 for another type or encoding, 413 if it is too large, 400 if it is
    /// not JSON, and 422 with every invalid field.
    pub async fn within(request: Request, app: &App, patience: Patience) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(ProblemCode::UnsupportedType, "Send `Content-Type: application/json`."));
        }
        if is_encoded(request.headers()) {
            let detail = "Send the body without `Content-Encoding`: encoded bodies are not supported.";
            return Err(Problem::new(ProblemCode::UnsupportedType, detail)
                .with_header(header::ACCEPT_ENCODING, HeaderValue::from_static("identity")));
        }
        let mut faults = unknown_parameters(request.uri());
        let digest = request.extensions().get::<BodyDigest>().cloned();
        let bytes = read(request.into_body(), LIMIT, patience).await?;
        let json::Body { value, repeated } = parsed(bytes, digest).await?;
        faults.extend(repeated);
        faults.extend(app.schemas()?.check(&T::name(), &value));
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        // Deserializing checks the rules that a schema cannot express.
        serde_path_to_error::deserialize(value).map(Self).map_err(|error| {
            let path = error.path().to_string();
            Problem::invalid(vec![misfit(if path == "." { "" } else { &path }, error.inner())])
        })
    }
}

/// Returns the fault for a field that failed to deserialize.
pub fn misfit(field: &str, error: &serde_json::Error) -> FieldFault {
    // Our own types report what they expect. Messages from serde itself are dropped: they may quote the value.
    let message = error.to_string();
    fault(field, FaultCode::Invalid, message.strip_prefix("expected ").unwrap_or("not of the required form"))
}

/// Parses a body and frees its bytes. The strings of an upload are about as large as its body, so keeping both would
/// double the memory.
async fn parsed(bytes: Vec<u8>, digest: Option<BodyDigest>) -> Result<json::Body, Problem> {
    let length = bytes.len();
    let parse = move || {
        if let Some(digest) = digest {
            digest.set(&bytes);
        }
        json::read(&bytes)
    };
    let read = if length > LONG {
        tokio::task::spawn_blocking(parse).await.map_err(Problem::system)?
    } else {
        parse()
    };
    read.map_err(unreadable)
}

fn unreadable(why: Unreadable) -> Problem {
    match why {
        Unreadable::NotJson => Problem::unparseable("The body is not valid JSON."),
        Unreadable::TooDeep => Problem::unparseable("The body is nested deeper than 64 levels."),
        Unreadable::TooManyValues => Problem::new(
            ProblemCode::PayloadTooLarge,
            "The body has too many values. Send at most 5,000 objects with 40,000 fields in one request.",
        ),
    }
}

/// Reads the bytes of a body, up to `limit`.
///
/// # Errors
/// 413 if the body is longer, 408 if it does not arrive in time, 400 if it ends early.
pub async fn read(body: axum::body::Body, limit: usize, patience: Patience) -> Result<Vec<u8>, Problem> {
    let mut chunks = body.into_data_stream();
    let whole = async move {
        let mut bytes = Vec::new();
        let mut rate = patience.minimum_rate.begins(Instant::now());
        loop {
            let deadline = rate.deadline().min(Instant::now() + patience.silence);
            let Some(chunk) = timeout_at(deadline, chunks.next()).await.map_err(|_| late())? else { break };
            let chunk = chunk.map_err(|_| Problem::unparseable("The body ended early."))?;
            rate.received(chunk.len(), Instant::now());
            if bytes.len().saturating_add(chunk.len()) > limit {
                return Err(Problem::new(ProblemCode::PayloadTooLarge, "Send a smaller body."));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    tokio::time::timeout(patience.whole, whole).await.unwrap_or_else(|_| Err(late()))
}

fn late() -> Problem {
    let detail = "The body did not arrive in time. Send it without pauses and fast enough.";
    Problem::new(ProblemCode::InvalidParameters, detail).with_status(StatusCode::REQUEST_TIMEOUT)
}

fn is_json(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    media.split(';').next().is_some_and(|it| it.trim().eq_ignore_ascii_case("application/json"))
}

fn is_encoded(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::CONTENT_ENCODING)
        .iter()
        .any(|it| !it.as_bytes().eq_ignore_ascii_case(b"identity"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse as _;
    use futures_util::stream;

    const PATIENCE: Patience = Patience {
        silence: Duration::from_secs(10),
        whole: Duration::from_secs(60),
        minimum_rate: MinimumRate { bytes: 1, within: Duration::from_secs(10) },
    };

    /// Reads a body that sends `count` bytes, one every `seconds`.
    async fn trickled(seconds: u64, count: usize) -> Result<Vec<u8>, u16> {
        trickled_to(PATIENCE, seconds, count).await
    }

    async fn trickled_to(patience: Patience, seconds: u64, count: usize) -> Result<Vec<u8>, u16> {
        let chunks = stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok::<_, std::io::Error>("x")
        });
        let read = read(axum::body::Body::from_stream(chunks), 100, patience).await;
        read.map_err(|refused| refused.into_response().status().as_u16())
    }

    #[tokio::test(start_paused = true)]
    async fn slow_or_oversized_body_is_rejected() {
        assert_eq!(trickled(5, 3).await.unwrap(), b"xxx");
        assert_eq!(trickled(11, 1).await, Err(408), "a long pause");
        assert_eq!(trickled(5, 13).await, Err(408), "too slow overall");
        assert_eq!(trickled(0, 101).await, Err(413));
    }

    #[tokio::test(start_paused = true)]
    async fn body_below_minimum_rate_is_408() {
        let minimum_rate = MinimumRate { bytes: 3, within: Duration::from_secs(20) };
        let patience = Patience { minimum_rate, ..PATIENCE };
        assert_eq!(trickled_to(patience, 6, 9).await.unwrap().len(), 9, "3 bytes in 18 seconds");
        let begun = Instant::now();
        assert_eq!(trickled_to(patience, 8, 7).await, Err(408), "2 bytes in 20 seconds");
        assert_eq!(begun.elapsed(), Duration::from_secs(20));
        let begun = Instant::now();
        assert_eq!(trickled_to(Patience::default(), 5, 7).await, Err(408), "1 byte every 5 seconds");
        assert_eq!(begun.elapsed(), Duration::from_secs(15));
    }

    #[tokio::test]
    async fn truncated_body_is_rejected_with_400() {
        let broken = stream::iter([Ok("{"), Err(std::io::Error::other("reset"))]);
        let refused = read(axum::body::Body::from_stream(broken), 100, PATIENCE).await.unwrap_err();
        assert_eq!(refused.into_response().status(), 400);
    }
}
