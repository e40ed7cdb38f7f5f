//! `/scenarios`: the published test inputs of the sandbox, and a tenant's own logins. Production returns 404.

mod create;
mod delete;
mod list;
mod own;
mod own_data;
mod published;

use crate::http::endpoints::{Endpoints, routes};

pub use list::show_example;
pub use own_data::SCHEMAS as DATA_SCHEMAS;

/// Returns the routes of scenarios.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(delete::handler))
}
