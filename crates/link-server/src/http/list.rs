//! Pages of the store as pages of the wire; bodies that are stored as JSON are passed on as they are.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_types::list::Page;

use super::problem::{Answer, Problem};

/// The page with every item as REST shows it.
pub fn page<T, U>(page: link_store::Page<T>, view: impl FnMut(T) -> U) -> Page<U> {
    Page { items: page.items.into_iter().map(view).collect(), next_cursor: page.next_cursor }
}

/// A page of items that are JSON already.
///
/// # Errors
/// Never in practice: a cursor is plain text.
pub fn raw_page(items: &[Vec<u8>], next_cursor: Option<&str>) -> Answer<Response> {
    let mut body = b"{\"items\":".to_vec();
    body.extend(array(items));
    body.extend(b",\"nextCursor\":");
    body.extend(serde_json::to_vec(&next_cursor).map_err(Problem::system)?);
    body.push(b'}');
    Ok(json_bytes(body))
}

/// A JSON array of items that are JSON already.
pub fn array(items: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![b'['];
    body.extend(items.join(&b','));
    body.push(b']');
    body
}

/// An answer whose body is JSON already.
pub fn json_bytes(body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
