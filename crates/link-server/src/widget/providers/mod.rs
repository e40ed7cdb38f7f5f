//! The providers that a session's link template offers.

mod get;
mod list;
mod search_key;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of providers.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
