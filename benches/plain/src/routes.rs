//! The routes.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sqlx::types::Json as Column;
use sqlx::{Pool, Transaction};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tower_http::trace::{DefaultMakeSpan, DefaultOnResponse, TraceLayer};
use tracing::Level;
use uuid::Uuid;

use crate::problem::Problem;
use crate::start::{hash, random};
use crate::{BEGIN, Db, execute};

const TOKEN_LIFETIME: Duration = Duration::from_secs(30 * 60);
/// The longest page of a list.
const MAX_SIZE: i64 = 150;
const ACCOUNT: &str =
    "SELECT id, created_at, user_id, provider_id, connection_status, monitor_status, details FROM accounts";

type Account = (Uuid, i64, String, String, String, String, Column<Map<String, Value>>);

type Created = Result<(StatusCode, Json<Value>), Problem>;

/// The state of the service.
#[derive(Clone)]
pub struct App {
    /// The only pool.
    pub pool: Pool<Db>,
}

impl App {
    /// Begins a transaction that writes.
    pub async fn write(&self) -> Result<Transaction<'static, Db>, sqlx::Error> {
        let pool = self.pool.clone();
        // In a task, because sqlx leaves the transaction open if its client disconnects while it begins.
        let begun = tokio::spawn(async move { pool.begin_with(BEGIN).await });
        begun.await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }
}

/// Returns the routes.
pub fn router(app: App) -> Router {
    let log = TraceLayer::new_for_http()
        .make_span_with(DefaultMakeSpan::new().level(Level::INFO))
        .on_response(DefaultOnResponse::new().level(Level::INFO));
    let routes = Router::new()
        .route("/users", post(create_user))
        .route("/accounts", get(list_accounts))
        .route("/accounts/{id}", get(get_account))
        .route("/webhooks", post(create_webhook))
        .route("/webhooks/{id}", delete(delete_webhook))
        .route("/events", post(create_event));
    Router::new().nest("/sandbox/v1", routes).layer(log).with_state(app)
}

/// Returns the tenant of the API key in the header.
async fn authenticate(
    db: &mut <Db as sqlx::Database>::Connection,
    headers: &HeaderMap,
) -> Result<String, Problem> {
    let header = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
    let pair = header.and_then(|it| it.strip_prefix("Basic ")).and_then(|it| STANDARD.decode(it).ok());
    let pair = pair.and_then(|it| String::from_utf8(it).ok()).ok_or(Problem::Unauthorized)?;
    let (id, secret) = pair.split_once(':').ok_or(Problem::Unauthorized)?;
    let tenant = sqlx::query_scalar("SELECT tenant FROM keys WHERE id = $1 AND secret_hash = $2");
    let tenant = tenant.bind(id).bind(hash(secret)).fetch_optional(db).await?;
    tenant.ok_or(Problem::Unauthorized)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewUser {
    reference: Option<String>,
    #[serde(default)]
    external_metadata: BTreeMap<String, String>,
}

async fn create_user(State(app): State<App>, headers: HeaderMap, Json(new): Json<NewUser>) -> Created {
    let mut tx = app.write().await?;
    let tenant = authenticate(&mut tx, &headers).await?;
    let (id, created_at) = (new_id(), milliseconds());
    let text = "INSERT INTO users (id, tenant, created_at, reference, external_metadata) VALUES ($1, $2, $3, $4, $5)";
    execute!(tx, text, id, &tenant, created_at, &new.reference, Column(&new.external_metadata))?;
    let token = random();
    let expires_at = created_at + TOKEN_LIFETIME.as_millis() as i64;
    let text = "INSERT INTO tokens (hash, user_id, expires_at) VALUES ($1, $2, $3)";
    execute!(tx, text, hash(&token), id, expires_at)?;
    tx.commit().await?;
    let body = json!({
        "id": id, "createdAt": format_time(created_at), "reference": new.reference, "externalMetadata": new.external_metadata,
        "token": {"accessToken": token, "expiresAt": format_time(expires_at)},
    });
    Ok((StatusCode::CREATED, Json(body)))
}

async fn get_account(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<Uuid>,
) -> Result<Json<Value>, Problem> {
    let mut db = app.pool.acquire().await?;
    let tenant = authenticate(&mut db, &headers).await?;
    let text = format!("{ACCOUNT} WHERE tenant = $1 AND id = $2");
    let row = sqlx::query_as(&text).bind(tenant).bind(id).fetch_optional(&mut *db).await?;
    row.map(|row| Json(account(row))).ok_or(Problem::NotFound)
}

#[derive(Deserialize)]
struct Page {
    size: Option<i64>,
    cursor: Option<Uuid>,
}

async fn list_accounts(
    State(app): State<App>,
    headers: HeaderMap,
    Query(page): Query<Page>,
) -> Result<Json<Value>, Problem> {
    let mut db = app.pool.acquire().await?;
    let tenant = authenticate(&mut db, &headers).await?;
    let size = page.size.unwrap_or(50).clamp(1, MAX_SIZE);
    let text = format!("{ACCOUNT} WHERE tenant = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    let rows: Vec<Account> = sqlx::query_as(&text)
        .bind(tenant)
        .bind(page.cursor.unwrap_or(Uuid::max()))
        .bind(size)
        .fetch_all(&mut *db)
        .await?;
    let next = rows.last().filter(|_| rows.len() as i64 == size).map(|row| row.0);
    let items: Vec<Value> = rows.into_iter().map(account).collect();
    Ok(Json(json!({"items": items, "nextCursor": next})))
}

fn account((id, created_at, user, provider, connection, monitor, Column(details)): Account) -> Value {
    let mut body = json!({
        "id": id, "createdAt": format_time(created_at), "userId": user, "providerId": provider,
        "connectionStatus": connection, "monitorStatus": monitor,
    });
    body.as_object_mut().into_iter().for_each(|body| body.extend(details.clone()));
    body
}

#[derive(Deserialize)]
struct NewWebhook {
    url: String,
    secret: String,
}

async fn create_webhook(State(app): State<App>, headers: HeaderMap, Json(new): Json<NewWebhook>) -> Created {
    let mut tx = app.write().await?;
    let tenant = authenticate(&mut tx, &headers).await?;
    let id = new_id();
    let text = "INSERT INTO webhooks (id, tenant, url, secret, is_active) VALUES ($1, $2, $3, $4, TRUE)";
    execute!(tx, text, id, tenant, &new.url, new.secret)?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(json!({"id": id, "url": new.url}))))
}

