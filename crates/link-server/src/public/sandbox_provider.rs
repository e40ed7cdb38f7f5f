//! `/sandbox/provider`: the login page of the sandbox's provider for the login `oauth`, and the page that asks.
//!
//! It plays a provider that is not ours, so it is on the public host: another origin than the hosted pages if
//! `--hosted-url` names another host. It knows no account, and sends people only to the callback addresses of the
//! sandbox.

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use link_connectors::sandbox;
use link_connectors::sandbox::redirect::{CONSENT_PATH, LOGIN_PATH, PROVIDER_PATH, PageOutcome, is_known};
use link_domain::linking::account::CALLBACK_PATH;
use link_types::Sensitive;
use maud::{DOCTYPE, Markup, html};
use url::Url;

use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::{ApiResult, Problem};

/// Maximum size of the form in bytes.
const MAX_FORM: usize = 8_192;
/// Name of the cookie of a person who has signed in.
const COOKIE: &str = "sandbox-provider";

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(LOGIN_PATH, get(show_login).post(sign_in))
        .route(CONSENT_PATH, get(show_consent).post(decide))
}

/// The parameters that the login page was opened with.
struct Authorization {
    redirect_uri: String,
    state: String,
    nonce: String,
    code_challenge: String,
}

impl Authorization {
    /// Reads the parameters. Returns `None` if one is missing, or the response would leave this service.
    fn read(app: &App, query: &str) -> Option<Self> {
        let value = |wanted: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        };
        let redirect_uri = value("redirect_uri")?;
        let callback = redirect_uri.strip_prefix(&app.settings.hosted_url)?.strip_prefix(CALLBACK_PATH)?;
        let is_registered = sandbox::providers().iter().any(|it| it.id.as_str() == callback);
        is_registered.then_some(Self {
            redirect_uri,
            state: value("state")?,
            nonce: value("nonce")?,
            code_challenge: value("code_challenge")?,
        })
    }

    /// Returns the address that the browser opens after this outcome.
    fn response(&self, outcome: PageOutcome, public_url: &str) -> Option<Url> {
        let mut url = Url::parse(&self.redirect_uri).ok()?;
        url.query_pairs_mut()
            .extend_pairs(outcome.response(public_url, &self.nonce, &self.code_challenge))
            .append_pair("state", &self.state);
        Some(url)
    }
}

/// Shows the login form.
async fn show_login(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    match Authorization::read(&app, &query) {
        Some(_) => respond(&app, StatusCode::OK, login_form(&query, "", false)),
        None => refuse(&app),
    }
}

