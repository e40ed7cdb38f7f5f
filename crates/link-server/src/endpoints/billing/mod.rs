//! `/billing`: what the tenant is charged for. Production is what is charged; the sandbox counts the same way.

mod events;
mod summary;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of billing.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(events::handler)).routes(routes!(summary::handler))
}
