//! `/accounts`: what people linked.

mod consent;
mod disable_monitor;
mod enable_monitor;
mod export;
mod get;
mod list;
mod payload;
mod revoke;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The routes of accounts.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::handler, revoke::by_query))
        .routes(routes!(get::handler, revoke::by_path))
        .routes(routes!(payload::handler))
        .routes(routes!(consent::handler))
        .routes(routes!(disable_monitor::handler))
        .routes(routes!(enable_monitor::handler))
        .routes(routes!(export::handler))
}
