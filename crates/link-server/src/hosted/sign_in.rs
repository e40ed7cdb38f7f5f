//! `/sign-in`: leads a person to a provider's own login page and takes the provider's response (ADR 257).
//!
//! The pages belong to no visit, because the widget opens them in another tab. Only a hosted page leads away in the same
//! tab, and gets the person back (`sign_in/same_tab.rs`, `sign_in/own_host.rs`). The address that the provider opens
//! contains its code, so the response redirects to a clean one.

use std::sync::LazyLock;
use std::time::Instant;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::{
    Account, CALLBACK_PATH, Departure, ProviderResponse, RedirectError, RedirectState, RedirectTicket,
    Returned,
};
use link_domain::notifications::service_text::{ServiceText, Value};
use link_store::Reader;
use link_types::Sensitive;
use link_types::id::{AccountId, ProviderId};
use maud::html;

use self::cookie::remember_browser;
use self::end::SignInEnd;
pub(super) use self::end::show_end;
use self::own_host::{address_on, host_in_query, way_back};
use self::same_tab::continues_here;
pub(super) use self::same_tab::find_way;
use super::page::{Look, Page, Passage};
use super::show::WIDGET_PATH;
use super::visitor::{Browser, count};
use crate::app::App;
use crate::http::extract::standing::check_tenant;
use crate::http::limits::network::Network;
use crate::http::middleware::security_headers::SEC_FETCH_SITE;
use crate::http::problem::{ApiResult, Problem};
use crate::logs::Sampled;

mod cookie;
mod end;
mod own_host;
mod same_tab;

/// Marks the address, and the cookie, of a person who left a hosted page in the same tab.
const SAME_TAB: &str = "same-tab";

/// Maximum length of a provider's code, in bytes.
const MAX_CODE: usize = 4_096;

/// Limits the lines about rejected responses.
static REJECTED: LazyLock<Sampled> = LazyLock::new(Sampled::default);

/// A ticket that leads to a provider's page.
struct Ready {
    departure: Departure,
    account: Account,
    company: String,
}

/// The parameters of a provider's response.
struct Received {
    state: RedirectState,
    issuer: Option<String>,
    response: ProviderResponse,
    error_word: Option<&'static str>,
}

/// Marks the page with the question, whose form needs a referrer policy that keeps its origin.
#[derive(Clone, Copy)]
struct Asks;

/// Leads to the provider's page if a page of this service contained the link. Otherwise it asks first: another person may
/// have sent the address, to receive the data of the person who opens it. It changes nothing, so the person can start again.
pub(super) async fn start(
    State(app): State<App>,
    Path(ticket): Path<String>,
    RawQuery(query): RawQuery,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let ready = match find(&app, &ticket, network).await? {
        Ok(ready) => ready,
        Err(end) => return end_of(&app, &browser, (end, &ticket), query.as_deref()).await,
    };
    // The page on an own host is a tenant's, even if browsers take it for the same site.
    if !is_from_own_site(&headers) || host_in_query(query.as_deref()).is_some() {
        return Ok(ask(&app, &browser, &ready));
    }
    let mut response = StatusCode::SEE_OTHER.into_response();
    let address = HeaderValue::from_str(ready.departure.url.expose())
        .map_err(|_| Problem::system("The provider's address is not a valid header"))?;
    response.headers_mut().insert(header::LOCATION, address);
    remember_browser(&app, response, &ready, query.as_deref())
}

/// Leads to the provider's page after the person agreed. A redirect would be a part of the form's request, which the
/// page's policy (`form-action`) keeps on this host, so a page leads on.
pub(super) async fn agree(
    State(app): State<App>,
    Path(ticket): Path<String>,
    RawQuery(query): RawQuery,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    let ready = match find(&app, &ticket, network).await? {
        Ok(ready) => ready,
        Err(end) => return end_of(&app, &browser, (end, &ticket), query.as_deref()).await,
    };
    let look = Look::plain(&app, &browser);
    let provider = provider_name(&app, &ready.account);
    let onward = look.text_with(ServiceText::PageSignInAskButton, Value::Text(&provider));
    let title = Passage::ours(onward);
    let redirect = Some(ready.departure.url.expose().to_owned());
    let card = html! { a.primary href=(ready.departure.url.expose()) { (title.inline()) } };
    let page = Page { kind: "message", title, widget: None, redirect, card };
    remember_browser(&app, look.show(StatusCode::OK, &page), &ready, query.as_deref())
}