async fn delete_webhook(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<Uuid>,
) -> Result<Json<Value>, Problem> {
    let mut tx = app.write().await?;
    let tenant = authenticate(&mut tx, &headers).await?;
    let text = "UPDATE webhooks SET is_active = FALSE WHERE id = $1 AND tenant = $2";
    let deleted = execute!(tx, text, id, tenant)?;
    tx.commit().await?;
    if deleted.rows_affected() == 0 { Err(Problem::NotFound) } else { Ok(Json(json!({"id": id}))) }
}

#[derive(Deserialize)]
struct NewEvent {
    #[serde(rename = "type")]
    kind: String,
    data: Value,
}

async fn create_event(State(app): State<App>, headers: HeaderMap, Json(new): Json<NewEvent>) -> Created {
    let mut tx = app.write().await?;
    let tenant = authenticate(&mut tx, &headers).await?;
    let (id, created_at) = (new_id(), milliseconds());
    let body = json!({
        "id": id, "version": 1, "type": new.kind, "createdAt": format_time(created_at), "data": new.data,
    });
    let text = "INSERT INTO events (id, tenant, created_at, body) VALUES ($1, $2, $3, $4)";
    execute!(tx, text, id, &tenant, created_at, body.to_string())?;
    let deliveries = "INSERT INTO deliveries (event_id, webhook_id, status, attempts, due_at) \
                      SELECT $1, id, 'PENDING', 0, $2 FROM webhooks WHERE tenant = $3 AND is_active";
    execute!(tx, deliveries, id, created_at, tenant)?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(body)))
}

/// Returns a new id, which is greater than those before.
pub fn new_id() -> Uuid {
    Uuid::now_v7()
}

/// Returns the milliseconds since 1970.
pub fn milliseconds() -> i64 {
    std::time::UNIX_EPOCH.elapsed().unwrap_or_default().as_millis() as i64
}

fn format_time(milliseconds: i64) -> String {
    let nanoseconds = i128::from(milliseconds) * 1_000_000;
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(&Rfc3339).unwrap_or_default()
}
