//! The last clock reading of retention: one row.

use link_domain::kernel::clock::Wall;

use crate::reader::ReadSession;
use crate::sql::{params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

statements! {
    FIND = "SELECT seen_at FROM retention_clock WHERE slot = 1";
    PUT = "INSERT INTO retention_clock (slot, seen_at) VALUES (1, ?1) \
           ON CONFLICT (slot) DO UPDATE SET seen_at = excluded.seen_at";
}

resource! {
    /// The last clock reading of retention.
    RetentionClock, retention_clock
}

impl<'c, S: ReadSession<'c>> RetentionClock<'_, S> {
    /// Returns the last clock reading, or `None` before the first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn last_reading(&mut self) -> Result<Option<Wall>, StoreError> {
        self.session().find(&FIND, params![], |row| row.int(0).map(Wall::from_micros))
    }
}

impl RetentionClock<'_, Tx<'_>> {
    /// Stores a clock reading.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record(&mut self, now: Wall) -> Result<(), StoreError> {
        self.session().execute_later(&PUT, params![now.micros()])
    }
}
