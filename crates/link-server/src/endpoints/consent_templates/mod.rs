//! `/consentTemplates`: the texts people accept.

mod get;
mod list;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of consent templates.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::handler)).routes(routes!(get::handler))
}
