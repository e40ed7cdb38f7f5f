//! `/device/…`: gives a program an API key after a member has typed its code in the developer portal, as the device flow of
//! OAuth 2 does (RFC 8628). `linchpin login` uses it.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::tenant::key_request::{
    KeyRequest, KeyRequestState, MAX_WAITING, POLL_INTERVAL, REQUEST_LIFE, device_code, read_device_code,
};
use link_types::console::KeyState;
use link_types::{Mode, Sensitive};
use serde_json::{Value, json};

use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::is_from_own_page;
use crate::http::problem::{ApiResult, Problem};

/// Maximum size of a form in bytes.
const MAX_FORM: usize = 4_096;
/// The value of `grant_type` (RFC 8628, section 3.4).
const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";

pub(super) fn routes() -> Router<App> {
    Router::new().route("/device/authorization", post(authorize)).route("/device/token", post(create_token))
}

/// Begins a request for a key. Returns the code that the person types, and the device code of the program.
///
/// The form may have `environment`: `sandbox` or `production`, whose page of the portal is named, and whose key it must be.
async fn authorize(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    app.limits.rates.count_device_login(network.bytes())?;
    // Another site must not use up what the person's network may begin.
    if !is_from_own_page(&Method::POST, &headers) {
        return Ok(refuse("invalid_request"));
    }
    if app.settings.console_host().is_none() {
        return Err(Problem::missing());
    }
    let form = read(body, MAX_FORM, BodyTimeouts::SHORT).await?;
    let environment = match value(&form, "environment").as_deref() {
        None => None,
        Some("sandbox") => Some(Mode::Sandbox),
        Some("production") => Some(Mode::Production),
        Some(_) => return Ok(refuse("invalid_request")),
    };
    let context = app.context(ClockOffset::default());
    let (request, issued) = app
        .store
        .write(move |tx| -> ApiResult<_> {
            if tx.key_requests().are_at_least(MAX_WAITING)? {
                return Err(Problem::busy("too many programs wait for a key"));
            }
            let (request, issued, change) = KeyRequest::begin(environment, &mut context.clone());
            tx.apply(&change, context.now())?;
            Ok((request, issued))
        })
        .await?;
    let page = environment.unwrap_or(Mode::Sandbox).as_str().to_ascii_lowercase();
    Ok(respond(
        StatusCode::OK,
        json!({
            "device_code": device_code(&issued).expose(),
            "user_code": request.show_code(),
            "verification_uri": format!("{}/console/keys/{page}", app.settings.console_url),
            "expires_in": REQUEST_LIFE.as_secs(),
            "interval": POLL_INTERVAL.as_secs(),
        }),
    ))
}

/// Returns the key of the program once a member has created it. Until then, the error is `authorization_pending`.
async fn create_token(State(app): State<App>, network: Network, body: Body) -> ApiResult<Response> {
    network.count(&app)?;
    let form = read(body, MAX_FORM, BodyTimeouts::SHORT).await?;
    if value(&form, "grant_type").as_deref() != Some(GRANT_TYPE) {
        return Ok(refuse("unsupported_grant_type"));
    }
    let Some(code) = value(&form, "device_code").map(Sensitive::new) else {
        return Ok(refuse("invalid_request"));
    };
    // Only a request of this flow is answered: this endpoint must not try keys that someone has found.
    let wrong = || app.limits.rates.count_refusal(network.bytes()).map(|_| refuse("expired_token"));
    let Some((key_hash, secret)) = read_device_code(code.expose()) else { return wrong() };
    let request = app.store.read(move |reader| reader.key_requests().by_key(&key_hash)).await?;
    let now = app.wall();
    let request = request.filter(|it| it.accepts(&secret));
    match request.map(|it| it.state(now)) {
        None => wrong(),
        Some(KeyRequestState::Expired) => Ok(refuse("expired_token")),
        Some(KeyRequestState::Waiting) => Ok(refuse("authorization_pending")),
        Some(KeyRequestState::Granted) => {
            let caller = app.store.caller(key_hash).await?;
            let Some((key, tenant)) = caller.as_deref() else { return Ok(refuse("access_denied")) };
            if key.state(now) != KeyState::Active || tenant.check_active().is_err() {
                return Ok(refuse("access_denied"));
            }
            Ok(respond(
                StatusCode::OK,
                json!({
                    "access_token": code.expose(),
                    "token_type": "Basic",
                    "scope": key.scopes.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" "),
                    // The key was drawn before its tenant was known, so it works only here.
                    "base_url": app.cell_base(key.owner.mode),
                    "tenant": tenant.name,
                    "key_name": key.name,
                }),
            ))
        }
    }
}

/// Returns the value of a field of a form.
fn value(form: &[u8], wanted: &str) -> Option<String> {
    form_urlencoded::parse(form).find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

fn refuse(error: &str) -> Response {
    let mut response = respond(StatusCode::BAD_REQUEST, json!({ "error": error }));
    // RFC 6749 has its own format of errors, so this is not a problem document.
    response.extensions_mut().insert(Finished);
    response
}

fn respond(status: StatusCode, body: Value) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (status, no_store, Json(body)).into_response()
}
