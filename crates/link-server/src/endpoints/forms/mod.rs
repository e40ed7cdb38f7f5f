//! `/alpha/forms`: what people answered on hosted link sites (interface: Form).

mod delete;
mod get;
mod list;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of forms.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::handler)).routes(routes!(get::handler, delete::handler))
}
