//! A JSON body, checked against its published schema before it becomes a type.

use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use futures_util::StreamExt as _;
use link_types::problem::{FaultCode, FieldFault, ProblemCode};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;

use super::idempotency::BodyDigest;
use super::json::{self, Unreadable};
use super::pace::Pace;
use super::problem::{Problem, fault};
use super::query::unknown_parameters;
use crate::app::App;

/// The largest JSON body of an address that sets no limit of its own.
pub const BODY_LIMIT: usize = 256 * 1024;

/// Bodies above this many bytes are parsed on a thread of the blocking pool: 32 MB keep a worker from other requests for
/// longer than these should wait.
const LONG: usize = 1024 * 1024;

/// How long a body may take: a sender that goes slower keeps a connection, and a turn where there are few, from others.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Between two pieces of it.
    pub silence: Duration,
    /// From the first byte to the last.
    pub whole: Duration,
    /// How slowly it may come.
    pub pace: Pace,
}

impl Patience {
    /// For a small body from a caller that is not known yet.
    pub const SHORT: Self =
        Self { silence: Duration::from_secs(5), whole: Duration::from_secs(5), pace: Pace::SLOWEST };
}

impl Default for Patience {
    fn default() -> Self {
        let pace = Pace { bytes: 15 * 1024, within: Duration::from_secs(15) };
        Self { silence: pace.within, whole: Duration::from_secs(60), pace }
    }
}

/// The request's body as a `T`, of at most `LIMIT` bytes. Every fault is answered at once and by name; so is every query
/// parameter, because no operation with a body takes one.
pub struct Body<T, const LIMIT: usize = BODY_LIMIT>(pub T);

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> FromRequest<App> for Body<T, LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        Self::within(request, app, Patience::default()).await
    }
}

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> Body<T, LIMIT> {
    /// The body, if it comes in time.
    ///
    /// # Errors
    /// 408 when it does not; else what is wrong with it.
    pub async fn within(request: Request, app: &App, patience: Patience) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::new(ProblemCode::UnsupportedType, "Send `Content-Type: application/json`."));
        }
        if is_encoded(request.headers()) {
            let words = "Send the body as it is: no `Content-Encoding` is read here.";
            return Err(Problem::new(ProblemCode::UnsupportedType, words)
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
        // What a schema cannot say is left to the type itself.
        serde_path_to_error::deserialize(value).map(Self).map_err(|error| {
            let path = error.path().to_string();
            Problem::invalid(vec![misfit(if path == "." { "" } else { &path }, error.inner())])
        })
    }
}

/// The fault of a field that its type does not take.
pub fn misfit(field: &str, error: &serde_json::Error) -> FieldFault {
    // The types of this interface say what they expect; serde's own words may repeat the value.
    let words = error.to_string();
    fault(field, FaultCode::Invalid, words.strip_prefix("expected ").unwrap_or("not of the required form"))
}

/// Parses a body and releases its bytes: an upload's texts are as long, and both would stay in memory.
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

/// The bytes of a body, of at most `limit`.
///
/// # Errors
/// 413 for a longer one, 408 if it does not come in time, 400 if it breaks off.
pub async fn read(body: axum::body::Body, limit: usize, patience: Patience) -> Result<Vec<u8>, Problem> {
    let mut pieces = body.into_data_stream();
    let whole = async move {
        let mut bytes = Vec::new();
        let mut paced = patience.pace.begins(Instant::now());
        loop {
            let deadline = paced.deadline().min(Instant::now() + patience.silence);
            let Some(piece) = timeout_at(deadline, pieces.next()).await.map_err(|_| late())? else { break };
            let piece = piece.map_err(|_| Problem::unparseable("The body broke off."))?;
            paced.received(piece.len(), Instant::now());
            if bytes.len().saturating_add(piece.len()) > limit {
                return Err(Problem::new(ProblemCode::PayloadTooLarge, "Send a smaller body."));
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    };
    tokio::time::timeout(patience.whole, whole).await.unwrap_or_else(|_| Err(late()))
}

fn late() -> Problem {
    Problem::new(
        ProblemCode::InvalidParameters,
        "The body did not come in time: send it without a pause, and fast enough.",
    )
    .with_status(StatusCode::REQUEST_TIMEOUT)
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
        pace: Pace { bytes: 1, within: Duration::from_secs(10) },
    };

    /// A body of which a byte comes each so many seconds.
    async fn trickled(every: u64, count: usize) -> Result<Vec<u8>, u16> {
        trickled_to(PATIENCE, every, count).await
    }

    async fn trickled_to(patience: Patience, every: u64, count: usize) -> Result<Vec<u8>, u16> {
        let pieces = stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(every)).await;
            Ok::<_, std::io::Error>("x")
        });
        let read = read(axum::body::Body::from_stream(pieces), 100, patience).await;
        read.map_err(|refused| refused.into_response().status().as_u16())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_comes_in_time_or_is_refused() {
        assert_eq!(trickled(5, 3).await.unwrap(), b"xxx");
        assert_eq!(trickled(11, 1).await, Err(408), "silence");
        assert_eq!(trickled(5, 13).await, Err(408), "a byte now and then");
        assert_eq!(trickled(0, 101).await, Err(413));
    }

    #[tokio::test(start_paused = true)]
    async fn body_slower_than_its_pace_is_408() {
        let pace = Pace { bytes: 3, within: Duration::from_secs(20) };
        let patience = Patience { pace, ..PATIENCE };
        assert_eq!(trickled_to(patience, 6, 9).await.unwrap().len(), 9, "three bytes in 18 seconds");
        let begun = Instant::now();
        assert_eq!(trickled_to(patience, 8, 7).await, Err(408), "two bytes in 20 seconds");
        assert_eq!(begun.elapsed(), Duration::from_secs(20));
        let begun = Instant::now();
        assert_eq!(trickled_to(Patience::default(), 5, 7).await, Err(408), "JSON at a byte now and then");
        assert_eq!(begun.elapsed(), Duration::from_secs(15));
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_not_too_large() {
        let broken = stream::iter([Ok("{"), Err(std::io::Error::other("reset"))]);
        let refused = read(axum::body::Body::from_stream(broken), 100, PATIENCE).await.unwrap_err();
        assert_eq!(refused.into_response().status(), 400);
    }
}
