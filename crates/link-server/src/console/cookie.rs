//! The cookie of a session, and that of a way to a provider.

use axum::http::{HeaderMap, HeaderValue, header};
use link_domain::console::session::ABSOLUTE_LIFE;
use link_domain::console::single_sign_on::DEPARTURE_LIFE;
use link_domain::kernel::digest::Digest32;
use link_types::Sensitive;

use crate::app::App;

/// The name of the cookie if the portal uses https. Browsers accept the prefix only from this exact host.
const HOST_COOKIE: &str = "__Host-linchpin_console";
/// The name of the cookie over plain http, on a developer's machine. Browsers reject the prefix there.
const PLAIN_COOKIE: &str = "linchpin_console";

/// The name of the cookie of a way to a provider, with and without https.
const PROVIDER_COOKIES: [&str; 2] = ["__Host-linchpin_provider", "linchpin_provider"];

fn is_https(app: &App) -> bool {
    app.settings.console_url.starts_with("https://")
}

/// Returns the digest of the secret in the request's cookie.
pub(super) fn secret_hash(app: &App, headers: &HeaderMap) -> Option<Digest32> {
    let expected = if is_https(app) { HOST_COOKIE } else { PLAIN_COOKIE };
    value_of(headers, expected).map(Digest32::from_text)
}

/// Returns the value of a cookie.
fn value_of<'h>(headers: &'h HeaderMap, expected: &str) -> Option<&'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == expected).map(|(_, value)| value)
}

/// Returns the secret of a way to a provider in the request's cookie.
pub(super) fn provider_secret(app: &App, headers: &HeaderMap) -> Option<Sensitive> {
    let [secure, plain] = PROVIDER_COOKIES;
    value_of(headers, if is_https(app) { secure } else { plain }).map(Sensitive::new)
}

/// Returns the cookie with the secret of a way to a provider, or one that removes it if the secret is empty.
///
/// `SameSite=Lax` sends it when the provider leads the person back.
pub(super) fn provider_cookie(app: &App, secret: &str) -> Option<HeaderValue> {
    let [name, plain] = PROVIDER_COOKIES;
    let (name, secure) = if is_https(app) { (name, "; Secure") } else { (plain, "") };
    let life = if secret.is_empty() { 0 } else { DEPARTURE_LIFE.as_secs() };
    HeaderValue::from_str(&format!("{name}={secret}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}"))
        .ok()
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
