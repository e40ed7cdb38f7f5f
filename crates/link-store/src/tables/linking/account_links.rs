//! Times at which accounts were linked. They are deleted when the account's data is erased.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::link_history::{LinkHistory, Linked};
use link_types::id::{AccountId, ProviderId, UserId};

use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "account_links";

columns! {
    /// The columns of a link.
    link_columns => struct Columns { account_id, linked_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    INSERT = "INSERT INTO account_links (account_id, linked_at, tenant_id, mode, user_id, provider_id) \
              VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (account_id, linked_at) DO NOTHING";
    OF_USER = concat!("SELECT ", link_columns!(""), " FROM account_links WHERE tenant_id = ?1 AND mode = ?2 \
              AND user_id = ?3 AND provider_id = ?4 ORDER BY linked_at, account_id");
    DELETE = "DELETE FROM account_links WHERE account_id = ?1";
    DELETE_OF_USER = "DELETE FROM account_links WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
}

resource! {
    /// When accounts were linked.
    AccountLinks, account_links
}

impl<'c, S: ReadSession<'c>> AccountLinks<'_, S> {
    /// Returns when a user linked a provider, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn history(
        &mut self,
        owner: &Owner,
        user: &UserId,
        provider: &ProviderId,
    ) -> Result<LinkHistory, StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        let links = self.session().query(
            &OF_USER,
            params![tenant, mode, user.as_str(), provider.as_str()],
            |row| {
                Ok((
                    parse(TABLE, row.str(COLUMNS.account_id)?)?,
                    TenantTime::from_micros(row.int(COLUMNS.linked_at)?),
                ))
            },
        )?;
        Ok(LinkHistory(links))
    }
}

impl AccountLinks<'_, Tx<'_>> {
    pub(crate) fn insert(&mut self, linked: &Linked) -> Result<(), StoreError> {
        let Linked { owner, user_id, provider_id, account_id, at } = linked;
        self.session().execute_later(
            &INSERT,
            params![
                account_id.as_str(),
                at.micros(),
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user_id.as_str(),
                provider_id.as_str(),
            ],
        )
    }

    pub(crate) fn delete(&mut self, account: &AccountId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![account.as_str()])
    }

    pub(crate) fn delete_of_user(&mut self, owner: &Owner, user: &UserId) -> Result<(), StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        self.session().execute_later(&DELETE_OF_USER, params![tenant, mode, user.as_str()])
    }
}
