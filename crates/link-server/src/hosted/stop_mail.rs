//! `/mail/stop/{token}`: stops mail to the mailbox that the token identifies.
//!
//! GET shows a page with a button and does not change anything, so that programs that open links do not stop mail. POST
//! stops mail. It is sent by the button or by a mail program (RFC 8058), which sends neither `Origin` nor cookies. The
//! token is the only credential, and it permits nothing else.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::{SuppressedBecause, recipient_of_token};
use link_domain::notifications::service_text::{ServiceText, Value};
use link_store::{Label, StoreError};
use maud::html;

use super::page::{Look, Page, Passage};
use super::visitor::Browser;
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

pub(super) fn routes(app: &App) -> Router<App> {
    Router::new()
        .route("/mail/stop/{token}", get(ask).post(stop))
        .layer(from_fn_with_state(app.clone(), super::problems_as_pages))
}

async fn ask(
    State(app): State<App>,
    Path(token): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let look = Look::plain(&app, &browser);
    let Some(recipient) = recipient(&app, token, network).await? else { return Ok(unknown_page(&look)) };
    let is_stopped = app.store.read(move |reader| reader.mails().is_suppressed(&recipient)).await?;
    if is_stopped {
        return Ok(say_stopped(&look));
    }
    let title = Passage::ours(look.text(ServiceText::StopTitle));
    let abuse = Value::Text(&app.settings.mail_abuse);
    let card = html! {
        (title.heading())
        p { (look.text(ServiceText::StopText)) }
        form method="post" { button.primary type="submit" { (look.text(ServiceText::StopButton)) } }
        p { (look.text_with(ServiceText::StopAbuse, abuse)) }
    };
    Ok(look.show(StatusCode::OK, &Page { kind: "message", title, widget: None, redirect: None, card }))
}

async fn stop(
    State(app): State<App>,
    Path(token): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let look = Look::plain(&app, &browser);
    let Some(recipient) = recipient(&app, token, network).await? else { return Ok(unknown_page(&look)) };
    let now: Wall = app.wall();
    app.store.write(move |tx| tx.mails().suppress(&recipient, SuppressedBecause::Unsubscribed, now)).await?;
    Ok(say_stopped(&look))
}

/// Returns the recipient that the token identifies. Counts the request against the limit of the caller's network.
async fn recipient(app: &App, token: String, network: Network) -> ApiResult<Option<Digest32>> {
    let key = app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Lookup))).await?;
    let recipient = recipient_of_token(&key, &token);
    network.count(app)?;
    Ok(recipient)
}

fn say_stopped(look: &Look) -> Response {
    look.say(StatusCode::OK, ServiceText::StopDoneTitle, ServiceText::StopDoneText)
}

fn unknown_page(look: &Look) -> Response {
    look.say(StatusCode::NOT_FOUND, ServiceText::StopUnknownTitle, ServiceText::StopUnknownText)
}
