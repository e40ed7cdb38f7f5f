//! `/me`: a person's own page. It shows what the person gave through links that were mailed to them.
//!
//! The person types an address, and opens the link in the mail. No response depends on whether data belongs to the address.
//! Ids and addresses are in the bodies of requests only, never in a URL.

mod act;
mod ask;
mod copy;
mod form;
mod items;
mod list;
mod open;
mod session;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/me", get(ask::show).post(ask::ask))
        .route("/me/open/{code}", get(open::show).post(open::open))
        .route("/me/data", get(list::handler))
        .route("/me/confirm", get(list::back).post(act::confirm))
        .route("/me/end", get(list::back).post(act::end))
        .route("/me/copy", get(list::back).post(copy::handler))
        .route("/me/leave", post(session::leave))
}
