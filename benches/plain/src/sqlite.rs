//! The plain service on SQLite.

use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Pool, Sqlite};

mod problem;
mod routes;
mod sender;
mod start;

type Db = Sqlite;

/// A transaction that reads first could not become the writer while another one writes.
const BEGIN: &str = "BEGIN IMMEDIATE";
/// One task claims, and a transaction locks the database.
const LOCK_CLAIMED: &str = "";

/// The types of columns in `schema.sql`.
const TYPES: [(&str, &str); 4] =
    [("{ID}", "BLOB"), ("{BYTES}", "BLOB"), ("{JSON}", "TEXT"), ("{NUMBER}", "INTEGER PRIMARY KEY")];

async fn open(file: &str) -> Result<Pool<Db>, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        // One writes at a time. With the default of 5 s, a write of 64 clients could fail.
        .busy_timeout(Duration::from_secs(30));
    SqlitePoolOptions::new().max_connections(start::CONNECTIONS).connect_with(options).await
}

#[tokio::main]
async fn main() -> Result<(), start::StartError> {
    start::run().await
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::http::{Request, StatusCode, header};
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;

    async fn service(folder: &std::path::Path) -> (Pool<Db>, Router, start::Key) {
        let pool = open(&folder.join("plain.db").to_string_lossy()).await.unwrap();
        let account =
            json!({"providerId": "p", "connectionStatus": "OK", "monitorStatus": "OK", "connection": {}});
        let key = start::prepare(&pool, &account).await.unwrap();
        (pool.clone(), routes::router(routes::App { pool }), key)
    }

    fn basic(id: &str, secret: &str) -> String {
        format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))
    }

    async fn send(router: &Router, request: Request<Body>) -> (StatusCode, Value) {
        let response = router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap())
    }

    fn request(method: &str, path: &str, authorization: &str, body: &Value) -> Request<Body> {
        Request::builder()
            .method(method)
            .uri(format!("/sandbox/v1{path}"))
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))
            .unwrap()
    }

    #[tokio::test]
    async fn only_the_right_key_creates_a_user() {
        let folder = tempfile::tempdir().unwrap();
        let (pool, router, key) = service(folder.path()).await;
        let wrong =
            [basic(&key.id, "secret"), basic("id", &key.secret), "Basic !".to_owned(), key.secret.clone()];
        for wrong in wrong {
            let (status, problem) = send(&router, request("POST", "/users", &wrong, &json!({}))).await;
            assert_eq!((status, &problem["status"]), (StatusCode::UNAUTHORIZED, &json!(401)), "{wrong}");
        }
        let (authorization, body) = (basic(&key.id, &key.secret), json!({"reference": "customer-1"}));
        let (status, user) = send(&router, request("POST", "/users", &authorization, &body)).await;
        assert_eq!((status, &user["reference"]), (StatusCode::CREATED, &json!("customer-1")));
        let counts: (i64, i64) =
            sqlx::query_as("SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM tokens)")
                .fetch_one(&pool)
                .await
                .unwrap();
        assert_eq!(counts, (1, 1));
    }

    #[tokio::test]
    async fn pages_have_every_account_once() {
        let folder = tempfile::tempdir().unwrap();
        let (_, router, key) = service(folder.path()).await;
        let authorization = basic(&key.id, &key.secret);
        let (mut seen, mut cursor) = (std::collections::HashSet::new(), String::new());
        loop {
            let path = format!("/accounts?size=150{cursor}");
            let (status, page) = send(&router, request("GET", &path, &authorization, &Value::Null)).await;
            assert_eq!(status, StatusCode::OK);
            for account in page["items"].as_array().unwrap() {
                assert!(seen.insert(account["id"].to_string()));
            }
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(seen.len(), start::ACCOUNTS);
        let path = format!("/accounts/{}", seen.iter().next().unwrap().trim_matches('"'));
        let (status, account) = send(&router, request("GET", &path, &authorization, &Value::Null)).await;
        assert_eq!((status, &account["providerId"]), (StatusCode::OK, &json!("p")));
    }

    #[tokio::test]
    async fn event_has_a_delivery_for_each_active_webhook() {
        let folder = tempfile::tempdir().unwrap();
        let (pool, router, key) = service(folder.path()).await;
        let authorization = basic(&key.id, &key.secret);
        let mut ids = Vec::new();
        for _ in 0..3 {
            // Port 9 of this machine refuses connections.
            let webhook = json!({"url": "http://127.0.0.1:9/", "secret": "a secret of a tenant"});
            let (status, made) = send(&router, request("POST", "/webhooks", &authorization, &webhook)).await;
            assert_eq!(status, StatusCode::CREATED);
            ids.push(made["id"].as_str().unwrap().to_owned());
        }
        let path = format!("/webhooks/{}", ids[0]);
        let (status, _) = send(&router, request("DELETE", &path, &authorization, &Value::Null)).await;
        assert_eq!(status, StatusCode::OK);
        let event = json!({"type": "USER_CREATED", "data": {"userId": "u"}});
        let (status, _) = send(&router, request("POST", "/events", &authorization, &event)).await;
        assert_eq!(status, StatusCode::CREATED);
        let count: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM deliveries").fetch_one(&pool).await.unwrap();
        assert_eq!(count, 2);

        let app = routes::App { pool: pool.clone() };
        let claimed = sender::claim(&app).await.unwrap();
        assert_eq!((claimed.len(), sender::claim(&app).await.unwrap().len()), (2, 0));
        let delivered = claimed[0].id;
        let outcomes =
            claimed.into_iter().map(|it| sender::Outcome { is_delivered: it.id == delivered, delivery: it });
        sender::record(&app, &outcomes.collect::<Vec<_>>()).await.unwrap();
        let states: Vec<(String, i64)> =
            sqlx::query_as("SELECT status, attempts FROM deliveries ORDER BY status")
                .fetch_all(&pool)
                .await
                .unwrap();
        assert_eq!(states, [("DELIVERED".to_owned(), 1), ("PENDING".to_owned(), 1)]);
    }
}
