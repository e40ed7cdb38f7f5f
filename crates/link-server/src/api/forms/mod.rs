//! `/alpha/forms`: the forms that people submitted on hosted link sites (interface: Form).

mod delete;
mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of forms.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler, delete::handler))
}
