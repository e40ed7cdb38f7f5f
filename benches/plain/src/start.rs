//! Prepares the database, writes the key and serves.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::Pool;
use sqlx::types::Json;
use uuid::Uuid;

use crate::routes::{App, milliseconds, new_id};
use crate::{BEGIN, Db, TYPES, execute, open, routes, sender};

/// The size of the pool.
pub const CONNECTIONS: u32 = 10;
/// The number of accounts that a new database gets.
pub const ACCOUNTS: usize = 1_000;
const TENANT: &str = "demo";

/// The reason for which the service stopped.
pub type StartError = Box<dyn std::error::Error>;

/// The key of a tenant.
pub struct Key {
    /// The first part of the `Authorization` header.
    pub id: String,
    /// Its second part.
    pub secret: String,
}

/// Serves with the arguments of the command line: port, database, file for the key, file with an account.
pub async fn run() -> Result<(), StartError> {
    tracing_subscriber::fmt().json().init();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [port, database, keys, account] = words.as_slice() else {
        return Err("usage: plain-sqlite|plain-postgres <port> <database> <keys> <account>".into());
    };
    let pool = open(database).await?;
    let Key { id, secret } = prepare(&pool, &serde_json::from_slice(&std::fs::read(account)?)?).await?;
    std::fs::write(keys, json!({"sandbox": {"apiKey": id, "apiSecret": secret}}).to_string())?;
    let app = App { pool };
    tokio::spawn(sender::run(app.clone()));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    Ok(axum::serve(listener, routes::router(app)).await?)
}

/// Creates the tables, a new key, and accounts like this one. Returns the key.
pub async fn prepare(pool: &Pool<Db>, account: &Value) -> Result<Key, StartError> {
    let mut tx = pool.begin_with(BEGIN).await?;
    let schema =
        TYPES.iter().fold(include_str!("schema.sql").to_owned(), |it, (name, of)| it.replace(name, of));
    sqlx::raw_sql(&schema).execute(&mut *tx).await?;
    let key = Key { id: new_id().to_string(), secret: random() };
    execute!(tx, "INSERT INTO keys VALUES ($1, $2, $3)", &key.id, hash(&key.secret), TENANT)?;
    let text = |name: &str| account[name].as_str().unwrap_or_default().to_owned();
    let mut details = account.clone();
    let columns = ["id", "createdAt", "userId", "providerId", "connectionStatus", "monitorStatus"];
    let [_, _, user, provider, connection, monitor] = columns.map(text);
    details.as_object_mut().into_iter().for_each(|it| it.retain(|name, _| !columns.contains(&name.as_str())));
    let insert = "INSERT INTO accounts VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    for _ in 0..ACCOUNTS {
        let (id, now) = (new_id(), milliseconds());
        execute!(tx, insert, id, TENANT, now, &user, &provider, &connection, &monitor, Json(&details))?;
    }
    tx.commit().await?;
    Ok(key)
}

/// Returns the hash under which a secret is stored.
pub fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret).to_vec()
}

/// Returns a secret with the randomness of two ids.
pub fn random() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}
