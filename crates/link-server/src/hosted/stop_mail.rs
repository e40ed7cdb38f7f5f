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
use link_domain::clock::Wall;
use link_domain::digest::Digest32;
use link_domain::mail::{SuppressedBecause, recipient_of_token};
use link_store::{Label, StoreError};
use maud::html;

use super::page::{Look, Page};
use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::ApiResult;

pub(super) fn routes(app: &App) -> Router<App> {
    Router::new()
        .route("/mail/stop/{token}", get(ask).post(stop))
        .layer(from_fn_with_state(app.clone(), super::problems_as_pages))
}

async fn ask(State(app): State<App>, Path(token): Path<String>, network: Network) -> ApiResult<Response> {
    let Some(recipient) = recipient(&app, token.clone(), network).await? else { return Ok(unknown(&app)) };
    let is_stopped = app.store().read(move |reader| reader.mails().is_suppressed(&recipient)).await?;
    if is_stopped {
        return Ok(stopped(&app));
    }
    let heading = "Stop all mail to this address?";
    let card = html! {
        h1 { (heading) }
        p {
            "You will not receive any more mail from this service, no matter who asks us to send it. Invitations that \
             you already have keep working."
        }
        form method="post" { button.primary type="submit" { "Stop all mail to my address" } }
        p { "To report abuse, write to " (app.settings().mail_abuse) "." }
    };
    let page = Page { kind: "message", title: heading.to_owned(), widget: None, card };
    Ok(Look::plain(&app).show(StatusCode::OK, &page))
}

async fn stop(State(app): State<App>, Path(token): Path<String>, network: Network) -> ApiResult<Response> {
    let Some(recipient) = recipient(&app, token, network).await? else { return Ok(unknown(&app)) };
    let now: Wall = app.wall();
    app.store()
        .write(move |tx| tx.mails().suppress(&recipient, SuppressedBecause::Unsubscribed, now))
        .await?;
    Ok(stopped(&app))
}

/// Returns the recipient that the token identifies. Counts the request against the limit of the caller's network.
async fn recipient(app: &App, token: String, network: Network) -> ApiResult<Option<Digest32>> {
    let key = app.store().read(|reader| Ok::<_, StoreError>(reader.derived_key(Label::Lookup))).await?;
    let recipient = recipient_of_token(&key, &token);
    network.count(app)?;
    Ok(recipient)
}

fn stopped(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::OK,
        "Mail to your address is stopped",
        "We will not send any more mail to it. You can close this page.",
    )
}

fn unknown(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::NOT_FOUND,
        "This link is not valid",
        "Copy the complete link from the mail into your browser, or write to the address given in the mail.",
    )
}
