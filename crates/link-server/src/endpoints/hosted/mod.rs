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
mod stop_mail;
mod submit;
mod token;
mod visitor;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};

use self::page::Look;
use crate::app::App;
use crate::http::problem::Problem;
use crate::http::same_origin::is_from_own_page;

/// The routes of the hosted pages.
pub fn routes(app: &App) -> Router<App> {
    let pages = Router::new()
        .route("/invite/{code}", get(landing::handler).post(enter::handler))
        .route("/invite/{code}/again", get(ask_again::back).post(ask_again::handler))
        .route("/visit", get(show::handler))
        .route("/visit/form", get(submit::back).post(submit::handler))
        .route("/visit/done", get(done::handler))
        .layer(from_fn_with_state(app.clone(), in_words));
    let addresses = pages
        .merge(stop_mail::routes(app))
        .route("/invite/{code}/opened", post(opened::handler))
        .route("/invite/opened/{picture}", get(picture::handler))
        .route("/visit/token", post(token::handler))
        .route("/hosted/page.css", get(assets::styles))
        .route("/hosted/page.js", get(assets::script))
        .route("/hosted/theme/{colour}", get(assets::theme));
    addresses.layer(from_fn_with_state(app.clone(), from_own_page))
}

/// Refuses what another site's page sends, before anything of its body is read: it could make a person take part in a visit
/// of the attacker's.
async fn from_own_page(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_from_own_page(request.method(), request.headers()) {
        return next.run(request).await;
    }
    Look::plain(&app).say(
        StatusCode::FORBIDDEN,
        "This was sent from another page",
        "For your safety, nothing was done. Open the link in your invitation and press the button there.",
    )
}

/// A problem of the service as a page: a person reads it, and no program.
async fn in_words(State(app): State<App>, request: Request, next: Next) -> Response {
    // What was sent is not lost: whoever loads the answer to it once more sends it again. A link would not.
    let again = (request.method() == Method::GET).then(|| request.uri().path().to_owned());
    let response = next.run(request).await;
    let Some(problem) = response.extensions().get::<Problem>() else { return response };
    let status = response.status();
    if status.is_server_error() {
        // The page that takes its place says nothing of the cause.
        problem.log();
    }
    let look = Look::plain(&app);
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            let mut page = look.stop(
                status,
                "One moment, please",
                "This page was asked for very often just now. Wait a few seconds, then load it once more.",
                again.as_deref(),
            );
            page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            page
        }
        _ if status.is_server_error() => look.stop(
            status,
            "Something went wrong",
            "It is not your fault, and nothing is lost. Please load this page once more in a minute.",
            again.as_deref(),
        ),
        _ => response,
    }
}
