//! `/tasks`: every run of reading data from an account or an archive.

mod get;
mod list;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of tasks.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
