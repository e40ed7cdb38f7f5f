//! The hosted pages: of an invitation, a hosted link or a link site, first page, form, widget and end page; and the page on which a
//! phone continues a step of the widget. And people's own pages (`/me`).
//!
//! Each page is in the language of the invitation or, without one, of the browser (`Accept-Language`); nothing stores it.
//!
//! A link site can also be shown in a frame on pages of its tenant, without a cookie (`embedded`), and on a host of its tenant
//! (ADR 283), where `http/middleware/site_host.rs` admits only what its pages need.
//!
//! Their URLs do not name an environment, because the invitation, the link site or the link template
//! determines it.
//!
//! A GET does not change anything, so that programs that open every link in a mail do not use up the link. The button
//! on the landing page exchanges the link's one-time code for a visit, whose secret is stored in the browser's cookie.

mod answers;
mod assets;
mod embedded;
mod embedding;
mod files;
mod hosted_links;
mod invited;
mod landing;
mod link_pages;
mod link_sites;
mod me;
mod page;
mod phone;
pub mod preview;
mod proof;
mod questions;
mod show;
mod sign_in;
mod stop_mail;
mod token;
mod uploads;
mod visitor;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{get, post};
use link_domain::notifications::service_text::ServiceText;
use link_types::problem::ProblemCode;

use self::embedding::Embedding;
use self::page::Look;
use self::visitor::Browser;
use crate::app::App;
use crate::http::middleware::security_headers::is_from_own_page;
use crate::http::problem::Problem;

/// Returns the routes of the hosted pages.
pub fn routes(app: &App) -> Router<App> {
    let pages = Router::new()
        .route("/invite/{code}", get(landing::handler).post(landing::enter))
        .route("/invite/{code}/again", get(landing::back_to_landing).post(landing::ask_again))
        .route("/s/{slug}", get(link_sites::handler).post(link_sites::enter))
        .route("/l/{code}", get(hosted_links::handler).post(hosted_links::enter))
        .route("/visit", get(show::handler))
        .route("/visit/form", get(show::back_to_form).post(show::submit))
        .route("/visit/proof", get(proof::back).post(proof::submit))
        .route("/visit/done", get(show::show_done))
        .route("/continue/{template_id}", get(phone::handler))
        .merge(me::routes())
        .layer(from_fn_with_state(app.clone(), problems_as_pages));
    let sign_ins = Router::new()
        .route("/sign-in/start/{ticket}", get(sign_in::start).post(sign_in::agree))
        .route("/sign-in/callback/{provider_id}", get(sign_in::receive))
        .route("/sign-in/done/{end}", get(sign_in::show_end))
        .layer(from_fn_with_state(app.clone(), problems_as_pages))
        .layer(map_response(sign_in::hide_address));
    let embedded = Router::new()
        .route("/s/{slug}/embed", get(embedded::show).post(embedded::enter))
        .route("/s/{slug}/embed/form", get(embedded::back_to_site).post(embedded::submit))
        .route("/s/{slug}/embed/proof", get(proof::back).post(proof::submit))
        .layer(from_fn_with_state(app.clone(), problems_as_pages))
        .layer(from_fn_with_state(app.clone(), embedded::prepare));
    let addresses = pages
        .merge(sign_ins)
        .merge(embedded)
        .merge(stop_mail::routes(app))
        .route("/invite/{code}/opened", post(landing::record_opening))
        .route("/invite/opened/{picture}", get(landing::picture))
        .merge(uploads::routes())
        .route("/visit/draft", post(show::save))
        .route("/visit/token", post(token::create_token))
        .route("/visit/sign-in/{account_id}", post(sign_in::find_way))
        .route("/visit/finish", post(hosted_links::finish))
        .route("/hosted/page.css", get(assets::styles))
        .route("/hosted/page.js", get(assets::script))
        .route("/hosted/theme/{colour}", get(assets::theme));
    addresses.layer(from_fn_with_state(app.clone(), from_own_page))
}

/// Returns the page of an address that an own host of link sites does not serve.
pub fn show_missing(app: &App, headers: &HeaderMap) -> Response {
    link_sites::unknown_page(app, &Browser::from_headers(headers))
}

/// Rejects requests from other sites before their body is read.
///
/// Such a request could make a person take part in an attacker's visit.
async fn from_own_page(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_from_own_page(request.method(), request.headers()) {
        return next.run(request).await;
    }
    Look::plain(&app, &Browser::from_headers(request.headers())).say(
        StatusCode::FORBIDDEN,
        ServiceText::PageForeignTitle,
        ServiceText::PageForeignText,
    )
}

/// Shows an error response as a page, because a person reads it.
async fn problems_as_pages(State(app): State<App>, request: Request, next: Next) -> Response {
    // Reloading the response to a POST sends its body again. A link would not, so only a GET gets one.
    let address = request.uri().path_and_query().map_or("/", |it| it.as_str());
    let again = (request.method() == Method::GET).then(|| address.to_owned());
    let browser = Browser::of_request(request.headers(), request.extensions());
    show_problem(&app, &browser, again, next.run(request).await)
}

/// Replaces a problem by a page. In a frame, each one is replaced, with a link to the page where the person goes on.
fn show_problem(app: &App, browser: &Browser, again: Option<String>, response: Response) -> Response {
    let again = browser.embedding.as_ref().map(Embedding::address).or(again);
    let Some(problem) = response.extensions().get::<Problem>() else { return response };
    let status = response.status();
    if status.is_server_error() {
        // The page replaces the problem and does not contain its cause, so the cause is logged here.
        problem.log();
    }
    let look = Look::plain(app, browser);
    let stop = |heading, message| look.stop(status, heading, look.text(message), again.as_deref());
    match status {
        StatusCode::TOO_MANY_REQUESTS => {
            let mut page = stop(ServiceText::PageBusyTitle, ServiceText::PageBusyText);
            page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            page
        }
        _ if problem.code() == ProblemCode::TenantSuspended => {
            stop(ServiceText::PageSuspendedTitle, ServiceText::PageSuspendedText)
        }
        _ if status.is_server_error() || browser.embedding.is_some() => {
            stop(ServiceText::PageFailedTitle, ServiceText::PageFailedText)
        }
        _ => response,
    }
}
