//! Archives that are being uploaded in the widget.

mod create;
mod discard;
mod get;
pub(super) mod own;
mod revocation;
mod revoke;
mod submit;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of archives.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler))
        .routes(routes!(get::handler, discard::handler))
        .routes(routes!(submit::handler))
        .routes(routes!(revocation::handler))
        .routes(routes!(revoke::handler))
}
