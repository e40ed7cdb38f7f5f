//! The hand-off of a session: a code with which the person continues one step on their phone. The phone uses it at
//! `POST /link/sessions`.

mod code;
mod create;
mod end;
mod get;
mod state;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of the hand-off.
pub(super) fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, get::handler, end::handler))
}
