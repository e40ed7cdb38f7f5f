//! Reads the tables of a database in one snapshot, and fills an empty one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bytes::{Bytes, BytesMut};
use rusqlite::Connection;
use rusqlite::types::{ToSqlOutput, ValueRef};

use super::catalog::{KEY_BUCKETS, Kind, SCOPE_KEYS, Table, bucket_table};
use super::error::BackupError;
use super::row::{COPY_HEADER, COPY_TRAILER, CopyRows, RowBuilder, fields_of, int_of};
use crate::StoreError;
use crate::keys::{Bucket, bucket_of};
use crate::sql::PgConnection;
use crate::sql::{Session, Sql, params};

/// Takes a row, or stops the read with an error.
pub(super) type TakeRow<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), BackupError>;
/// Returns the next row to write.
pub(super) type NextRow<'a> = &'a mut dyn FnMut() -> Result<Option<Bytes>, BackupError>;

// Each runs on one of the two databases.
static SIZE_SQLITE: Sql = Sql::from_static(
    "backup::SIZE_SQLITE",
    "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()",
);
static SIZE_POSTGRES: Sql = Sql::from_static(
    "backup::SIZE_POSTGRES",
    "SELECT CAST(COALESCE(SUM(pg_table_size(oid)), 0) AS BIGINT) FROM pg_class \
     WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace)",
);
static TABLES_POSTGRES: Sql = Sql::from_static(
    "backup::TABLES_POSTGRES",
    "SELECT COUNT(*) FROM pg_class \
     WHERE relkind IN ('r', 'p') AND relnamespace = CAST(current_schema() AS regnamespace)",
);

static SESSIONS_POSTGRES: Sql = Sql::from_static(
    "backup::SESSIONS_POSTGRES",
    "SELECT CAST(current_database() AS TEXT), (SELECT COUNT(*) FROM pg_stat_activity \
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid() \
     AND backend_type = 'client backend')",
);

/// A connection that only a backup or a restore uses.
pub(crate) enum Database {
    Sqlite(Connection),
    Postgres(Box<PgConnection>),
}

impl Database {
    pub(super) fn is_postgres(&self) -> bool {
        matches!(self, Database::Postgres(_))
    }

