//! `/sandbox/provider/authorize`: the login page of the sandbox's provider for the login `oauth`.
//!
//! It plays a provider that is not ours, so it is on the public host: another origin than the hosted pages if
//! `--hosted-url` names another host. It knows no account, and sends people only to the callback addresses of the
//! sandbox.

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use link_connectors::sandbox;
use link_connectors::sandbox::redirect::{PAGE_PATH, PageOutcome};
use link_domain::linking::account::CALLBACK_PATH;
use maud::{DOCTYPE, Markup, html};
use url::Url;

use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::{ApiResult, Problem};

/// Maximum size of the form in bytes.
const MAX_FORM: usize = 8_192;

pub(super) fn routes() -> Router<App> {
    Router::new().route(PAGE_PATH, get(show).post(decide))
}

/// The parameters that the page was opened with.
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

async fn show(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    match Authorization::read(&app, &query) {
        Some(_) => respond(&app, StatusCode::OK, page(&query)),
        None => respond(&app, StatusCode::BAD_REQUEST, refusal()),
    }
}

async fn decide(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    body: axum::body::Body,
) -> ApiResult<Response> {
    let query = query.unwrap_or_default();
    let body = read(body, MAX_FORM, BodyTimeouts::default()).await?;
    let pressed = form_urlencoded::parse(&body).find(|(name, _)| name == "outcome");
    let outcome = pressed.and_then(|(_, value)| PageOutcome::parse(&value));
    let next = Authorization::read(&app, &query).zip(outcome);
    let Some(url) = next.and_then(|(asked, outcome)| asked.response(outcome, &app.settings.public_url))
    else {
        return Ok(respond(&app, StatusCode::BAD_REQUEST, refusal()));
    };
    let location = HeaderValue::from_str(url.as_str())
        .map_err(|_| Problem::system("The sandbox provider's response is not a valid header"))?;
    let mut response = respond(&app, StatusCode::SEE_OTHER, html! {});
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

fn page(query: &str) -> Markup {
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
        p { "This page plays a provider with its own login. It knows only invented people." }
        form method="post" action={ (PAGE_PATH) "?" (query) } {
            @for outcome in PageOutcome::ALL {
                p { button.primary type="submit" name="outcome" value=(outcome.as_str()) { (label(outcome)) } }
            }
        }
    })
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
