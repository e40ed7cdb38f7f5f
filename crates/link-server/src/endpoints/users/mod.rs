//! `/users`: the people of a tenant.

mod create;
mod get;
mod list;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of users.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create::handler, list::handler)).routes(routes!(get::handler))
}
