//! `/billing`: what the tenant is charged for. Production is what is charged; the sandbox counts the same way.

mod events;
mod summary;

use crate::http::endpoints::{Endpoints, routes};

/// The routes of billing.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(events::handler)).routes(routes!(summary::handler))
}
