//! The rows of files with people to invite, by a keyed hash, so that a row is invited once. A row is deleted with its
//! invitation.

use std::collections::BTreeMap;

use link_domain::invitations::invite_file::InvitedRow;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_types::Sensitive;
use link_types::id::InviteId;

use crate::keys::Label;
use crate::reader::{ReadSession, parse};
use crate::sql::{Param, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "invited_rows";

/// Number of rows that one statement finds.
const AT_ONCE: usize = 50;

statements! {
    PUT = "INSERT INTO invited_rows (key_hash, tenant_id, mode, invite_id) VALUES (?1, ?2, ?3, ?4)";
    /// Has [`AT_ONCE`] parameters.
    FIND_ALL = "SELECT key_hash, invite_id FROM invited_rows WHERE key_hash IN (\
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, \
                ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, \
                ?42, ?43, ?44, ?45, ?46, ?47, ?48, ?49, ?50)";
    DELETE = "DELETE FROM invited_rows WHERE invite_id = ?1";
}

resource! {
    /// Rows of files with people to invite.
    InvitedRows, invited_rows
}

impl<'c, S: ReadSession<'c>> InvitedRows<'_, S> {
    /// Returns the invitations of an owner's rows, in the order of the keys.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find_all<'k>(
        &mut self,
        owner: &Owner,
        keys: impl IntoIterator<Item = &'k Sensitive>,
    ) -> Result<Vec<Option<InviteId>>, StoreError> {
        let hashes: Vec<Digest32> = keys.into_iter().map(|key| self.hash(owner, key)).collect();
        let mut found = BTreeMap::new();
        for hashes in hashes.chunks(AT_ONCE) {
            // The statement has a fixed number of parameters, so the last hash fills the rest.
            let named: Vec<Param<'_>> = hashes
                .iter()
                .chain(hashes.last().into_iter().cycle())
                .take(AT_ONCE)
                .map(|hash| hash.as_bytes().as_slice().into())
                .collect();
            let rows = self.session().query(&FIND_ALL, &named, |row| Ok((row.bytes(0)?, row.text(1)?)))?;
            for (hash, id) in rows {
                found.insert(hash, parse::<InviteId>(TABLE, &id)?);
            }
        }
        Ok(hashes.iter().map(|hash| found.get(hash.as_bytes().as_slice()).cloned()).collect())
    }

    fn hash(&mut self, owner: &Owner, key: &Sensitive) -> Digest32 {
        let secret = *self.0.reader().keys.tree.key(Label::Lookup).as_bytes();
        InvitedRow::hash(&secret, owner, key)
    }
}

impl InvitedRows<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, row: &InvitedRow) -> Result<(), StoreError> {
        let InvitedRow { owner, key, invite_id } = row;
        let hash = self.hash(owner, key);
        let values = params![hash.as_bytes(), owner.tenant.as_str(), owner.mode.as_str(), invite_id.as_str()];
        self.session().execute_later(&PUT, values)
    }

    pub(crate) fn delete(&mut self, id: &InviteId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
