//! The mailbox that an account, archive or form submission belongs to. A row is deleted with the object's data.

use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::notifications::mail::address_hash;
use link_domain::person_page::given_data::GivenData;
use link_types::Sensitive;

use crate::keys::Label;
use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "given_data";
/// The maximum number of objects of an address on its page.
const MAX_OBJECTS: i64 = 500;

columns! {
    /// The columns of an object that belongs to an address.
    given_columns => struct Columns { tenant_id, mode, scope_id }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO given_data (scope_id, address_hash, tenant_id, mode) VALUES (?1, ?2, ?3, ?4) \
           ON CONFLICT (scope_id) DO NOTHING";
    OF_ADDRESS = concat!("SELECT ", given_columns!(""), " FROM given_data WHERE address_hash = ?1 \
                 ORDER BY tenant_id, mode, scope_id DESC LIMIT ?2");
    DELETE = "DELETE FROM given_data WHERE scope_id = ?1";
    DELETE_UNLESS = "DELETE FROM given_data WHERE scope_id = ?1 AND address_hash <> ?2";
}

resource! {
    /// The mailboxes that accounts, archives and form submissions belong to.
    GivenDataOf, given_data
}

impl<'c, S: ReadSession<'c>> GivenDataOf<'_, S> {
    /// Returns the objects of an address by environment, the newest of each first; at most 500.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_address(&mut self, address: &Digest32) -> Result<Vec<(Owner, ErasureScope)>, StoreError> {
        self.session().query(&OF_ADDRESS, params![address.as_bytes(), MAX_OBJECTS], |row| {
            Ok((
                owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
                parse(TABLE, row.str(COLUMNS.scope_id)?)?,
            ))
        })
    }
}

impl GivenDataOf<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, given: &GivenData) -> Result<(), StoreError> {
        let GivenData { scope, owner, mailbox } = given;
        let hash = self.hash(mailbox);
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        self.session().execute_later(&PUT, params![scope.as_str(), hash.as_bytes(), tenant, mode])
    }

    pub(crate) fn delete(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![scope])
    }

    pub(crate) fn delete_unless(
        &mut self,
        scope: &ErasureScope,
        mailbox: Option<&Sensitive>,
    ) -> Result<(), StoreError> {
        let Some(mailbox) = mailbox else { return self.delete(scope.as_str()) };
        let hash = self.hash(mailbox);
        self.session().execute_later(&DELETE_UNLESS, params![scope.as_str(), hash.as_bytes()])
    }

    fn hash(&self, mailbox: &Sensitive) -> Digest32 {
        address_hash(&self.0.derive_key(Label::Lookup), mailbox.expose())
    }
}