/// Returns the page of a login that cannot begin, with the way back to the page that the person left.
async fn end_of(
    app: &App,
    browser: &Browser,
    (end, ticket): (SignInEnd, &str),
    query: Option<&str>,
) -> ApiResult<Response> {
    if query == Some(SAME_TAB) {
        return Ok(end.page(app, browser, Some(WIDGET_PATH)));
    }
    let address = match (RedirectTicket::parse(ticket), host_in_query(query)) {
        (Some(ticket), Some(host)) => address_on(app, &host, &ticket.owner).await?,
        (Some(_) | None, Some(_) | None) => None,
    };
    Ok(end.page(app, browser, address.as_deref()))
}

/// Finds the login of a ticket. Only the person's requests count for the tenant, because strangers can send others.
async fn find(app: &App, ticket: &str, network: Network) -> ApiResult<Result<Ready, SignInEnd>> {
    let Some(ticket) = RedirectTicket::parse(ticket) else {
        network.count(app)?;
        return Ok(Err(SignInEnd::Unknown));
    };
    let now = app.now(app.offset_of(&ticket.owner).await?);
    let (owner, id) = (ticket.owner.clone(), ticket.account_id.clone());
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let tenant = reader.tenants().get(&owner.tenant)?;
            Ok(account_of(reader, &owner, &id)?.zip(tenant))
        })
        .await?;
    let left = found.ok_or(RedirectError::Over).and_then(|(account, tenant)| {
        let departure = account.leave(&ticket, &callback_url(app, &account.provider_id), now)?;
        Ok(Ready { departure, account, company: tenant.name })
    });
    match left {
        Ok(ready) => {
            count(app, &ready.account.owner, ready.account.id.as_str())?;
            Ok(Ok(ready))
        }
        Err(refused) => {
            network.count(app)?;
            Ok(Err(refused.into()))
        }
    }
}

/// Returns the page that names the tenant and the provider, and asks whether the person started the login.
fn ask(app: &App, browser: &Browser, ready: &Ready) -> Response {
    let look = Look::plain(app, browser);
    let provider = provider_name(app, &ready.account);
    let with_provider = |text| look.text_with(text, Value::Text(&provider));
    let title = Passage::ours(with_provider(ServiceText::PageSignInAskTitle));
    let card = html! {
        (title.heading())
        p { (look.text_with(ServiceText::PageSignInAskText, Value::Text(&ready.company))) }
        p { strong { (look.text(ServiceText::PageSignInAskWarning)) } }
        form method="post" {
            button.primary type="submit" { (with_provider(ServiceText::PageSignInAskButton)) }
        }
    };
    let page = Page { kind: "message", title, widget: None, redirect: None, card };
    let mut response = look.show(StatusCode::OK, &page);
    response.extensions_mut().insert(Asks);
    response
}

/// Returns whether a page of this service contained the link, by the browser's word. Old browsers do not say it.
fn is_from_own_site(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all(SEC_FETCH_SITE).iter().peekable();
    sites.peek().is_some() && sites.all(|it| it == "same-origin" || it == "same-site")
}

fn provider_name(app: &App, account: &Account) -> String {
    let providers = app.ports.source(account.owner.mode).providers();
    let provider = providers.iter().find(|it| it.id == account.provider_id);
    provider.map_or_else(|| account.provider_id.to_string(), |it| it.name.clone())
}

/// Takes the provider's response. The browser then opens a clean address.
pub(super) async fn receive(
    State(app): State<App>,
    Path(callback): Path<String>,
    RawQuery(query): RawQuery,
    network: Network,
    languages: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let received = callback.parse::<ProviderId>().ok().and_then(|it| {
        let received = read_query(&query.unwrap_or_default(), &callback_url(&app, &it))?;
        Some((it, received))
    });
    let Some((callback_of, received)) = received else {
        network.count(&app)?;
        return Ok(SignInEnd::Unknown.redirect(continues_here(&app, &headers, None).await?));
    };
    let Received { state, issuer, response, error_word } = received;
    let (owner, id) = (state.owner.clone(), state.account_id.clone());
    let browser = cookie::read(&app, &headers, &id).map(|it| it.proof);
    let context = app.context(app.offset_of(&owner).await?);
    let end = SignInEnd::from_response(&response);
    let returned = Returned { provider_id: callback_of, state, browser, issuer, response };
    let (read_owner, read_id) = (owner.clone(), id.clone());
    let found = app.store.read(move |reader| account_of(reader, &read_owner, &read_id)).await?;
    let checked = found
        .clone()
        .ok_or(RedirectError::Over)
        .and_then(|it| it.receive_redirect(returned.clone(), &mut context.clone()).map(drop));
    let taken = match checked {
        Ok(()) => {
            count(&app, &owner, id.as_str())?;
            take(&app, returned, context).await?
        }
        Err(refused) => Err(refused),
    };
    if let Some(fault) = taken.err().map(|it| format!("{it:?}")).or(error_word.map(str::to_owned))
        && let Some(responses) = REJECTED.count(Instant::now())
    {
        let provider_id = found.as_ref().map(|it| it.provider_id.to_string());
        tracing::warn!(
            provider_id,
            fault,
            responses,
            "A provider's response to a login was not a code that counts"
        );
    }
    if taken.is_err() {
        network.count(&app)?;
    }
    if let Some(address) = way_back(&app, &headers, (&owner, &id)).await? {
        return Ok(lead_back(&Look::plain(&app, &languages), address));
    }
    let is_here = continues_here(&app, &headers, found.as_ref()).await?;
    if let Err(refused) = taken {
        return Ok(SignInEnd::from(refused).redirect(is_here));
    }
    // The widget says how the login ended.
    Ok(if is_here { Redirect::to(WIDGET_PATH).into_response() } else { end.redirect(false) })
}

