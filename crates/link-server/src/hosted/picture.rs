//! `GET /invite/opened/{picture}`: returns the mail's tracking pixel.
//!
//! The response to an unknown name is the same, until the caller's network has requested too many unknown names.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_domain::invitations::invite::InviteInput;
use link_domain::kernel::digest::Digest32;

use super::opened::seen;
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

/// A transparent pixel.
const GIF: &[u8] =
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\
                     \x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

pub(super) async fn handler(
    State(app): State<App>,
    Path(picture): Path<String>,
    network: Network,
) -> ApiResult<Response> {
    let hash = Digest32::of(&picture);
    let found = app.store().read(move |reader| reader.invites().by_pixel(&hash)).await?;
    let is_known = found.is_some();
    match seen(&app, found, InviteInput::MailOpened, network).await {
        // A known pixel is always returned, so that the mail displays correctly.
        Err(problem) if is_known && problem.status() == StatusCode::TOO_MANY_REQUESTS => {}
        seen => seen?,
    }
    let mut response = GIF.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}
