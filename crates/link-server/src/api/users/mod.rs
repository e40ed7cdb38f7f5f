//! `/users`: a tenant's end users.

mod create;
mod delete;
mod get;
mod list;
mod payload;
mod update;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of users.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, update::handler, delete::handler))
        .routes(routes!(payload::handler))
}
