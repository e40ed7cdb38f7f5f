//! JSON request bodies, checked against their published schema before they are deserialized.

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, OptionalFromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use link_types::problem::{FaultCode, FieldFault, ProblemCode};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::query::find_unknown_parameters;
use crate::app::App;
use crate::http::idempotency::BodyDigest;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::{Problem, fault};
use crate::http::validation::json::{self, ReadBodyError};
use crate::http::validation::schema::add_hints;

/// The default size limit of a JSON body, in bytes. An endpoint can set another.
pub const BODY_LIMIT: usize = 256 * 1024;

/// Bodies above this size, in bytes, are parsed on the blocking pool: parsing 32 MB would delay the other requests of
/// an async worker for too long.
const LONG: usize = 1024 * 1024;

/// Extracts the request's body as a `T`, of at most `LIMIT` bytes.
///
/// Reports all invalid fields in one problem document. Query parameters count as invalid too, because no operation with
/// a body takes any. POST without a body is an empty object if all fields of `T` are optional.
pub struct Body<T, const LIMIT: usize = BODY_LIMIT>(pub T);

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> FromRequest<App> for Body<T, LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        Self::within(request, app, BodyTimeouts::default()).await
    }
}

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> OptionalFromRequest<App> for Body<T, LIMIT> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Option<Self>, Problem> {
        if !request.headers().contains_key(header::CONTENT_TYPE) {
            return Ok(None);
        }
        Self::within(request, app, BodyTimeouts::default()).await.map(Some)
    }
}

impl<T: DeserializeOwned + ToSchema, const LIMIT: usize> Body<T, LIMIT> {
    /// Reads and checks the body within the given time limits.
    ///
    /// # Errors
    /// 408 if the body does not arrive in time, 415 for another type or encoding, 413 if it is too large, 400 if it is
    /// not JSON, and 422 with every invalid field.
    pub async fn within(request: Request, app: &App, timeout: BodyTimeouts) -> Result<Self, Problem> {
        // POST without a body is POST of an empty object, so that the response names the missing fields. It needs no type.
        let is_post = request.method() == Method::POST;
        let is_absent = is_post && request.body().is_end_stream();
        if !is_absent && !is_json(request.headers()) {
            return Err(Problem::new(ProblemCode::UnsupportedType, "Send `Content-Type: application/json`."));
        }
        if is_encoded(request.headers()) {
            let detail = "Send the body without `Content-Encoding`: encoded bodies are not supported.";
            return Err(Problem::new(ProblemCode::UnsupportedType, detail)
                .with_header(header::ACCEPT_ENCODING, HeaderValue::from_static("identity")));
        }
        let mut faults = find_unknown_parameters(request.uri());
        let digest = request.extensions().get::<BodyDigest>().cloned();
        let bytes = read(request.into_body(), LIMIT, timeout).await?;
        let json::ParsedBody { value, repeated } = match bytes.is_empty() {
            true if is_post => {
                if let Some(digest) = digest {
                    digest.set(&bytes);
                }
                json::ParsedBody { value: empty(), repeated: Vec::new() }
            }
            true | false => parse_body(bytes, digest).await?,
        };
        faults.extend(repeated);
        faults.extend(add_hints(&T::name(), app.caches.schemas.get()?.check(&T::name(), &value)));
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

fn empty() -> Value {
    Value::Object(Map::new())
}

/// Returns the fault for a field that failed to deserialize.
pub fn misfit(field: &str, error: &serde_json::Error) -> FieldFault {
    // Our own types report what they expect. Messages from serde itself are dropped: they may quote the value.
    let message = error.to_string();
    fault(field, FaultCode::Invalid, message.strip_prefix("expected ").unwrap_or("not of the required form"))
}

/// Parses a body and frees its bytes. The strings of an upload are about as large as its body, so keeping both would
/// double the memory.
async fn parse_body(bytes: Vec<u8>, digest: Option<BodyDigest>) -> Result<json::ParsedBody, Problem> {
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

fn unreadable(why: ReadBodyError) -> Problem {
    match why {
        ReadBodyError::NotUtf8 { byte } => Problem::unparseable(format!(
            "The body is not in UTF-8: byte {byte} does not fit. Send JSON in UTF-8."
        )),
        ReadBodyError::NotJson { byte, cause } => {
            Problem::unparseable(format!("The body is not valid JSON at byte {byte}: {cause}."))
        }
        ReadBodyError::TooDeep => Problem::unparseable("The body is nested deeper than 64 levels."),
        ReadBodyError::TooManyValues => Problem::new(
            ProblemCode::PayloadTooLarge,
            "The body has too many values. Send at most 5,000 objects with 40,000 fields in one request.",
        ),
    }
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
