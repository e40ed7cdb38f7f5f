//! The widget's session: opening it with a link token, reading it and ending it.

mod end;
mod get;
mod open;
mod redeem;
mod view;
mod work;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of sessions.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(open::handler)).routes(routes!(get::handler, end::handler))
}
