//! JSON bodies of the portal's requests. Unlike those of the REST interface, they have no published schema.

use axum::extract::{FromRequest, Request};
use axum::http::header;
use link_types::problem::ProblemCode;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::http::extract::body::misfit;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::Problem;

/// The maximum size of a body in bytes.
const LIMIT: usize = 16 * 1024;

/// Bodies above this size, in bytes, are parsed on the blocking pool.
const LONG: usize = 128 * 1024;

/// Extracts the request's JSON body as a `T`. The bodies are small, so they must arrive within seconds.
pub(super) struct ConsoleBody<T>(pub(super) T);

/// Extracts a larger JSON body, which has a file.
pub(super) struct LargeBody<T, const MAX: usize>(pub(super) T);

impl<T: DeserializeOwned, const MAX: usize> FromRequest<App> for LargeBody<T, MAX> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &App) -> Result<Self, Problem> {
        read_json(request, MAX, BodyTimeouts::default()).await.map(Self)
    }
}

impl<T: DeserializeOwned> FromRequest<App> for ConsoleBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &App) -> Result<Self, Problem> {
        read_json(request, LIMIT, BodyTimeouts::SHORT).await.map(Self)
    }
}

async fn read_json<T: DeserializeOwned>(
    request: Request,
    limit: usize,
    timeouts: BodyTimeouts,
) -> Result<T, Problem> {
    let media = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    // Forms of other sites cannot send this type.
    if !media.is_some_and(|it| it.eq_ignore_ascii_case("application/json")) {
        return Err(Problem::new(ProblemCode::UnsupportedType, "Send `Content-Type: application/json`."));
    }
    let bytes = read(request.into_body(), limit, timeouts).await?;
    let is_long = bytes.len() > LONG;
    let parse = move || serde_json::from_slice::<serde_json::Value>(&bytes);
    let parsed =
        if is_long { tokio::task::spawn_blocking(parse).await.map_err(Problem::system)? } else { parse() };
    let value = parsed.map_err(|_| Problem::unparseable("The body is not valid JSON."))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        Problem::invalid(vec![misfit(if path == "." { "" } else { &path }, error.inner())])
    })
}
