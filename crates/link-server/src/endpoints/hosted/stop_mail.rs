//! `/mail/stop/{token}`: stops mail to the mailbox that the token names. GET asks and changes nothing, so that programs
//! that look at links stop no mail; POST stops it, from the page's button or from a mail program (RFC 8058), which
//! sends neither `Origin` nor cookies. The token is all the authority there is, and all that it can do is this.

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
use crate::http::client::Network;
use crate::http::problem::Answer;

pub(super) fn routes(app: &App) -> Router<App> {
    Router::new()
        .route("/mail/stop/{token}", get(ask).post(stop))
        .layer(from_fn_with_state(app.clone(), super::in_words))
}

async fn ask(State(app): State<App>, Path(token): Path<String>, network: Network) -> Answer<Response> {
    let Some(recipient) = recipient(&app, token.clone(), network).await? else { return Ok(unknown(&app)) };
    let is_stopped = app.store().read(move |reader| reader.is_mail_suppressed(&recipient)).await?;
    if is_stopped {
        return Ok(stopped(&app));
    }
    let heading = "Stop mail to this address?";
    let card = html! {
        h1 { (heading) }
        p {
            "You will get no more mail from this service, no matter who asks us to send it. An invitation that you have \
             already keeps working."
        }
        form method="post" { button.primary type="submit" { "Stop all mail to my address" } }
        p { "To report abuse, write to " (app.settings().mail_abuse) "." }
    };
    let page = Page { kind: "message", title: heading.to_owned(), widget: None, card };
    Ok(Look::plain(&app).show(StatusCode::OK, &page))
}

async fn stop(State(app): State<App>, Path(token): Path<String>, network: Network) -> Answer<Response> {
    let Some(recipient) = recipient(&app, token, network).await? else { return Ok(unknown(&app)) };
    let now: Wall = app.wall();
    app.store().write(move |tx| tx.suppress_mail(&recipient, SuppressedBecause::Unsubscribed, now)).await?;
    Ok(stopped(&app))
}

/// Whose mail the token stops. Requests are counted by their network.
async fn recipient(app: &App, token: String, network: Network) -> Answer<Option<Digest32>> {
    let key = app.store().read(|reader| Ok::<_, StoreError>(reader.derived_key(Label::Lookup))).await?;
    let recipient = recipient_of_token(&key, &token);
    network.count(app)?;
    Ok(recipient)
}

fn stopped(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::OK,
        "Mail to your address is stopped",
        "We send no more mail to it. You can close this page.",
    )
}

fn unknown(app: &App) -> Response {
    Look::plain(app).say(
        StatusCode::NOT_FOUND,
        "This link is not valid",
        "Copy the whole address from the mail into your browser, or write to the address that the mail names.",
    )
}