    pub(super) fn session(&mut self) -> Session<'_> {
        match self {
            Database::Sqlite(connection) => Session::Sqlite(connection),
            Database::Postgres(connection) => Session::Postgres { connection, fault: None },
        }
    }

    /// Begins a transaction whose reads all see the same state.
    pub(super) fn begin_snapshot(&mut self) -> Result<(), StoreError> {
        let text = match self {
            Database::Sqlite(_) => "BEGIN",
            Database::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        self.session().script(text)?;
        self.allow_long_statements()
    }

    /// Begins a transaction that fills the database.
    pub(super) fn begin_fill(&mut self) -> Result<(), StoreError> {
        self.session().script("BEGIN")?;
        self.allow_long_statements()
    }

    /// Overrides the limits of the server, which are meant for the short statements of a service.
    fn allow_long_statements(&mut self) -> Result<(), StoreError> {
        match self {
            Database::Sqlite(_) => Ok(()),
            Database::Postgres(_) => self.session().script(
                "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                 SET LOCAL idle_in_transaction_session_timeout = 0",
            ),
        }
    }

    /// Returns the name of a PostgreSQL database, and the number of other sessions of this user in it.
    pub(super) fn find_sessions(&mut self) -> Result<(String, i64), StoreError> {
        let found =
            self.session().find(&SESSIONS_POSTGRES, params![], |row| Ok((row.text(0)?, row.int(1)?)))?;
        Ok(found.unwrap_or_default())
    }

    /// Returns the size of the tables in bytes.
    pub(super) fn size(&mut self) -> Result<u64, StoreError> {
        if let Database::Sqlite(connection) = self {
            return Self::size_of_sqlite(connection);
        }
        let size = self.session().find(&SIZE_POSTGRES, params![], |row| row.int(0))?;
        Ok(size.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }

    /// Returns the size of a SQLite database without its free pages.
    pub(super) fn size_of_sqlite(connection: &Connection) -> Result<u64, StoreError> {
        let size = Session::Sqlite(connection).find(&SIZE_SQLITE, params![], |row| row.int(0))?;
        Ok(size.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }

    /// Returns whether a PostgreSQL database has a table.
    pub(super) fn has_tables(&mut self) -> Result<bool, StoreError> {
        Ok(self.session().find(&TABLES_POSTGRES, params![], |row| row.int(0))?.is_some_and(|it| it > 0))
    }

    /// Reads all rows of a table in the order of its primary key. At most one row, and what the connection buffers, is in
    /// memory.
    pub(super) fn read_table(&mut self, table: &Table, take: TakeRow<'_>) -> Result<(), BackupError> {
        match self {
            Database::Sqlite(connection) => read_sqlite(connection, table, take),
            Database::Postgres(connection) => read_postgres(connection, table, take),
        }
    }

    /// Fills an empty table.
    pub(super) fn fill_table(&mut self, table: &Table, next: NextRow<'_>) -> Result<(), BackupError> {
        match self {
            Database::Sqlite(connection) => fill_sqlite(connection, table, next),
            Database::Postgres(connection) => match table.name.as_str() {
                KEY_BUCKETS => fill_buckets(connection, next),
                SCOPE_KEYS => {
                    let columns = format!("{}, bucket", table.columns_text());
                    copy_in(connection, &table.name, &columns, &mut || {
                        next()?.map(|row| name_bucket(table, &row)).transpose()
                    })
                }
                name => copy_in(connection, name, &table.columns_text(), next),
            },
        }
    }
}

fn read_sqlite(connection: &Connection, table: &Table, take: TakeRow<'_>) -> Result<(), BackupError> {
    let mut statement = connection.prepare(&table.select())?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut built = RowBuilder::new(table.columns.len());
        for at in 0..table.columns.len() {
            match row.get_ref(at)? {
                ValueRef::Null => built.push_null(),
                ValueRef::Integer(value) => built.push_int(value),
                ValueRef::Text(value) | ValueRef::Blob(value) => built.push_bytes(value),
                ValueRef::Real(_) => return Err(undecodable(table)),
            }
        }
        take(&built.finish())?;
    }
    Ok(())
}

fn read_postgres(connection: &mut PgConnection, table: &Table, take: TakeRow<'_>) -> Result<(), BackupError> {
    let (mut rows, mut failed) = (CopyRows::default(), None);
    let text = format!("COPY ({}) TO STDOUT (FORMAT binary)", table.select());
    connection.client.copy_out(&text, &mut |piece| {
        rows.push(&piece);
        while let Some(row) = rows.next_row() {
            if let Err(error) = take(&row) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(()), Err)
}

fn fill_sqlite(connection: &Connection, table: &Table, next: NextRow<'_>) -> Result<(), BackupError> {
    let places = vec!["?"; table.columns.len()].join(", ");
    let text = format!("INSERT INTO {} ({}) VALUES ({places})", table.name, table.columns_text());
    let mut statement = connection.prepare(&text)?;
    while let Some(row) = next()? {
        let fields = fields_of(&row, table.columns.len()).ok_or_else(|| undecodable(table))?;
        let mut values = Vec::with_capacity(fields.len());
        for (field, column) in fields.into_iter().zip(&table.columns) {
            let value = match (field, column.kind) {
                (None, _) => ValueRef::Null,
                (Some(_), Kind::Int) => ValueRef::Integer(int_of(field).ok_or_else(|| undecodable(table))?),
                (Some(bytes), Kind::Text) => ValueRef::Text(bytes),
                (Some(bytes), Kind::Bytes) => ValueRef::Blob(bytes),
            };
            values.push(ToSqlOutput::Borrowed(value));
        }
        statement.execute(rusqlite::params_from_iter(values))?;
    }
    Ok(())
}

fn undecodable(table: &Table) -> BackupError {
    BackupError::Differs { table: table.name.clone() }
}

/// Adds the column that names the bucket of a wrapped key.
fn name_bucket(table: &Table, row: &[u8]) -> Result<Bytes, BackupError> {
    let fields = fields_of(row, table.columns.len()).ok_or_else(|| undecodable(table))?;
    let wrapped = table.position_of("wrapped").and_then(|at| fields.get(at).copied().flatten());
    let bucket = wrapped.and_then(bucket_of).map(|(bucket, _)| bucket);
    let mut built = RowBuilder::new(table.columns.len() + 1);
    fields.into_iter().for_each(|field| built.push(field));
    match bucket {
        Some(bucket) => built.push_int(bucket),
        None => built.push_null(),
    }
    Ok(built.finish())
}

/// Fills the tables of bucket keys. There are at most 12,000 rows a table with 100 million scopes, so they fit in memory.
fn fill_buckets(connection: &mut PgConnection, next: NextRow<'_>) -> Result<(), BackupError> {
    let mut parts: BTreeMap<String, BytesMut> = BTreeMap::new();
    while let Some(row) = next()? {
        let bucket = fields_of(&row, 3).and_then(|fields| int_of(fields.first().copied().flatten()));
        let bucket = bucket.ok_or_else(|| BackupError::Differs { table: KEY_BUCKETS.to_owned() })?;
        parts.entry(Bucket::table(bucket)).or_default().extend_from_slice(&row);
    }
    debug_assert!(parts.keys().all(|name| *name >= bucket_table(0)));
    for (table, rows) in parts {
        let mut rows = Some(rows.freeze());
        copy_in(connection, &table, "bucket, day, wrapped", &mut || Ok(rows.take()))?;
    }
    Ok(())
}

fn copy_in(
    connection: &mut PgConnection,
    table: &str,
    columns: &str,
    next: NextRow<'_>,
) -> Result<(), BackupError> {
    let (mut failed, mut part) = (None, Part::Header);
    let text = format!("COPY {table} ({columns}) FROM STDIN (FORMAT binary)");
    connection.client.copy_in(&text, &mut || match part {
        Part::Header => {
            part = Part::Rows;
            Some(Bytes::from_static(COPY_HEADER))
        }
        Part::Rows => match next() {
            Ok(Some(row)) => Some(row),
            ended => {
                failed = ended.err();
                part = Part::End;
                Some(Bytes::from_static(COPY_TRAILER))
            }
        },
        Part::End => None,
    })?;
    failed.map_or(Ok(()), Err)
}

/// The parts of a binary `COPY`.
enum Part {
    Header,
    Rows,
    End,
}
