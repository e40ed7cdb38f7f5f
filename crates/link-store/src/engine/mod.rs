//! Execution of units of work: one writer with group commit on SQLite, a connection pool on PostgreSQL.

mod checkpoints;
pub(crate) mod folder;
mod group;
mod held_log;
pub(crate) mod postgres;
mod postgres_address;
mod postgres_client;
mod postgres_login;
mod postgres_notices;
mod postgres_pool;
mod postgres_queue;
mod postgres_server;
mod postgres_tls;
mod readers;
mod rotation;
pub(crate) mod sqlite;
pub(crate) mod unit;
mod vacuum;

pub(crate) use self::postgres::{PostgresEngine, QUEUE_TIMEOUT, UNIT_TIMEOUT};
pub(crate) use self::postgres_client::PgClient;
pub use self::postgres_pool::PoolHealth;
pub(crate) use self::postgres_server::PostgresServer;
pub(crate) use self::sqlite::SqliteEngine;
pub(crate) use self::unit::{Unit, Verdict};

/// The database behind a store.
#[expect(clippy::large_enum_variant, reason = "a process has one")]
pub(crate) enum Engine {
    /// A folder that this process owns, or memory.
    Sqlite(SqliteEngine),
    /// A server that nodes may share.
    Postgres(PostgresEngine),
}
