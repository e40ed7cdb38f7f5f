//! `/users`: the people of a tenant.

mod create;
mod delete;
mod get;
mod list;
mod payload;

use crate::http::endpoints::{Endpoints, routes};

/// The routes of users.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, delete::handler))
        .routes(routes!(payload::handler))
}
