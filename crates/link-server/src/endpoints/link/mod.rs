//! `/link/…`: what the widget speaks to. A session is the only credential here, and it opens nothing else.

mod accounts;
mod providers;
mod sessions;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The widget's routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sessions::open::handler))
        .routes(routes!(sessions::get::handler, sessions::end::handler))
        .routes(routes!(providers::list::handler))
        .routes(routes!(providers::get::handler))
        .routes(routes!(accounts::start::handler))
        .routes(routes!(accounts::get::handler, accounts::revoke::handler))
        .routes(routes!(accounts::answer::handler))
        .routes(routes!(accounts::resend::handler))
}
