//! Execution of units of work: one writer with group commit on SQLite, a connection pool on PostgreSQL.

mod checkpoints;
pub(crate) mod folder;
mod group;
pub(crate) mod postgres;
mod postgres_address;
mod postgres_server;
mod readers;
mod rotation;
pub(crate) mod sqlite;
pub(crate) mod unit;
mod vacuum;

pub(crate) use self::postgres::PostgresEngine;
pub(crate) use self::postgres_server::PostgresServer;
pub(crate) use self::sqlite::SqliteEngine;
pub(crate) use self::unit::{Unit, Verdict};

/// The database behind a store.
pub(crate) enum Engine {
    /// A folder that this process owns, or memory.
    Sqlite(SqliteEngine),
    /// A server that nodes may share.
    Postgres(PostgresEngine),
}
