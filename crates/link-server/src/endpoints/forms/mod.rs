//! `/alpha/forms`: what people answered on hosted link sites (interface: Form).

mod delete;
mod get;
mod list;

use crate::http::endpoints::{Endpoints, routes};

/// The routes of forms.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list::handler)).routes(routes!(get::handler, delete::handler))
}
