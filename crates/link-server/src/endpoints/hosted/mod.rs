//! The hosted pages that an invitation leads to: landing page, form, widget, success page. They stand outside both
//! environments' addresses: the invitation says which it belongs to.
//!
//! A GET records and mints nothing, so that programs that look at every link of a mail use nothing up: the page's
//! button exchanges the link's one-time code for a visit, whose secret is the browser's cookie.

mod ask_again;
mod assets;
mod done;
mod enter;
mod landing;
mod opened;
mod page;
mod picture;
mod questions;
mod show;
mod submit;
mod token;
mod visitor;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;

/// The routes of the hosted pages.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/invite/{code}", get(landing::handler).post(enter::handler))
        .route("/invite/{code}/opened", post(opened::handler))
        .route("/invite/{code}/again", post(ask_again::handler))
        .route("/invite/opened/{picture}", get(picture::handler))
        .route("/visit", get(show::handler))
        .route("/visit/form", post(submit::handler))
        .route("/visit/token", post(token::handler))
        .route("/visit/done", get(done::handler))
        .route("/hosted/page.css", get(assets::styles))
        .route("/hosted/page.js", get(assets::script))
        .route("/hosted/theme/{colour}", get(assets::theme))
}
