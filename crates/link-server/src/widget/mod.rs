//! `/link/…`: the endpoints of the widget. They accept only sessions, and a session is accepted nowhere else.

mod accounts;
mod archives;
mod attempt;
mod events;
pub mod files;
pub(crate) mod guesses;
mod linked;
mod news;
mod providers;
mod sealing_key;
mod sessions;
mod survey;
mod uploads;

use crate::http::endpoints::{Endpoints, routes};

/// Returns the routes of the widget.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(sessions::open::handler))
        .routes(routes!(sessions::get::handler, sessions::end::handler))
        .routes(routes!(providers::list::handler))
        .routes(routes!(providers::get::handler))
        .routes(routes!(accounts::start::handler))
        .routes(routes!(accounts::get::handler))
        .routes(routes!(accounts::answer::handler))
        .routes(routes!(accounts::resend::handler))
        .routes(routes!(accounts::extend::handler))
        .routes(routes!(accounts::revocation::handler))
        .routes(routes!(accounts::revoke::handler))
        .routes(routes!(sealing_key::handler))
        .routes(routes!(attempt::handler))
        .routes(routes!(linked::handler))
        .routes(routes!(survey::handler))
        .routes(routes!(events::handler))
        .routes(routes!(archives::create::handler))
        .routes(routes!(archives::get::handler, archives::discard::handler))
        .routes(routes!(archives::submit::handler))
        .routes(routes!(archives::revocation::handler))
        .routes(routes!(archives::revoke::handler))
        .merge(uploads::routes())
}
