//! The rows of files with people to invite, by a keyed hash, so that a row is invited once. A row is deleted with its
//! invitation.

use link_domain::invitations::invite_file::InvitedRow;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_types::Sensitive;
use link_types::id::InviteId;

use crate::keys::Label;
use crate::reader::{ReadSession, parse};
use crate::sql::{params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "invited_rows";

statements! {
    PUT = "INSERT INTO invited_rows (key_hash, tenant_id, mode, invite_id) VALUES (?1, ?2, ?3, ?4)";
    FIND = "SELECT invite_id FROM invited_rows WHERE key_hash = ?1";
    DELETE = "DELETE FROM invited_rows WHERE invite_id = ?1";
}

resource! {
    /// Rows of files with people to invite.
    InvitedRows, invited_rows
}

impl<'c, S: ReadSession<'c>> InvitedRows<'_, S> {
    /// Returns the invitation of an owner's row, if it was invited.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find(&mut self, owner: &Owner, key: &Sensitive) -> Result<Option<InviteId>, StoreError> {
        let hash = self.hash(owner, key);
        self.session().find(&FIND, params![hash.as_bytes()], |row| parse(TABLE, row.str(0)?))
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
        self.session().execute(&PUT, values).map(drop)
    }

    pub(crate) fn delete(&mut self, id: &InviteId) -> Result<(), StoreError> {
        self.session().execute(&DELETE, params![id.as_str()]).map(drop)
    }
}
