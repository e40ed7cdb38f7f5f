//! A connection to either database, for the duration of one unit or read.

use tokio_postgres::types::ToSql;

use super::connection::PgConnection;
use super::row::Row;
use super::statement::Sql;
use super::value::Param;
use crate::StoreError;

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
            Session::Postgres { connection, fault } => note(connection.execute(sql, params), fault),
        }
    }

    /// Runs a statement of a unit of work whose result is not needed. On PostgreSQL it is sent with the next statement or
    /// the commit, in one round trip, and an error is that statement's.
    pub(crate) fn execute_later(&mut self, sql: &Sql, params: &[Param<'_>]) -> Result<(), StoreError> {
        match self {
            Session::Sqlite(_) => self.execute(sql, params).map(drop),
            Session::Postgres { connection, fault } => {
                note(connection.execute_later(sql, params, false), fault)
            }
        }
    }

    /// Runs a statement as [`Self::execute_later`] does. If it affects no row, the unit of work runs again on PostgreSQL: then
    /// [`Self::is_rerun`] returns true.
    ///
    /// # Errors
    ///
    /// [`StoreError::Duplicate`] on SQLite, which runs no unit again.
    pub(crate) fn require_later(&mut self, sql: &Sql, params: &[Param<'_>]) -> Result<(), StoreError> {
        match self {
            Session::Sqlite(_) => match self.execute(sql, params)? {
                0 => Err(StoreError::Duplicate(sql.name.to_owned())),
                _ => Ok(()),
            },
            Session::Postgres { connection, fault } => {
                note(connection.execute_later(sql, params, true), fault)
            }
        }
    }

    /// Returns whether the unit of work has run before. SQLite runs none again.
    pub(crate) const fn is_rerun(&self) -> bool {
        match self {
            Session::Sqlite(_) => false,
            Session::Postgres { connection, .. } => connection.is_rerun(),
        }
    }

    /// Locks rows until the end of the unit of work, in one round trip with the statement that reads them. SQLite has one
    /// writer, and needs no lock.
    pub(crate) fn lock(&mut self, sql: &Sql, params: &[Param<'_>]) -> Result<(), StoreError> {
        match self {
            Session::Sqlite(_) => Ok(()),
            Session::Postgres { .. } => self.execute_later(sql, params),
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
            Session::Postgres { connection, fault } => note(connection.script(text), fault),
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

    /// Returns the round trips of the connection so far.
    #[cfg(test)]
    pub(crate) fn round_trips(&self) -> usize {
        let Session::Postgres { connection, .. } = self else { panic!("SQLite has none") };
        connection.client.round_trips
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
