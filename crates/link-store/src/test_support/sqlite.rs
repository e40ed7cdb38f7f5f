//! Operations on a SQLite database that bypass the store.

use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;

/// Runs a statement while a service uses the database.
///
/// # Panics
///
/// If the statement fails.
#[expect(clippy::expect_used, reason = "a test cannot run without its database")]
pub fn execute(database: &Path, statement: &str) {
    let connection = Connection::open(database).expect("the database opens");
    connection.execute_batch(statement).expect("the statement runs");
}

/// A write transaction of another program, until it is dropped.
pub struct Lock(Connection);

impl Lock {
    /// Begins the transaction.
    ///
    /// # Panics
    ///
    /// If the lock is not free.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test cannot run without its database")]
    pub fn write(database: &Path) -> Self {
        let connection = Connection::open(database).expect("the database opens");
        connection.execute_batch("BEGIN IMMEDIATE").expect("the lock is free");
        Self(connection)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.0.execute_batch("ROLLBACK"));
    }
}

/// Overwrites the first page of a table. No process may have the database open.
///
/// # Panics
///
/// If the table or the file does not exist.
#[expect(clippy::expect_used, reason = "a test cannot run without its database")]
pub fn damage(database: &Path, table: &str) {
    let connection = Connection::open(database).expect("the database opens");
    let page: u32 = connection
        .query_row("SELECT rootpage FROM sqlite_master WHERE name = ?1", [table], |row| row.get(0))
        .expect("the table is there");
    let size: u32 = connection.query_row("PRAGMA page_size", [], |row| row.get(0)).expect("a page size");
    drop(connection);
    let file = std::fs::OpenOptions::new().write(true).open(database).expect("the database is a file");
    file.write_all_at(&[0xa5; 512], u64::from(page - 1) * u64::from(size)).expect("the page is written");
}
