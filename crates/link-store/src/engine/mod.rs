//! How units of work reach a database: one writer with group commit on SQLite, a pool on PostgreSQL.

pub(crate) mod folder;
pub(crate) mod postgres;
pub(crate) mod sqlite;
mod sweeper;
pub(crate) mod unit;

pub(crate) use self::postgres::PostgresEngine;
pub(crate) use self::sqlite::SqliteEngine;
pub(crate) use self::unit::{Unit, Verdict};

/// The database behind a store.
pub(crate) enum Engine {
    /// A folder of this process, or memory.
    Sqlite(SqliteEngine),
    /// A server that nodes share.
    Postgres(PostgresEngine),
}
