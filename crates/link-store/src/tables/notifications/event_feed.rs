//! Reads for those who follow an owner's events: the ids after a position, and whether there is a new one.

use link_domain::kernel::owner::Owner;
use link_types::id::EventId;

use super::events::{Events, TABLE};
use crate::StoreError;
use crate::reader::{ReadSession, parse};
use crate::sql::{params, statements};

/// The number of newest events whose change is noticed.
const WATCHED: usize = 16;

statements! {
    IDS_AFTER = "SELECT id FROM events WHERE tenant_id = ?1 AND mode = ?2 AND id > ?3 ORDER BY id LIMIT ?4";
    NEWEST = "SELECT id FROM events WHERE tenant_id = ?1 AND mode = ?2 AND id > ?3 ORDER BY id DESC LIMIT ?4";
}

impl<'c, S: ReadSession<'c>> Events<'_, S> {
    /// Returns the ids of the events after an id or the start of one, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn ids_after(
        &mut self,
        owner: &Owner,
        after: &str,
        limit: usize,
    ) -> Result<Vec<EventId>, StoreError> {
        let page = params![owner.tenant.as_str(), owner.mode.as_str(), after, limit as i64];
        self.session().query(&IDS_AFTER, page, |row| parse(TABLE, row.str(0)?))
    }

    /// Returns the ids of the newest events, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn newest_ids(&mut self, owner: &Owner, limit: usize) -> Result<Vec<EventId>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str(), "", limit as i64];
        self.session().query(&NEWEST, owned, |row| parse(TABLE, row.str(0)?))
    }

    /// Returns a number that changes if another event becomes one of the newest, which need not be the newest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn version(&mut self, owner: &Owner) -> Result<u32, StoreError> {
        // The random end of an id.
        let end = |id: &EventId| id.as_str().get(id.as_str().len().saturating_sub(8)..).map(str::to_owned);
        let ends = self.newest_ids(owner, WATCHED)?.iter().filter_map(end).collect::<Vec<_>>();
        let number = |digits: &String| u32::from_str_radix(digits, 16).unwrap_or_default();
        Ok(ends.iter().map(number).fold(0, u32::wrapping_add))
    }
}
