//! Reads for those who follow an owner's events: the ids after a position, and whether there is a new one.

use link_domain::kernel::owner::Owner;
use link_types::id::EventId;

use super::events::{Events, TABLE};
use crate::StoreError;
use crate::reader::{ReadSession, parse};
use crate::sql::{params, statements};

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

    /// Returns a number that changes if another event becomes the newest one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn version(&mut self, owner: &Owner) -> Result<u32, StoreError> {
        // The random end of its id.
        let end = |id: &EventId| id.as_str().get(id.as_str().len().saturating_sub(8)..).map(str::to_owned);
        let digits = self.newest_ids(owner, 1)?.first().and_then(end).unwrap_or_default();
        Ok(u32::from_str_radix(&digits, 16).unwrap_or_default())
    }
}
