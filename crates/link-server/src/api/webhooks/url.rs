//! The URL of a webhook.

use link_types::Mode;
use link_types::problem::FaultCode;

use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Checks that deliveries may be sent to a URL.
///
/// # Errors
/// 422 if they may not.
pub(super) fn vet(app: &App, mode: Mode, url: &str) -> ApiResult<()> {
    let vetted = app.sender().vet(url, mode == Mode::Production);
    vetted.map_err(|error| Problem::invalid_field("url", FaultCode::Invalid, error.to_string()))
}
