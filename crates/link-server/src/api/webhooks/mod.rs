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
mod url;

use link_domain::notifications::delivery::SwitchedOffError;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::Problem;

/// Returns the routes of webhooks.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(ping::handler))
        .routes(routes!(rotate_secret::handler))
        .routes(routes!(confirm_secret::handler))
        .routes(routes!(recover::handler))
        .merge(deliveries::routes())
}

impl From<SwitchedOffError> for Problem {
    fn from(_: SwitchedOffError) -> Self {
        Self::conflict("The webhook is switched off. Set `active` to true first.")
    }
}
