//! A row of either driver. [`super::columns!`] names the positions of its columns.

use crate::StoreError;

/// A result row.
pub(crate) enum Row<'r> {
    /// From rusqlite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// From `postgres`.
    Postgres(&'r tokio_postgres::Row),
}

impl Row<'_> {
    /// Returns a BIGINT column.
    pub(crate) fn int(&self, column: usize) -> Result<i64, StoreError> {
        self.get(column)
    }

    /// Returns a BIGINT column that may be NULL.
    pub(crate) fn opt_int(&self, column: usize) -> Result<Option<i64>, StoreError> {
        self.get(column)
    }

    /// Returns a 0/1 column.
    pub(crate) fn flag(&self, column: usize) -> Result<bool, StoreError> {
        Ok(self.int(column)? != 0)
    }

    /// Returns the result of a comparison: 0/1 on SQLite, a boolean on PostgreSQL.
    pub(crate) fn truth(&self, column: usize) -> Result<bool, StoreError> {
        self.get(column)
    }

    /// Returns a TEXT column, borrowed from the row.
    pub(crate) fn str(&self, column: usize) -> Result<&str, StoreError> {
        match self {
            Row::Sqlite(row) => Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?),
            Row::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    /// Returns a TEXT column that may be NULL, borrowed from the row.
    pub(crate) fn opt_str(&self, column: usize) -> Result<Option<&str>, StoreError> {
        match self {
            Row::Sqlite(row) => Ok(row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?),
            Row::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    /// Returns a BYTES column, borrowed from the row.
    pub(crate) fn slice(&self, column: usize) -> Result<&[u8], StoreError> {
        match self {
            Row::Sqlite(row) => Ok(row.get_ref(column)?.as_blob().map_err(rusqlite::Error::from)?),
            Row::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    /// Returns a BYTES column that may be NULL, borrowed from the row.
    pub(crate) fn opt_slice(&self, column: usize) -> Result<Option<&[u8]>, StoreError> {
        match self {
            Row::Sqlite(row) => Ok(row.get_ref(column)?.as_blob_or_null().map_err(rusqlite::Error::from)?),
            Row::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    /// Returns a TEXT column.
    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        self.get(column)
    }

    /// Returns a TEXT column that may be NULL.
    pub(crate) fn opt_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        self.get(column)
    }

    /// Returns a BYTES column.
    pub(crate) fn bytes(&self, column: usize) -> Result<Vec<u8>, StoreError> {
        self.get(column)
    }

    /// Returns a BYTES column that may be NULL.
    pub(crate) fn opt_bytes(&self, column: usize) -> Result<Option<Vec<u8>>, StoreError> {
        self.get(column)
    }

    fn get<T>(&self, column: usize) -> Result<T, StoreError>
    where
        T: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a>,
    {
        match self {
            Row::Sqlite(row) => Ok(row.get(column)?),
            Row::Postgres(row) => Ok(row.try_get(column)?),
        }
    }
}
