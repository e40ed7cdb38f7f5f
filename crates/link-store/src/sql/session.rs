//! A connection to either database, for the duration of one unit or read.

use std::collections::HashMap;

use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use super::row::Row;
use super::statement::{Sql, render_postgres};
use super::value::Param;
use crate::StoreError;
use crate::engine::PgClient;

/// A PostgreSQL connection and its prepared statements.
pub(crate) struct PgConnection {
    pub(crate) client: PgClient,
    statements: HashMap<String, tokio_postgres::Statement>,
}

impl PgConnection {
    pub(crate) fn new(client: PgClient) -> Self {
        PgConnection { client, statements: HashMap::new() }
    }

    /// Runs a query.
    pub(crate) fn query(
        &mut self,
        sql: &Sql,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let statement = self.prepare(sql)?;
        self.client.query(&statement, values).map_err(postgres_error)
    }

    fn prepare(&mut self, sql: &Sql) -> Result<tokio_postgres::Statement, StoreError> {
        if let Some(statement) = self.statements.get(sql.text.as_ref()) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&render_postgres(&sql.text))?;
        self.statements.insert(sql.text.clone().into_owned(), statement.clone());
        Ok(statement)
    }
}

/// Runs statements on either database.
pub(crate) enum Session<'c> {
    /// A SQLite connection.
    Sqlite(&'c rusqlite::Connection),
    /// A PostgreSQL connection.
    Postgres {
        /// The connection.
        connection: &'c mut PgConnection,
        /// The first failed statement. After it the server rejects every later statement of the transaction.
        fault: Option<Unusable>,
    },
}

/// Reason why a PostgreSQL transaction can no longer be committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// A serialization failure or a deadlock. A second run may succeed.
    Transient,
    /// Anything else.
    Final,
}

impl Session<'_> {
    /// Runs a statement and returns the number of affected rows.
    pub(crate) fn execute(&mut self, sql: &Sql, params: &[Param<'_>]) -> Result<u64, StoreError> {
        match self {
            Session::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&sql.text)?;
                let touched = statement
                    .execute(rusqlite::params_from_iter(params))
                    .map_err(|error| sqlite_error(error, sql))?;
                Ok(touched as u64)
            }
            Session::Postgres { connection, fault } => {
                let result = connection.prepare(sql).and_then(|statement| {
                    connection.client.execute(&statement, &dynamic(params)).map_err(postgres_error)
                });
                note(result, fault)
            }
        }
    }

    /// Returns all rows of a query.
    pub(crate) fn query<T>(
        &mut self,
        sql: &Sql,
        params: &[Param<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        match self {
            Session::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&sql.text)?;
                let mut rows = statement.query(rusqlite::params_from_iter(params))?;
                let mut found = Vec::new();
                while let Some(row) = rows.next().map_err(|error| sqlite_error(error, sql))? {
                    found.push(read(&Row::Sqlite(row))?);
                }
                Ok(found)
            }
            Session::Postgres { connection, fault } => {
                let result = connection.query(sql, &dynamic(params));
                note(result, fault)?.iter().map(|row| read(&Row::Postgres(row))).collect()
            }
        }
    }

    /// Returns the first row of a query, if there is one.
    pub(crate) fn find<T>(
        &mut self,
        sql: &Sql,
        params: &[Param<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match self {
            Session::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(&sql.text)?;
                let mut rows = statement.query(rusqlite::params_from_iter(params))?;
                let row = rows.next().map_err(|error| sqlite_error(error, sql))?;
                row.map(|row| read(&Row::Sqlite(row))).transpose()
            }
            Session::Postgres { .. } => Ok(self.query(sql, params, read)?.into_iter().next()),
        }
    }

    /// Returns the clock that leases and due times are compared with.
    ///
    /// On PostgreSQL this is the server's clock, because nodes may disagree. On SQLite it is `local`, because there is
    /// only one process.
    pub(crate) fn wall(&mut self, local: i64) -> Result<i64, StoreError> {
        const SERVER_CLOCK: Sql = Sql::from_static(
            "server clock",
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
        );
        match self {
            Session::Sqlite(_) => Ok(local),
            Session::Postgres { .. } => Ok(self.find(&SERVER_CLOCK, &[], |row| row.int(0))?.unwrap_or(local)),
        }
    }

    /// Runs a script without parameters, written for this database only.
    pub(crate) fn script(&mut self, text: &str) -> Result<(), StoreError> {
        match self {
            Session::Sqlite(connection) => Ok(connection.execute_batch(text)?),
            Session::Postgres { connection, fault } => note(connection.client.batch_execute(text), fault),
        }
    }

    /// Prepares a statement without running it.
    #[cfg(test)]
    pub(crate) fn prepare(&mut self, sql: &Sql) -> Result<(), StoreError> {
        match self {
            Session::Sqlite(connection) => Ok(connection.prepare(&sql.text).map(drop)?),
            Session::Postgres { connection, .. } => connection.prepare(sql).map(drop),
        }
    }

    /// Returns why the transaction can no longer be committed, if so.
    pub(crate) fn fault(&self) -> Option<Unusable> {
        match self {
            Session::Sqlite(_) => None,
            Session::Postgres { fault, .. } => *fault,
        }
    }

    /// Returns whether this is PostgreSQL.
    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self, Session::Postgres { .. })
    }
}

pub(super) fn dynamic<'a>(params: &'a [Param<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

pub(super) fn note<T>(result: Result<T, StoreError>, fault: &mut Option<Unusable>) -> Result<T, StoreError> {
    result.inspect_err(|error| {
        fault.get_or_insert(if error.is_transient() { Unusable::Transient } else { Unusable::Final });
    })
}

fn sqlite_error(error: rusqlite::Error, sql: &Sql) -> StoreError {
    match error.sqlite_error() {
        Some(code)
            if code.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE
                || code.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY =>
        {
            StoreError::Duplicate(sql.name.to_owned())
        }
        Some(_) | None => StoreError::Sqlite(error),
    }
}

fn postgres_error(error: StoreError) -> StoreError {
    let StoreError::Postgres(error) = error else { return error };
    match error.as_db_error() {
        Some(refusal) if *refusal.code() == SqlState::UNIQUE_VIOLATION => {
            StoreError::Duplicate(refusal.constraint().unwrap_or("unique").to_owned())
        }
        Some(refusal) if *refusal.code() == SqlState::LOCK_NOT_AVAILABLE => StoreError::Busy,
        Some(_) | None => StoreError::Postgres(error),
    }
}
