//! `/consentTemplates`: the texts that people accept.

mod create;
mod delete;
mod get;
mod list;
mod update;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of consent templates.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}
