//! What operators and accidents do to a SQLite database, past the store.

use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;

/// Copies a database while a service uses it, as `sqlite3 DATABASE ".backup 'TO'"` does.
///
/// # Panics
///
/// When the copy cannot be written.
#[expect(clippy::expect_used, reason = "a test without its database has nothing to say")]
pub fn back_up(database: &Path, to: &Path) {
    let connection = Connection::open(database).expect("the database opens");
    let to = to.to_str().expect("a plain name");
    connection.execute("VACUUM INTO ?1", [to]).expect("the back-up is written");
}

/// Writes over the first page of a table. No process may have the database open.
///
/// # Panics
///
/// When the table or the file is not there.
#[expect(clippy::expect_used, reason = "a test without its database has nothing to say")]
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
