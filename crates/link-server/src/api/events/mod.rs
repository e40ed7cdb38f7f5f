//! `/events`: the events that the service emitted.

mod fire;
mod get;
mod list;

pub(crate) use fire::fired;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of events.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler))
        .routes(routes!(fire::handler))
}
