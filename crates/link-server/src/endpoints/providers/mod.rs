//! `/providers`: where accounts can be linked in the caller's environment.

mod get;
mod list;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of providers.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
