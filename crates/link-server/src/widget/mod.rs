//! `/link/…`: the endpoints of the widget. They accept only sessions, and a session is accepted nowhere else.

mod accounts;
mod archives;
mod attempt;
mod events;
pub mod files;
pub(crate) mod guesses;
mod handoff;
mod linked;
mod news;
mod providers;
mod sealing_key;
mod sessions;
mod survey;
mod terms;
mod uploads;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of the widget.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .merge(sessions::routes())
        .merge(providers::routes())
        .merge(accounts::routes())
        .merge(handoff::routes())
        .routes(routes!(sealing_key::handler))
        .routes(routes!(attempt::handler))
        .routes(routes!(linked::handler))
        .routes(routes!(survey::handler))
        .routes(routes!(events::handler))
        .merge(archives::routes())
        .merge(uploads::routes())
}
