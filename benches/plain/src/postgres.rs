//! The plain service on PostgreSQL.

use sqlx::postgres::PgPoolOptions;
use sqlx::{Pool, Postgres};

mod problem;
mod routes;
mod sender;
mod start;

type Db = Postgres;

const BEGIN: &str = "BEGIN";
/// Lets several processes claim at the same time.
const LOCK_CLAIMED: &str = "FOR UPDATE OF d SKIP LOCKED";

/// The types of columns in `schema.sql`.
const TYPES: [(&str, &str); 4] = [
    ("{ID}", "UUID"),
    ("{BYTES}", "BYTEA"),
    ("{JSON}", "JSONB"),
    ("{NUMBER}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
];

async fn open(address: &str) -> Result<Pool<Db>, sqlx::Error> {
    PgPoolOptions::new().max_connections(start::CONNECTIONS).connect(address).await
}

#[tokio::main]
async fn main() -> Result<(), start::StartError> {
    start::run().await
}
