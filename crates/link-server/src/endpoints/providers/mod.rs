//! `/providers`: where accounts can be linked in the caller's environment.

mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// The routes of providers.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
