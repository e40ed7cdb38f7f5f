//! Converts the store's pages into response pages. Items that are stored as JSON are copied unchanged.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_types::list::Page;

use super::problem::{ApiResult, Problem};

/// Converts every item of a page with `view`.
pub fn page<T, U>(page: link_store::Page<T>, view: impl FnMut(T) -> U) -> Page<U> {
    Page { items: page.items.into_iter().map(view).collect(), next_cursor: page.next_cursor }
}

/// Builds the response for a page of items that are already JSON.
///
/// # Errors
/// Never in practice: a cursor is plain text.
pub fn raw_page(items: &[Vec<u8>], next_cursor: Option<&str>) -> ApiResult<Response> {
    let mut body = b"{\"items\":".to_vec();
    body.extend(array(items));
    body.extend(b",\"nextCursor\":");
    body.extend(serde_json::to_vec(&next_cursor).map_err(Problem::system)?);
    body.push(b'}');
    Ok(json_bytes(body))
}

/// Builds a JSON array of items that are already JSON.
pub fn array(items: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![b'['];
    body.extend(items.join(&b','));
    body.push(b']');
    body
}

/// Builds a response from a body that is already JSON.
pub fn json_bytes(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
