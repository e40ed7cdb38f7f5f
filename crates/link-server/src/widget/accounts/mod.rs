//! Accounts that are being linked in the widget.

mod answer;
mod extend;
mod get;
mod own;
mod resend;
mod revocation;
mod revoke;
mod start;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of accounts.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(start::handler))
        .routes(routes!(get::handler))
        .routes(routes!(answer::handler))
        .routes(routes!(resend::handler))
        .routes(routes!(extend::handler))
        .routes(routes!(revocation::handler))
        .routes(routes!(revoke::handler))
}
