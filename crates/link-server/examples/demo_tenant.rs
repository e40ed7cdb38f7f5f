//! A minimal tenant: what your own server must do to link accounts through Linchpin.
//!
//! 1. At the start, it configures which origin may embed the widget, the company name, and where to send webhooks.
//! 2. `POST /link-token` creates a link token for the signed-in customer. The API secret never leaves this process.
//! 3. `POST /webhooks` receives events and verifies their signatures.
//! 4. `GET /accounts` fetches the customer's data over REST.
//!
//! The page (`www/demo`) does the rest: it loads the widget's script and opens the widget.

#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use clap::Parser;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha512;
use tokio::sync::Mutex;

/// The name of the company, on every page that people see.
const COMPANY: &str = "Ardilla Loans";
/// The name in the texts that the service wrote at its first start.
const FIRST_COMPANY: &str = "Demo Company";

/// A demo tenant for trying out the widget.
#[derive(Parser)]
struct Flags {
    /// Port of the tenant's page.
    #[arg(long, default_value_t = 8788)]
    port: u16,
    /// URL of the service.
    #[arg(long, default_value = "http://localhost:8787")]
    service: String,
    /// File with the keys that the service wrote at its first start.
    #[arg(long, default_value = "linchpin-data/first-keys.json")]
    keys: PathBuf,
    /// Address of Trunk's socket, for reloading the page after each build (`cargo xtask dev`).
    #[arg(long)]
    reload: Option<String>,
    /// File with the output of Trunk's last build, for showing why it failed.
    #[arg(long)]
    build_log: Option<PathBuf>,
}

struct Tenant {
    service: String,
    api: Api,
    link_template_id: String,
    consent_template_id: String,
    invite_template_id: String,
    webhook_secret: String,
    // A real tenant stores the users and events in its database.
    users: Mutex<HashMap<String, String>>,
    received: Mutex<Vec<Value>>,
    reload: Option<String>,
    build_log: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let flags = Flags::parse();
    let page = format!("http://127.0.0.1:{}", flags.port);
    let keys = std::fs::read_to_string(&flags.keys)
        .map_err(|error| format!("{}: {error}. Start `linchpin serve` first.", flags.keys.display()))?;
    let keys: Value = serde_json::from_str(&keys)?;
    let tenant = Arc::new(Tenant {
        api: Api::new(&keys["sandbox"]),
        link_template_id: text(&keys["sandbox"]["linkTemplateId"]),
        consent_template_id: text(&keys["sandbox"]["consentTemplateId"]),
        invite_template_id: text(&keys["sandbox"]["inviteTemplateId"]),
        service: flags.service,
        webhook_secret: random()?,
        users: Mutex::default(),
        received: Mutex::default(),
        reload: flags.reload,
        build_log: flags.build_log,
    });
    let app = Router::new()
        .route("/", get(index))
        .route(
            "/page.css",
            get(([(header::CONTENT_TYPE, "text/css")], include_str!("../../../www/demo/page.css"))),
        )
        .route(
            "/page.js",
            get(([(header::CONTENT_TYPE, "text/javascript")], include_str!("../../../www/demo/page.js"))),
        )
        .route(
            "/reload.js",
            get(([(header::CONTENT_TYPE, "text/javascript")], include_str!("../../../www/demo/reload.js"))),
        )
        .route("/build.log", get(build_log))
        .route("/link-token", post(link_token))
        .route("/webhooks", post(webhook))
        .route("/received", get(list_received))
        .route("/accounts", get(accounts))
        .route("/clock", get(clock).post(advance_clock))
        .with_state(Arc::clone(&tenant));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", flags.port)).await?;
    register(&tenant, &page).await?;
    println!("demo tenant: {page}");
    axum::serve(listener, app).await?;
    Ok(())
}

/// Step 1: configures who may embed the widget, what people see in it, and where to send events.
async fn register(tenant: &Tenant, page: &str) -> Result<(), DemoError> {
    let template = format!("/linkTemplates/{}", tenant.link_template_id);
    let changes = json!({
        "allowedOrigins": [page],
        "companyName": COMPANY,
        "consentTemplateId": consent_template(tenant).await?,
        "theme": { "accent": "#a3440f" },
    });
    tenant.api.call(Method::PATCH, &template, Some(changes)).await?;
    let invites = format!("/inviteTemplates/{}", tenant.invite_template_id);
    let sender = json!({ "company": { "name": COMPANY } });
    tenant.api.call(Method::PATCH, &invites, Some(sender)).await?;
    let url = format!("{page}/webhooks");
    let registered = tenant.api.call(Method::GET, "/webhooks?size=150", None).await?;
    for old in items(&registered).iter().filter(|webhook| webhook["url"] == url.as_str()) {
        tenant.api.call(Method::DELETE, &format!("/webhooks/{}", text(&old["id"])), None).await?;
    }
    let webhook = json!({
        "name": "Demo tenant",
        "url": url,
        "eventTypes": ["ALL_EVENTS"],
        "active": true,
        "secret": tenant.webhook_secret,
        "includePayload": true,
    });
    tenant.api.call(Method::POST, "/webhooks", Some(webhook)).await?;
    Ok(())
}

