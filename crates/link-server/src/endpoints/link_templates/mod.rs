//! `/linkTemplates`: how the widget behaves for each use of a tenant.

mod create;
mod delete;
mod get;
mod list;
mod update;

pub use update::ORIGIN_PATTERN;

use crate::http::endpoints::{Endpoints, routes};

/// The routes of link templates.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}
