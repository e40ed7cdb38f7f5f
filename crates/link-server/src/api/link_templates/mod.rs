//! `/linkTemplates`: the configurations of the widget.

mod create;
mod delete;
mod get;
mod list;
mod theme;
mod update;

pub(crate) use theme::with_urls;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of link templates.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}
