//! `/linkTemplates`: how the widget behaves for each use of a tenant.

mod create;
mod delete;
mod get;
mod list;
mod update;

pub use update::ORIGIN_PATTERN;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of link templates.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}
