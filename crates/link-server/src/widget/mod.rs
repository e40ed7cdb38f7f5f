//! `/link/…`: the endpoints of the widget. They accept only sessions, and a session is accepted nowhere else.

pub(crate) mod accounts;
mod archives;
pub mod files;
mod handoff;
mod linked;
pub(crate) mod providers;
mod reports;
mod sessions;
mod uploads;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of the widget.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .merge(sessions::routes())
        .merge(providers::routes())
        .merge(accounts::routes())
        .merge(handoff::routes())
        .routes(routes!(sessions::get_sealing_key => read))
        .routes(routes!(reports::save_attempt => person))
        .routes(routes!(linked::handler => read))
        .routes(routes!(reports::record_survey => person))
        .routes(routes!(reports::handler => person))
        .merge(archives::routes())
        .merge(uploads::routes())
}