/// Returns the id of a consent template with the tenant's name, in every language. A text that a person accepted cannot
/// change, so a new text needs a new template.
async fn consent_template(tenant: &Tenant) -> Result<Value, DemoError> {
    let first = format!("/consentTemplates/{}", tenant.consent_template_id);
    let first = tenant.api.call(Method::GET, &first, None).await?;
    let words = |it: &Value| -> Result<Value, DemoError> {
        serde_json::from_str(&it.to_string().replace(FIRST_COMPANY, COMPANY)).map_err(DemoError::new)
    };
    let consent = json!({
        "title": words(&first["title"])?,
        "version": "1.0",
        "text": words(&first["text"])?,
        "locale": first["locale"],
        "translations": words(&first["translations"])?,
    });
    let known = tenant.api.call(Method::GET, "/consentTemplates?size=150", None).await?;
    if let Some(template) = items(&known).iter().find(|template| template["text"] == consent["text"]) {
        return Ok(template["id"].clone());
    }
    let made = tenant.api.call(Method::POST, "/consentTemplates", Some(consent)).await?;
    Ok(made["id"].clone())
}

/// Step 2: creates a new token for each launch, for the customer who is signed in.
async fn link_token(State(tenant): State<Arc<Tenant>>, headers: HeaderMap) -> Result<Response, DemoError> {
    let customer = match customer(&headers) {
        Some(known) => known,
        None => random()?,
    };
    let user = tenant.api.call(Method::POST, "/users", Some(json!({ "reference": customer }))).await?;
    tenant.users.lock().await.insert(customer.clone(), text(&user["id"]));
    let cookie = format!("customer={customer}; HttpOnly; SameSite=Lax; Path=/");
    let body = json!({
        "templateId": tenant.link_template_id,
        "userId": user["id"],
        "userToken": user["token"]["accessToken"],
    });
    Ok(([(header::SET_COOKIE, cookie)], Json(body)).into_response())
}

