//! `/sign-in`: leads a person to a provider's own login page and takes the provider's response (ADR 257).
//!
//! The pages belong to no visit, because the widget opens them in another tab. The address that the provider opens
//! contains its code, so the response redirects to a clean one.

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::{
    Account, ProviderResponse, REDIRECT_LIFE, RedirectError, RedirectState, RedirectTicket, Returned,
};
use link_domain::notifications::service_text::ServiceText;
use link_store::Reader;
use link_types::Sensitive;
use link_types::id::AccountId;
use maud::html;

use super::page::{Look, Page, Passage};
use super::standing::check_tenant;
use super::visitor::{Browser, Visitor, cookie_value, count, is_https};
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// Maximum length of a provider's code, in bytes.
const MAX_CODE: usize = 4_096;

/// The end of a login on the provider's page, as the address of the last page names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SignInEnd {
    Received,
    Refused,
    Failed,
    Over,
    Expired,
    OtherBrowser,
    WrongIssuer,
    Unknown,
}

impl SignInEnd {
    const ALL: [Self; 8] = [
        Self::Received,
        Self::Refused,
        Self::Failed,
        Self::Over,
        Self::Expired,
        Self::OtherBrowser,
        Self::WrongIssuer,
        Self::Unknown,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Over => "over",
            Self::Expired => "expired",
            Self::OtherBrowser => "other-browser",
            Self::WrongIssuer => "wrong-issuer",
            Self::Unknown => "unknown",
        }
    }

    const fn texts(self) -> (ServiceText, ServiceText) {
        match self {
            Self::Received => (ServiceText::PageSignInReceivedTitle, ServiceText::PageSignInReceivedText),
            Self::Refused => (ServiceText::PageSignInRefusedTitle, ServiceText::PageSignInRefusedText),
            Self::Failed => (ServiceText::PageSignInFailedTitle, ServiceText::PageSignInFailedText),
            Self::Over => (ServiceText::PageSignInOverTitle, ServiceText::PageSignInOverText),
            Self::Expired => (ServiceText::PageSignInExpiredTitle, ServiceText::PageSignInExpiredText),
            Self::OtherBrowser => (ServiceText::PageSignInBrowserTitle, ServiceText::PageSignInBrowserText),
            Self::WrongIssuer => (ServiceText::PageSignInIssuerTitle, ServiceText::PageSignInIssuerText),
            Self::Unknown => (ServiceText::PageSignInUnknownTitle, ServiceText::PageSignInUnknownText),
        }
    }

    const fn status(self) -> StatusCode {
        match self {
            Self::Received | Self::Refused | Self::Failed => StatusCode::OK,
            Self::Over | Self::Expired => StatusCode::GONE,
            Self::OtherBrowser | Self::WrongIssuer => StatusCode::FORBIDDEN,
            Self::Unknown => StatusCode::NOT_FOUND,
        }
    }

    const fn from_response(response: &ProviderResponse) -> Self {
        match response {
            ProviderResponse::Code { .. } => Self::Received,
            ProviderResponse::Denied => Self::Refused,
            ProviderResponse::Failed { .. } => Self::Failed,
        }
    }

    fn page(self, app: &App, browser: &Browser) -> Response {
        let (heading, text) = self.texts();
        Look::plain(app, browser).say(self.status(), heading, text)
    }

    /// Returns the page for a browser that is in a visit of the hosted pages. The window of an app may not show another
    /// tab, so the person can continue in this one.
    fn page_in_visit(self, app: &App, browser: &Browser) -> Response {
        let look = Look::plain(app, browser);
        let (heading, text) = self.texts();
        let title = Passage::ours(look.text(heading));
        let card = html! {
            (title.heading())
            p { (look.text(text)) }
            a.primary href="/visit" { (look.text(ServiceText::PageSignInHere)) }
        };
        look.show(self.status(), &Page { kind: "message", title, widget: None, redirect: None, card })
    }

    /// Redirects to the page, whose address has neither the code nor the `state`.
    fn redirect(self) -> Response {
        without_referrer(Redirect::to(&format!("/sign-in/done/{}", self.as_str())).into_response())
    }
}

impl From<RedirectError> for SignInEnd {
    fn from(refused: RedirectError) -> Self {
        match refused {
            RedirectError::Over => Self::Over,
            RedirectError::Expired => Self::Expired,
            RedirectError::OtherBrowser => Self::OtherBrowser,
            RedirectError::WrongIssuer => Self::WrongIssuer,
        }
    }
}

/// Leads to the provider's page. It changes nothing, so the person can start again in another tab.
pub(super) async fn start(
    State(app): State<App>,
    Path(ticket): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let Some(ticket) = RedirectTicket::parse(&ticket) else {
        network.count(&app)?;
        return Ok(SignInEnd::Unknown.page(&app, &browser));
    };
    count(&app, &ticket.owner, ticket.account_id.as_str())?;
    let now = app.now(app.offset_of(&ticket.owner).await?);
    let (owner, id) = (ticket.owner.clone(), ticket.account_id.clone());
    let account = app.store.read(move |reader| account_of(reader, &owner, &id)).await?;
    let left = account.ok_or(RedirectError::Over).and_then(|it| it.leave(&ticket, &callback_url(&app), now));
    let departure = match left {
        Ok(departure) => departure,
        Err(refused) => {
            network.count(&app)?;
            return Ok(SignInEnd::from(refused).page(&app, &browser));
        }
    };
    let name = cookie_name(&app, &ticket.account_id);
    let secure = if is_https(&app) { "; Secure" } else { "" };
    let cookie = format!(
        "{name}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{secure}",
        departure.browser.expose(),
        REDIRECT_LIFE.as_secs()
    );
    let header = |text: &str| {
        HeaderValue::from_str(text)
            .map_err(|_| Problem::system("The provider's address is not a valid header"))
    };
    let mut response = StatusCode::SEE_OTHER.into_response();
    response.headers_mut().insert(header::LOCATION, header(departure.url.expose())?);
    response.headers_mut().insert(header::SET_COOKIE, header(&cookie)?);
    Ok(without_referrer(response))
}