/// Leads back to an own host. A redirect would still be a part of the provider's form, whose policy (`form-action`) may allow only
/// the address that is registered there, so a page leads on.
fn lead_back(look: &Look, address: String) -> Response {
    let title = Passage::ours(look.text(ServiceText::PageSignInHere));
    let card = html! { a.primary href=(address) { (title.inline()) } };
    let page = Page { kind: "message", title, widget: None, redirect: Some(address), card };
    look.show(StatusCode::OK, &page)
}

/// Applies a response that was checked. The account may have changed since.
async fn take(app: &App, returned: Returned, context: Context) -> ApiResult<Result<(), RedirectError>> {
    app.store
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
        .await
}

/// Hides the addresses from the pages that the browser opens next, and from caches.
pub(super) async fn hide_address(mut response: Response) -> Response {
    let asks = response.extensions().get::<Asks>().is_some();
    let headers = response.headers_mut();
    if !asks {
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn account_of(reader: &mut Reader<'_>, owner: &Owner, id: &AccountId) -> ApiResult<Option<Account>> {
    check_tenant(reader, owner)?;
    Ok(reader.accounts().get(owner, id)?)
}

/// Reads the parameters of a response (RFC 6749, 4.1.2). Returns `None` if one of them is missing, repeated or too long.
fn read_query(query: &str, callback: &str) -> Option<Received> {
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
    let error_word = error.as_deref().map(error_word);
    let response = match (code, error) {
        (None, Some(error)) => ProviderResponse::from_error(&error),
        (Some(code), None) if (1..=MAX_CODE).contains(&code.len()) => {
            ProviderResponse::Code { code: Sensitive::new(code), redirect_uri: callback.to_owned() }
        }
        (None | Some(_), None | Some(_)) => return None,
    };
    Some(Received { state, issuer, response, error_word })
}

/// Returns the word of an error that the log may contain: only those of the standards.
fn error_word(error: &str) -> &'static str {
    const WORDS: [&str; 11] = [
        "access_denied",
        "invalid_request",
        "invalid_scope",
        "server_error",
        "temporarily_unavailable",
        "unauthorized_client",
        "unsupported_response_type",
        "login_required",
        "consent_required",
        "interaction_required",
        "account_selection_required",
    ];
    WORDS.into_iter().find(|it| *it == error).unwrap_or("another error")
}

/// Returns the address that this provider sends people back to. Operators register it there.
fn callback_url(app: &App, provider: &ProviderId) -> String {
    format!("{}{CALLBACK_PATH}{provider}", app.settings.hosted_url)
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
        let read = read_query(&query.replace("{}", STATE), "https://hosted.example/sign-in/callback/x");
        assert_eq!(read.map(|it| SignInEnd::from_response(&it.response)), expected);
    }

    #[test]
    fn long_code_is_rejected() {
        let query = format!("state={STATE}&code={}", "c".repeat(MAX_CODE + 1));
        assert!(read_query(&query, "").is_none());
    }

    #[rstest::rstest]
    #[case::our_frame(&["same-origin"], true)]
    #[case::our_frame_on_another_host(&["same-site"], true)]
    #[case::another_site(&["cross-site"], false)]
    #[case::link_of_a_message(&["none"], false)]
    #[case::old_browser(&[], false)]
    #[case::repeated(&["same-site", "cross-site"], false)]
    fn only_our_sites_lead_to_a_provider_at_once(#[case] sent: &[&'static str], #[case] expected: bool) {
        let mut headers = HeaderMap::new();
        for value in sent {
            headers.append(SEC_FETCH_SITE, HeaderValue::from_static(value));
        }
        assert_eq!(is_from_own_site(&headers), expected);
    }
}