/// Step 3: verifies and stores an event. The signature covers the exact bytes received, so verify before parsing. An
/// event may arrive more than once.
async fn webhook(State(tenant): State<Arc<Tenant>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let signature =
        headers.get("Service-Signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let verified = is_signed(&tenant.webhook_secret, &body, signature);
    let Ok(mut event) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    event["verified"] = verified.into();
    let mut received = tenant.received.lock().await;
    if !received.iter().any(|earlier| earlier["id"] == event["id"] && earlier["verified"] == true) {
        received.push(event);
    }
    if verified { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED }
}

/// Returns true if the signature is the lower-case hex HMAC-SHA512 of the whole body, keyed with the registered secret.
fn is_signed(secret: &str, body: &[u8], signature: &str) -> bool {
    let bytes: Option<Vec<u8>> = (0..signature.len() / 2)
        .map(|at| u8::from_str_radix(signature.get(2 * at..2 * at + 2)?, 16).ok())
        .collect();
    match (Hmac::<Sha512>::new_from_slice(secret.as_bytes()), bytes) {
        // `verify_slice` takes constant time. Comparing strings would reveal how many characters of a guess are right.
        (Ok(mac), Some(bytes)) => mac.chain_update(body).verify_slice(&bytes).is_ok(),
        _ => false,
    }
}

/// Step 4: returns only the accounts of the customer who is signed in.
async fn accounts(State(tenant): State<Arc<Tenant>>, headers: HeaderMap) -> Result<Json<Value>, DemoError> {
    let user = match customer(&headers) {
        Some(customer) => tenant.users.lock().await.get(&customer).cloned(),
        None => None,
    };
    let Some(user) = user else { return Ok(Json(json!([]))) };
    let found = tenant.api.call(Method::GET, &format!("/accounts?userId={user}&size=150"), None).await?;
    let mut accounts = Vec::new();
    for account in items(&found) {
        let payload = match account["connectionStatus"].as_str() {
            Some("CONNECTED") => {
                tenant
                    .api
                    .call(Method::GET, &format!("/accounts/{}/payload", text(&account["id"])), None)
                    .await?
            }
            _ => Value::Null,
        };
        accounts.push(json!({ "account": account, "payload": payload }));
    }
    Ok(Json(Value::Array(accounts)))
}

/// Returns the clock of the sandbox. Only for the demo.
async fn clock(State(tenant): State<Arc<Tenant>>) -> Result<Json<Value>, DemoError> {
    Ok(Json(tenant.api.call(Method::GET, "/clock", None).await?))
}

/// Advances the clock of the sandbox beyond the next monthly sync. Only for the demo.
async fn advance_clock(State(tenant): State<Arc<Tenant>>) -> Result<Json<Value>, DemoError> {
    let a_month = json!({ "seconds": 33 * 86_400 });
    Ok(Json(tenant.api.call(Method::POST, "/clock/advance", Some(a_month)).await?))
}

/// Returns all received events, oldest first, and whether their signatures were valid.
async fn list_received(State(tenant): State<Arc<Tenant>>) -> Json<Value> {
    Json(Value::Array(tenant.received.lock().await.clone()))
}

/// Returns the output of Trunk's last build, for www/demo/reload.js.
async fn build_log(State(tenant): State<Arc<Tenant>>) -> String {
    tenant.build_log.as_ref().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default()
}

/// Serves the page. `?sdk=v1` loads the older script.
async fn index(
    State(tenant): State<Arc<Tenant>>,
    Query(query): Query<HashMap<String, String>>,
) -> impl IntoResponse {
    let version = if query.get("sdk").is_some_and(|it| it == "v1") { "v1" } else { "v2" };
    let html = include_str!("../../../www/demo/index.html")
        .replace("{{service}}", &tenant.service)
        .replace("{{version}}", version);
    let reload = tenant.reload.as_deref().unwrap_or_default();
    let html = match reload {
        "" => html,
        socket => html.replace(
            "</head>",
            &format!(
                "<script src=\"/reload.js\" data-socket=\"{socket}\" type=\"module\"></script>\n</head>"
            ),
        ),
    };
    // A strict policy. The widget needs only its script and its frame.
    let policy = format!(
        "default-src 'none'; script-src 'self' {sdk}; frame-src {sdk}; style-src 'self'; connect-src 'self' {reload}; \
         img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        sdk = tenant.service,
    );
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(html))
}

/// The service's REST API, with the key and secret of one environment.
struct Api {
    base: String,
    authorization: String,
    agent: ureq::Agent,
}

impl Api {
    fn new(keys: &Value) -> Self {
        let credentials = format!("{}:{}", text(&keys["apiKey"]), text(&keys["apiSecret"]));
        Self {
            base: text(&keys["baseUrl"]),
            authorization: format!("Basic {}", BASE64_STANDARD.encode(credentials)),
            agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
        }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, DemoError> {
        let (agent, uri) = (self.agent.clone(), format!("{}{path}", self.base));
        let (authorization, once, asked) = (self.authorization.clone(), random()?, method.clone());
        let send = move || {
            let request = ureq::http::Request::builder()
                .method(&asked)
                .uri(&uri)
                .header(header::AUTHORIZATION, &authorization)
                .header(header::CONTENT_TYPE, "application/json")
                .header("idempotency-key", &once);
            let mut response = match &body {
                Some(body) => agent.run(request.body(body.to_string())?)?,
                None => agent.run(request.body(())?)?,
            };
            let text = response.body_mut().read_to_string()?;
            Ok::<_, ureq::Error>((response.status(), text))
        };
        // The service may have restarted and closed the pooled connection, so retry once. The idempotency key makes
        // sure that the request runs only once.
        let response = tokio::task::spawn_blocking(move || send().or_else(|_| send()));
        let (status, text) = response.await.map_err(DemoError::new)?.map_err(DemoError::new)?;
        if !status.is_success() {
            return Err(DemoError(format!("{method} {path}: {status} {text}")));
        }
        if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(&text).map_err(DemoError::new) }
    }
}

/// Returns the customer who is signed in. In this demo, the cookie alone identifies the customer.
fn customer(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    cookies.split("; ").find_map(|cookie| cookie.strip_prefix("customer=")).map(str::to_owned)
}

fn random() -> Result<String, DemoError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(DemoError::new)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(list: &Value) -> &[Value] {
    list["items"].as_array().map_or(&[], Vec::as_slice)
}

/// An error of the service. The demo shows it; a real tenant logs it and shows less.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct DemoError(String);

impl DemoError {
    fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl IntoResponse for DemoError {
    fn into_response(self) -> Response {
        (StatusCode::BAD_GATEWAY, self.0).into_response()
    }
}
