//! Accounts as REST returns them, read without their state where the unencrypted columns are enough.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::{AccountSummary, ConnectionSummary, Monitor};
use link_types::id::{AccountId, LinkSiteSessionId, ProviderId, UserId};
use serde::Deserialize;

use super::accounts::{ACCOUNTS, AccountFilter, Accounts, COLUMNS, FIND, KEY, TABLE, query};
use crate::body::decode;
use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, params};
use crate::tables::kernel::scope_keys::KeyState;
use crate::tables::kernel::sealed::Sealed;
use crate::{Page, PageRequest, Reader, StoreError};

/// The part of an account's row that REST returns, before its body is opened.
struct StoredFacts {
    id: AccountId,
    user_id: UserId,
    provider_id: ProviderId,
    visit_id: Option<LinkSiteSessionId>,
    created_at: TenantTime,
    updated_at: TenantTime,
    monitor: Monitor,
    connection: StoredConnection,
}

/// Where the summary of an account's state is.
enum StoredConnection {
    /// In the unencrypted columns, while the account's key exists.
    Unencrypted(ConnectionSummary, KeyState),
    /// In the row of a tombstone, which has no key.
    Tombstone(ConnectionSummary),
    /// In the sealed body.
    Sealed(Sealed),
}

fn read_facts(row: &Row<'_>) -> Result<StoredFacts, StoreError> {
    let status = parse(TABLE, row.str(COLUMNS.connection_status)?)?;
    let connection = match (row.opt_slice(COLUMNS.tombstone)?, ConnectionSummary::of_status(status)) {
        (Some(tombstone), _) => StoredConnection::Tombstone(decode(TABLE, tombstone)?),
        (None, Some(connection)) => StoredConnection::Unencrypted(connection, KeyState::read(row, KEY)?),
        (None, None) => StoredConnection::Sealed(Sealed::read(row, COLUMNS.body, KEY)?),
    };
    Ok(StoredFacts {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        provider_id: parse(TABLE, row.str(COLUMNS.provider_id)?)?,
        visit_id: row.opt_str(COLUMNS.visit_id)?.map(|id| parse(TABLE, id)).transpose()?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        updated_at: TenantTime::from_micros(row.int(COLUMNS.updated_at)?),
        monitor: decode(TABLE, row.slice(COLUMNS.monitor)?)?,
        connection,
    })
}

impl StoredFacts {
    fn open(self, reader: &mut Reader<'_>) -> Result<AccountSummary, StoreError> {
        /// The part of a sealed body that REST returns.
        #[derive(Deserialize)]
        struct Shown {
            state: ConnectionSummary,
        }
        let connection = match self.connection {
            StoredConnection::Tombstone(connection) => connection,
            StoredConnection::Unencrypted(connection, key) => {
                reader.check_alive(key)?;
                connection
            }
            StoredConnection::Sealed(sealed) => {
                let place = Location { table: TABLE, id: self.id.as_str() };
                sealed.open::<Shown>(reader, place)?.state
            }
        };
        Ok(AccountSummary {
            id: self.id,
            user_id: self.user_id,
            provider_id: self.provider_id,
            visit_id: self.visit_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
            monitor: self.monitor,
            connection,
        })
    }
}

impl<'c, S: ReadSession<'c>> Accounts<'_, S> {
    /// Returns an account as REST shows it, including tombstones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn summary(&mut self, owner: &Owner, id: &AccountId) -> Result<Option<AccountSummary>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        let found = self.session().find(&FIND, owned, read_facts)?;
        found.map(|stored| stored.open(self.0.reader())).transpose()
    }

    /// Returns the same list as [`Self::list`], as REST shows it.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn summaries(
        &mut self,
        owner: &Owner,
        filter: AccountFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<AccountSummary>, StoreError> {
        let filters = filter.values();
        let query = query(owner, &filters, filter.created, request);
        self.0.reader().page(&ACCOUNTS, &query, read_facts, |reader, stored| stored.open(reader))
    }
}
