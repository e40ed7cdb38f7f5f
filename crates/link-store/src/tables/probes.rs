//! Health probes of the database: reads a row of every table, and writes a row.

use crate::sql::{Sql, params, statements};
use crate::{Reader, StoreError, Tx};

statements! {
    WRITE_PROBE = "INSERT INTO probes (slot, filler) VALUES (1, ?1) \
                   ON CONFLICT (slot) DO UPDATE SET filler = excluded.filler";
}

/// For SQLite only. A server checks its own pages.
const TABLES: Sql = Sql::from_static(
    "tables",
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
);

impl Reader<'_> {
    /// Reads the first row of every table on SQLite. On PostgreSQL checks that the server responds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database does not respond, or one of these pages is damaged.
    pub fn probe(&mut self) -> Result<(), StoreError> {
        if self.session.is_postgres() {
            return self.ping();
        }
        for table in self.session.query(&TABLES, params![], |row| row.text(0))? {
            // Table names come from the migrations, so they need no escaping.
            let first = Sql::compose("a table's first row", format!("SELECT * FROM \"{table}\" LIMIT 1"));
            self.session.find(&first, params![], |_| Ok(()))?;
        }
        Ok(())
    }
}

impl Tx<'_> {
    /// Writes a row of `bytes` bytes, replacing the previous one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database rejects writes.
    pub fn probe(&mut self, bytes: usize) -> Result<(), StoreError> {
        self.session.execute(&WRITE_PROBE, params![&vec![0; bytes]]).map(drop)
    }
}
