//! The protocol's endpoints.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

use super::portal::Portal;
use super::signing::Signing;
use super::{document, login, offer, query, reading};

/// The state that all requests share.
pub struct Connector {
    signing: Signing,
    portal: Portal,
}

/// An operation on a message, or on the name of a task. Returns `None` if the message does not follow the protocol.
type Work = fn(&Portal, &Value) -> Option<Value>;

/// Builds a connector for the portal at this URL.
pub fn router(secrets: Vec<String>, portal: String) -> Router {
    let connector = Connector { signing: Signing::new(secrets), portal: Portal::new(portal) };
    Router::new().fallback(respond).with_state(Arc::new(connector))
}

/// Returns the operation of a path, and the task in it.
fn work(method: &Method, path: &str) -> Option<(Work, Option<String>)> {
    let path = path.strip_prefix("/linchpin/v1/")?;
    let (operation, task) =
        path.split_once('/').map_or((path, None), |(operation, it)| (operation, Some(it)));
    let work: Work = match (method.as_str(), operation, task) {
        ("GET", "providers", None) => |_, _| Some(offer::providers()),
        ("POST", "start", None) => login::start,
        ("POST", "step", None) => login::step,
        ("POST", "fetch" | "refresh", None) => reading::read,
        ("POST", "document", None) => document::file,
        ("POST", "record", None) => query::record,
        ("GET", "record", Some(_)) => query::record_task,
        ("POST", "signal", None) => query::signal,
        ("GET", "signal", Some(_)) => query::signal_task,
        _ => return None,
    };
    Some((work, task.map(str::to_owned)))
}

/// Checks the signature, runs the operation, and signs the response.
async fn respond(
    State(connector): State<Arc<Connector>>,
    (method, uri, headers): (Method, Uri, HeaderMap),
    body: Bytes,
) -> Response {
    let Some((work, task)) = work(&method, uri.path()) else { return StatusCode::NOT_FOUND.into_response() };
    let taken = match connector.signing.take(now(), (&method, uri.path()), &headers, &body) {
        Ok(taken) => taken,
        // Only the operator's log shows the reason: a caller without the secret must not learn it.
        Err(refused) => {
            eprintln!("refused: {refused:?}");
            return StatusCode::UNAUTHORIZED.into_response();
        }
    };
    let worker = Arc::clone(&connector);
    let worked = tokio::task::spawn_blocking(move || {
        let message = match task {
            Some(task) => Value::String(task),
            None if body.is_empty() => Value::Null,
            None => serde_json::from_slice(&body).ok()?,
        };
        work(&worker.portal, &message)
    });
    match worked.await {
        Ok(Some(response)) => {
            let body = response.to_string();
            let signature = taken.sign(body.as_bytes());
            ([("linchpin-signature", signature), ("content-type", "application/json".to_owned())], body)
                .into_response()
        }
        Ok(None) => StatusCode::UNPROCESSABLE_ENTITY.into_response(),
        Err(_panicked) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Returns the number of seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the only place where this program reads the clock")]
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
