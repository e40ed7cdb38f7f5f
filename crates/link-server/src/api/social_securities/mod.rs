//! `/alpha/socialSecurities` and `/socialSecurities`, which are the same: social security records of people.

mod create;
mod erase;
mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of social security records.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::alpha, list::alpha))
        .routes(routes!(get::alpha, erase::alpha))
        .routes(routes!(create::plain, list::plain))
        .routes(routes!(get::plain, erase::plain))
}
