//! `/webhooks/{id}/deliveries`: the deliveries of a webhook and their attempts.

mod get;
mod list;
mod resend;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of deliveries.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler))
        .routes(routes!(resend::handler))
}
