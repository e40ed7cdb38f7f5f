//! Looks at the database's health: a little of every table is read, and a row is written.

use crate::sql::{Sql, params, statements};
use crate::{Reader, StoreError, Tx};

statements! {
    WRITE_PROBE = "INSERT INTO probes (slot, filler) VALUES (1, ?1) \
                   ON CONFLICT (slot) DO UPDATE SET filler = excluded.filler";
}

/// SQLite alone: a server looks after its own pages.
const TABLES: Sql = Sql::fixed(
    "tables",
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
);

impl Reader<'_> {
    /// Reads the first row of every table on SQLite; asks PostgreSQL whether it answers.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database does not answer, or one of these pages is damaged.
    pub fn probe(&mut self) -> Result<(), StoreError> {
        if self.session.is_postgres() {
            return self.ping();
        }
        for table in self.session.query(&TABLES, params![], |row| row.text(0))? {
            // Names of tables come from the migrations.
            let first = Sql::composed("a table's first row", format!("SELECT * FROM \"{table}\" LIMIT 1"));
            self.session.find(&first, params![], |_| Ok(()))?;
        }
        Ok(())
    }
}

impl Tx<'_> {
    /// Writes a row of `bytes` bytes, in place of the one before.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database takes no writes.
    pub fn probe(&mut self, bytes: usize) -> Result<(), StoreError> {
        self.session.execute(&WRITE_PROBE, params![&vec![0; bytes]]).map(drop)
    }
}
