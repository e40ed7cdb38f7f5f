//! The cookie of a session.

use axum::http::{HeaderMap, HeaderValue, header};
use link_domain::console::session::ABSOLUTE_LIFE;
use link_domain::kernel::digest::Digest32;

use crate::app::App;

/// The name of the cookie if the portal uses https. Browsers accept the prefix only from this exact host.
const HOST_COOKIE: &str = "__Host-linchpin_console";
/// The name of the cookie over plain http, on a developer's machine. Browsers reject the prefix there.
const PLAIN_COOKIE: &str = "linchpin_console";

fn is_https(app: &App) -> bool {
    app.settings.console_url.starts_with("https://")
}

/// Returns the digest of the secret in the request's cookie.
pub(super) fn secret_hash(app: &App, headers: &HeaderMap) -> Option<Digest32> {
    let expected = if is_https(app) { HOST_COOKIE } else { PLAIN_COOKIE };
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == expected).map(|(_, secret)| Digest32::from_text(secret))
}

/// Returns the cookie with a session's secret, or one that removes it if the secret is empty. Scripts cannot read it.
///
/// `SameSite=Lax` sends it with a link from another site to the portal, and never with another site's form.
pub(super) fn cookie(app: &App, secret: &str) -> Option<HeaderValue> {
    let (name, secure) = if is_https(app) { (HOST_COOKIE, "; Secure") } else { (PLAIN_COOKIE, "") };
    let life = if secret.is_empty() { 0 } else { ABSOLUTE_LIFE.as_secs() };
    HeaderValue::from_str(&format!("{name}={secret}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}"))
        .ok()
}
