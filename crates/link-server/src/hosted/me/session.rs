//! The session of an own page: the cookie, the caller, and leaving.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use link_domain::change::{Change, Deletion};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::service_text::ServiceText;
use link_domain::person_page::page_session::{PageSession, SESSION_LIFE};
use link_types::Sensitive;
use maud::html;

use crate::app::App;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::visitor::{Browser, cookie_value, is_https};
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// The name of the cookie if the pages use https. With this prefix, browsers accept it only from this exact host.
const HOST_COOKIE: &str = "__Host-linchpin_me";
/// The name of the cookie over plain http, on a developer's machine.
const PLAIN_COOKIE: &str = "linchpin_me";

/// The person who opened a link.
pub(super) struct PageCaller {
    pub(super) session: PageSession,
}

impl PageCaller {
    /// Finds the session by the browser's cookie. Counts the request against the limit of the caller's network first.
    pub(super) async fn find(app: &App, headers: &HeaderMap, network: Network) -> ApiResult<Option<Self>> {
        let Some(hash) = secret_hash(app, headers) else { return Ok(None) };
        network.count(app)?;
        let found = app.store.read(move |reader| reader.page_sessions().by_secret(&hash)).await?;
        let now = app.wall();
        Ok(found.filter(|it| it.lasts(now)).map(|session| Self { session }))
    }
}

fn secret_hash(app: &App, headers: &HeaderMap) -> Option<Digest32> {
    cookie_value(headers, name(app)).map(Digest32::from_text)
}

fn name(app: &App) -> &'static str {
    if is_https(app) { HOST_COOKIE } else { PLAIN_COOKIE }
}

/// Returns the cookie of a session, or the one that removes it. Only the pages themselves need it, so requests that other
/// sites start never have it.
pub(super) fn cookie(app: &App, secret: Option<&Sensitive>) -> Option<HeaderValue> {
    let secure = if is_https(app) { "; Secure" } else { "" };
    let (value, life) = secret.map_or(("", 0), |it| (it.expose(), SESSION_LIFE.as_secs()));
    let text = format!("{}={value}; Path=/; Max-Age={life}; HttpOnly; SameSite=Strict{secure}", name(app));
    HeaderValue::from_str(&text).ok()
}

/// Ends the session.
pub(super) async fn leave(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if let Some(caller) = PageCaller::find(&app, &headers, network).await? {
        let ended = Deletion::PageSession(caller.session.secret_hash);
        let (change, now) =
            (Change { deletions: vec![ended], ..Change::default() }, app.now(ClockOffset::default()));
        app.store.write(move |tx| tx.apply(&change, now)).await?;
    }
    let mut page = over(&Look::plain(&app, &browser), StatusCode::OK);
    if let Some(cookie) = cookie(&app, None) {
        page.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(page)
}

/// Returns the page for a browser without a session.
pub(super) fn over(look: &Look, status: StatusCode) -> Response {
    let title = Passage::ours(look.text(ServiceText::MeOverTitle));
    let card = html! {
        (title.heading())
        p { (look.text(ServiceText::MeOverText)) }
        a.primary href="/me" { (look.text(ServiceText::MeAskAgain)) }
    };
    look.show(status, &Page { kind: "message", title, widget: None, redirect: None, card })
}
