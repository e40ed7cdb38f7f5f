//! `/device/…`: gives a program an API key after a member has typed its code in the developer portal, as the device flow of
//! OAuth 2 does (RFC 8628). `linchpin login` uses it.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::tenant::key_request::{
    KeyRequest, POLL_INTERVAL, REQUEST_LIFE, device_code, read_device_code,
};
use link_store::StoreError;
use link_types::Mode;
use link_types::console::KeyState;
use serde_json::{Value, json};

use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::middleware::request_id::Finished;
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
/// The form may have `environment`: `sandbox` (default) or `production`, whose page of the portal is named.
async fn authorize(State(app): State<App>, network: Network, body: Body) -> ApiResult<Response> {
    // Each request stores a row, so a network may begin as many as it may send wrong credentials.
    app.limits.rates.count_refusal(network.bytes())?;
    if app.settings.console_host().is_none() {
        return Err(Problem::missing());
    }
    let form = read(body, MAX_FORM, BodyTimeouts::SHORT).await?;
    let environment = if value(&form, "environment").as_deref() == Some("production") {
        Mode::Production
    } else {
        Mode::Sandbox
    };
    let context = app.context(ClockOffset::default());
    let (request, issued) = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let (request, issued, change) = KeyRequest::begin(&mut context.clone());
            tx.apply(&change, context.now())?;
            Ok((request, issued))
        })
        .await?;
    let page = environment.as_str().to_ascii_lowercase();
    Ok(respond(
        StatusCode::OK,
        json!({
            "device_code": device_code(&issued).expose(),
            "user_code": request.shown_code(),
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
    let Some(code) = value(&form, "device_code") else { return Ok(refuse("invalid_request")) };
    let Some((key_hash, secret)) = read_device_code(&code) else { return Ok(refuse("invalid_grant")) };
    let (key, request) = app
        .store
        .read(move |reader| -> Result<_, StoreError> {
            Ok((reader.api_keys().by_hash(&key_hash)?, reader.key_requests().by_key(&key_hash)?))
        })
        .await?;
    let now = app.wall();
    match (key, request) {
        (Some(key), _) if key.accepts(&secret) && key.state(now) == KeyState::Active => Ok(respond(
            StatusCode::OK,
            json!({
                "access_token": code,
                "token_type": "Basic",
                "scope": key.scopes.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" "),
                "base_url": app.api_base(key.owner.mode),
            }),
        )),
        (Some(_), _) => Ok(refuse("access_denied")),
        (None, Some(request)) if now < request.expires_at => Ok(refuse("authorization_pending")),
        (None, _) => Ok(refuse("expired_token")),
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
