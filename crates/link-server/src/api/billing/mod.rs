//! `/billing`: the tenant's charges. Only production is charged; the sandbox counts in the same way.

mod events;
mod summary;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of billing.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(events::handler)).routes(routes!(summary::handler))
}
