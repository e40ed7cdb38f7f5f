//! Statements for many rows: on PostgreSQL, each statement is a round trip to the server.

use tokio_postgres::types::ToSql;

use super::connection::PgConnection;
use super::session::{dynamic, note};
use super::value::Param;
use super::{Row, Session, Sql};
use crate::StoreError;

/// A statement for one row and a statement for many rows, with the same effect.
pub(crate) struct Batch {
    /// The text for one row. SQLite runs it for each row, because a statement costs little there.
    pub(crate) one: &'static Sql,
    /// The text for PostgreSQL. The parameters after the shared ones are arrays, each of one parameter of every row.
    pub(crate) many: Sql,
}

impl Session<'_> {
    /// Runs a statement for every row, and returns what `read` returns for the rows of all results, in no defined order.
    ///
    /// The shared parameters come before those of a row.
    pub(crate) fn query_batch<T>(
        &mut self,
        batch: &Batch,
        shared: &[Param<'_>],
        rows: &[Vec<Param<'_>>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        if let (Session::Postgres { connection, fault }, [_, _, ..]) = (&mut *self, rows) {
            let found = note(query_arrays(connection, &batch.many, shared, rows), fault)?;
            return found.iter().map(|row| read(&Row::Postgres(row))).collect();
        }
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            found.extend(self.query(batch.one, &[shared, row].concat(), &mut read)?);
        }
        Ok(found)
    }

    /// Runs a statement for every row whose result is not needed. On PostgreSQL, many rows are one round trip, and a single row
    /// waits like [`Session::execute_later`].
    pub(crate) fn execute_batch(
        &mut self,
        batch: &Batch,
        shared: &[Param<'_>],
        rows: &[Vec<Param<'_>>],
    ) -> Result<(), StoreError> {
        if self.is_postgres() && rows.len() > 1 {
            return self.query_batch(batch, shared, rows, |_| Ok(())).map(drop);
        }
        rows.iter().try_for_each(|row| self.execute_later(batch.one, &[shared, row].concat()))
    }
}

fn query_arrays(
    connection: &mut PgConnection,
    many: &Sql,
    shared: &[Param<'_>],
    rows: &[Vec<Param<'_>>],
) -> Result<Vec<tokio_postgres::Row>, StoreError> {
    let width = rows.first().map_or(0, Vec::len);
    let column = |number: usize| rows.iter().filter_map(|row| row.get(number).copied()).collect();
    let columns: Vec<Vec<Param<'_>>> = (0..width).map(column).collect();
    let mut values = dynamic(shared);
    values.extend(columns.iter().map(|column| column as &(dyn ToSql + Sync)));
    connection.query(many, &values)
}