/// Checks name and password. The browser then opens the page that asks, so that a reload does not send them again.
async fn sign_in(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    body: axum::body::Body,
) -> ApiResult<Response> {
    let query = query.unwrap_or_default();
    let form = read(body, MAX_FORM, BodyTimeouts::default()).await?;
    if Authorization::read(&app, &query).is_none() {
        return Ok(refuse(&app));
    }
    let login = value_of(&form, "login").unwrap_or_default();
    let password = Sensitive::new(value_of(&form, "password").unwrap_or_default());
    if !is_known(&login, &password) {
        return Ok(respond(&app, StatusCode::OK, login_form(&query, &login, true)));
    }
    let mut response = redirect(&app, &format!("{CONSENT_PATH}?{query}"))?;
    let secure = if app.settings.public_url.starts_with("https://") { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}=1; Path={PROVIDER_PATH}; Max-Age=600; HttpOnly; SameSite=Lax{secure}");
    let cookie = HeaderValue::from_str(&cookie)
        .map_err(|_| Problem::system("The sandbox provider's cookie is not a valid header"))?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Asks a person who has signed in.
async fn show_consent(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let query = query.unwrap_or_default();
    if Authorization::read(&app, &query).is_none() {
        return Ok(refuse(&app));
    }
    if !is_signed_in(&headers) {
        return redirect(&app, &format!("{LOGIN_PATH}?{query}"));
    }
    Ok(respond(&app, StatusCode::OK, consent(&query)))
}

/// Sends the person back with the outcome of the button.
async fn decide(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: axum::body::Body,
) -> ApiResult<Response> {
    let query = query.unwrap_or_default();
    let form = read(body, MAX_FORM, BodyTimeouts::default()).await?;
    if !is_signed_in(&headers) {
        return redirect(&app, &format!("{LOGIN_PATH}?{query}"));
    }
    let outcome = value_of(&form, "outcome").and_then(|it| PageOutcome::parse(&it));
    let next = Authorization::read(&app, &query).zip(outcome);
    match next.and_then(|(asked, outcome)| asked.response(outcome, &app.settings.public_url)) {
        Some(url) => redirect(&app, url.as_str()),
        None => Ok(refuse(&app)),
    }
}

fn value_of(form: &[u8], wanted: &str) -> Option<String> {
    form_urlencoded::parse(form).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

/// Returns whether a person has signed in. The cookie proves nothing, because nothing here has to be protected.
fn is_signed_in(headers: &HeaderMap) -> bool {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    cookies.flat_map(|it| it.split("; ")).any(|it| it.strip_prefix(COOKIE) == Some("=1"))
}

fn login_form(query: &str, login: &str, is_wrong: bool) -> Markup {
    let invalid = is_wrong.then_some("true");
    let note = is_wrong.then_some("wrong");
    document(html! {
        h1 { "Sign in to the sandbox provider" }
        p { "This page plays a provider with its own login. It knows only invented people." }
        form.questions method="post" action={ (LOGIN_PATH) "?" (query) } {
            @if is_wrong {
                p.fault id="wrong" role="alert" { "The user name or the password is wrong." }
            }
            div.question {
                label for="login" { "User name" }
                input id="login" name="login" value=(login) required maxlength="64" autocomplete="off"
                    autocapitalize="none" spellcheck="false" aria-invalid=[invalid] aria-describedby=[note];
            }
            div.question {
                label for="password" { "Password" }
                input type="password" id="password" name="password" required maxlength="256" autocomplete="off"
                    aria-invalid=[invalid] aria-describedby=[note];
            }
            div.note { p { "In the sandbox: oauth, with the password pass." } }
            button.primary type="submit" { "Sign in" }
        }
    })
}

fn consent(query: &str) -> Markup {
    let label = |outcome| match outcome {
        PageOutcome::Allow => "Allow",
        PageOutcome::Refuse => "Don’t allow",
        PageOutcome::Error => "Fail with server_error",
        PageOutcome::Slow => "Allow, and connect slowly",
        PageOutcome::ExpiredCode => "Return an expired code",
        PageOutcome::NoIssuer => "Return no iss",
        PageOutcome::WrongIssuer => "Return the iss of another provider",
        PageOutcome::EndedAccess => "Allow, and end the access before the next reading",
    };
    document(html! {
        h1 { "Sandbox provider" }
        p { "You have signed in. The buttons play what you, or the provider, can do next." }
        form method="post" action={ (CONSENT_PATH) "?" (query) } {
            @for outcome in PageOutcome::ALL {
                p { button.primary type="submit" name="outcome" value=(outcome.as_str()) { (label(outcome)) } }
            }
        }
    })
}

fn refuse(app: &App) -> Response {
    respond(app, StatusCode::BAD_REQUEST, refusal())
}

fn redirect(app: &App, address: &str) -> ApiResult<Response> {
    let location = HeaderValue::from_str(address)
        .map_err(|_| Problem::system("The sandbox provider's response is not a valid header"))?;
    let mut response = respond(app, StatusCode::SEE_OTHER, html! {});
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

fn refusal() -> Markup {
    document(html! {
        h1 { "This request is not complete" }
        p { "Go back to the other window, and start again there." }
    })
}

fn document(card: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { "Sandbox provider" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/hosted/page.css";
                link rel="stylesheet" href="/hosted/theme/1f6feb.css";
            }
            body { main { section.card { (card) } } }
        }
    }
}

fn respond(app: &App, status: StatusCode, page: Markup) -> Response {
    // A browser applies `form-action` also to the redirect that follows a form.
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' {}; base-uri 'none'; \
         frame-ancestors 'none'",
        app.settings.hosted_url
    );
    let mut response = (status, Html(page.into_string())).into_response();
    let headers = response.headers_mut();
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
