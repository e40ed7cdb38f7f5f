//! `/events`: everything that was emitted.

mod fire;
mod get;
mod list;

pub(crate) use fire::fired;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of events.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::handler))
        .routes(routes!(get::handler))
        .routes(routes!(fire::handler))
}