/// Takes the provider's response. The browser then opens a clean address.
pub(super) async fn receive(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some((state, issuer, response)) = read_query(&query.unwrap_or_default(), &callback_url(&app)) else {
        network.count(&app)?;
        return Ok(SignInEnd::Unknown.redirect());
    };
    count(&app, &state.owner, state.account_id.as_str())?;
    let browser = cookie_value(&headers, &cookie_name(&app, &state.account_id)).map(Sensitive::new);
    let context = app.context(app.offset_of(&state.owner).await?);
    let end = SignInEnd::from_response(&response);
    let returned = Returned { state, browser, issuer, response };
    let received = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let state = &returned.state;
            let Some(account) = account_of(tx, &state.owner, &state.account_id)? else {
                return Ok(Err(RedirectError::Over));
            };
            match account.receive_redirect(returned.clone(), &mut context) {
                Ok((_, change)) => Ok(Ok(tx.apply(&change, context.now())?)),
                Err(refused) => Ok(Err(refused)),
            }
        })
        .await?;
    Ok(match received {
        Ok(()) => end.redirect(),
        Err(refused) => {
            network.count(&app)?;
            SignInEnd::from(refused).redirect()
        }
    })
}

/// Says how the login ended, and where the person continues.
pub(super) async fn show_end(
    State(app): State<App>,
    Path(end): Path<String>,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let end = SignInEnd::ALL.into_iter().find(|it| it.as_str() == end).unwrap_or(SignInEnd::Unknown);
    Ok(match Visitor::find(&app, &headers).await? {
        Some(_) => end.page_in_visit(&app, &browser),
        None => end.page(&app, &browser),
    })
}

fn account_of(reader: &mut Reader<'_>, owner: &Owner, id: &AccountId) -> ApiResult<Option<Account>> {
    check_tenant(reader, owner)?;
    Ok(reader.accounts().get(owner, id)?)
}

/// Reads the parameters of a response (RFC 6749, 4.1.2). Returns `None` if one of them is missing, repeated or too long.
fn read_query(query: &str, callback: &str) -> Option<(RedirectState, Option<String>, ProviderResponse)> {
    let (mut state, mut code, mut error, mut issuer) = (None, None, None, None);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let field = match &*name {
            "state" => &mut state,
            "code" => &mut code,
            "error" => &mut error,
            "iss" => &mut issuer,
            _ => continue,
        };
        if field.replace(value.into_owned()).is_some() {
            return None;
        }
    }
    let state = RedirectState::parse(&state?)?;
    let response = match (code, error) {
        (None, Some(error)) => ProviderResponse::from_error(&error),
        (Some(code), None) if (1..=MAX_CODE).contains(&code.len()) => {
            ProviderResponse::Code { code: Sensitive::new(code), redirect_uri: callback.to_owned() }
        }
        (None | Some(_), None | Some(_)) => return None,
    };
    Some((state, issuer, response))
}

/// Returns the address that every provider sends people back to. Operators register it there.
fn callback_url(app: &App) -> String {
    format!("{}/sign-in/callback", app.settings.hosted_url)
}

/// Returns the name of the cookie that proves where a login was begun. Several logins may be under way in a browser.
fn cookie_name(app: &App, account: &AccountId) -> String {
    let prefix = if is_https(app) { "__Host-" } else { "" };
    format!("{prefix}sign-in-{account}")
}

/// Hides the address from the page that the browser opens next, and from caches.
fn without_referrer(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = "demo.s.a-0192f0c1a2b37c4d8e5f60718293a4b5.1763636831000000.AAAA";

    #[rstest::rstest]
    #[case::code("state={}&code=abc&iss=https%3A%2F%2Flogin.example", Some(SignInEnd::Received))]
    #[case::refused("state={}&error=access_denied", Some(SignInEnd::Refused))]
    #[case::other_error("state={}&error=invalid_scope&error_description=x", Some(SignInEnd::Failed))]
    #[case::without_state("code=abc", None)]
    #[case::other_state("state=abc&code=abc", None)]
    #[case::repeated_code("state={}&code=abc&code=def", None)]
    #[case::code_and_error("state={}&code=abc&error=access_denied", None)]
    #[case::empty_code("state={}&code=", None)]
    #[case::neither("state={}", None)]
    fn response_of_a_provider_is_read(#[case] query: &str, #[case] expected: Option<SignInEnd>) {
        let read = read_query(&query.replace("{}", STATE), "https://hosted.example/sign-in/callback");
        assert_eq!(read.map(|(_, _, response)| SignInEnd::from_response(&response)), expected);
    }

    #[test]
    fn long_code_is_rejected() {
        let query = format!("state={STATE}&code={}", "c".repeat(MAX_CODE + 1));
        assert!(read_query(&query, "").is_none());
    }
}
