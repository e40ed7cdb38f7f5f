//! `/tasks`: every run of reading data from an account or an archive.

mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// The routes of tasks.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
