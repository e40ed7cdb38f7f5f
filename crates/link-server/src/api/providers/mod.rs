//! `/providers`: the providers at which people can link accounts in the caller's environment.

mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of providers.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
