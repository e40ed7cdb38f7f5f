//! `/tasks`: the runs that read data from an account or an archive.

mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of tasks.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
