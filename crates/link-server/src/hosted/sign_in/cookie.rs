//! The cookie of a login on the provider's page: it proves in which browser the person left, and remembers whether they left
//! a hosted page in the same tab, or a page on an own host.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use link_domain::invitations::visit::VISIT_LIFE;
use link_domain::kernel::domain_proof::check_domain;
use link_domain::linking::account::REDIRECT_LIFE;
use link_types::Sensitive;
use link_types::id::AccountId;

use super::own_host::host_in_query;
use super::{Ready, SAME_TAB};
use crate::app::App;
use crate::hosted::visitor::{cookie_value, is_https};
use crate::http::problem::{ApiResult, Problem};

/// Values of the cookie.
pub(super) struct Kept {
    pub(super) proof: Sensitive,
    pub(super) is_same_tab: bool,
    pub(super) own_host: Option<String>,
}

/// Sets the cookie. In the same tab it lasts as long as a visit, so that a person who comes back late finds the way.
pub(super) fn remember_browser(
    app: &App,
    mut response: Response,
    ready: &Ready,
    query: Option<&str>,
) -> ApiResult<Response> {
    let name = cookie_name(app, &ready.account.id);
    let secure = if is_https(app) { "; Secure" } else { "" };
    let proof = ready.departure.browser.expose();
    let (value, life) = match (query == Some(SAME_TAB), host_in_query(query)) {
        (true, _) => (format!("{proof}.{SAME_TAB}"), VISIT_LIFE),
        (false, Some(host)) => (format!("{proof}.{host}"), VISIT_LIFE),
        (false, None) => (proof.to_owned(), REDIRECT_LIFE),
    };
    let life = life.as_secs();
    let cookie = format!("{name}={value}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}");
    let cookie = HeaderValue::from_str(&cookie)
        .map_err(|_| Problem::system("A login's cookie is not a valid header"))?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Reads the cookie. `None` if the browser has none for this account.
pub(super) fn read(app: &App, headers: &HeaderMap, account: &AccountId) -> Option<Kept> {
    let value = cookie_value(headers, &cookie_name(app, account))?;
    let (proof, way) = value.split_once('.').unwrap_or((value, ""));
    // The name of a host has a dot.
    Some(Kept { proof: Sensitive::new(proof), is_same_tab: way == SAME_TAB, own_host: check_domain(way) })
}

/// Returns the name of the cookie. Several logins may be under way in a browser.
fn cookie_name(app: &App, account: &AccountId) -> String {
    let prefix = if is_https(app) { "__Host-" } else { "" };
    format!("{prefix}sign-in-{account}")
}
