//! `/consentTemplates`: the texts people accept.

mod create;
mod delete;
mod get;
mod list;
mod update;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of consent templates.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}
