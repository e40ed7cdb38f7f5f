//! `/users`: the people of a tenant.

mod create;
mod delete;
mod get;
mod list;
mod payload;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of users.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, delete::handler))
        .routes(routes!(payload::handler))
}
