//! `/webhooks`: the registered URLs that receive events.

mod confirm_secret;
mod create;
mod delete;
mod deliveries;
mod get;
mod list;
mod ping;
mod recover;
mod rotate_secret;
mod update;

pub(crate) use recover::recovery;

use link_domain::webhook::SwitchedOff;
use link_types::Mode;
use link_types::problem::FaultCode;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{ApiResult, Problem};

/// Returns the routes of webhooks.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(ping::handler))
        .routes(routes!(rotate_secret::handler))
        .routes(routes!(confirm_secret::handler))
        .routes(routes!(recover::handler))
        .routes(routes!(deliveries::list::handler))
        .routes(routes!(deliveries::get::handler))
        .routes(routes!(deliveries::resend::handler))
}

impl From<SwitchedOff> for Problem {
    fn from(_: SwitchedOff) -> Self {
        Self::conflict("The webhook is switched off. Set `active` to true first.")
    }
}

/// Checks that deliveries may be sent to a URL.
///
/// # Errors
/// 422 if they may not.
pub(crate) fn vet(app: &App, mode: Mode, url: &str) -> ApiResult<()> {
    let vetted = app.sender().vet(url, mode == Mode::Production);
    vetted.map_err(|error| Problem::invalid_field("url", FaultCode::Invalid, error.to_string()))
}
