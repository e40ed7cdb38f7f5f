//! Accounts: state and consent are sealed with the account's own key, all other columns are unencrypted. A tombstone
//! has only the unencrypted columns.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::{Account, AccountState, Monitor};
use link_domain::linking::consent::Consent;
use link_types::account::{ConnectionStatus, MonitorStatus};
use link_types::id::{AccountId, LinkSiteSessionId, ProviderId, UserId};
use serde::{Deserialize, Serialize};

use crate::body::{decode, encode};
use crate::commit_notice::CommitNotice;
use crate::keys::{Day, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, opt_digest, owner, small};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

pub(crate) const TABLE: &str = "accounts";

columns! {
    /// The columns of an account.
    account_columns => struct Columns {
        id, tenant_id, mode, user_id, provider_id, visit_id, created_at, updated_at, version, event_count,
        login_hash, monitor, tombstone, body, connection_status,
    }
}
pub(crate) const COLUMNS: Columns = Columns::after(0);
pub(crate) const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

/// Selects an account and its wrapped key.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            account_columns!("a."),
            ", ",
            key_columns!("k."),
            " FROM accounts a LEFT JOIN scope_keys k ON k.scope_id = a.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO accounts (id, tenant_id, mode, user_id, provider_id, created_at, updated_at, version, \
           event_count, login_hash, monitor, tombstone, body, connection_status, monitor_status, visit_id) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) \
           ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, version = excluded.version, \
           event_count = excluded.event_count, login_hash = excluded.login_hash, monitor = excluded.monitor, \
           connection_status = excluded.connection_status, monitor_status = excluded.monitor_status, \
           tombstone = excluded.tombstone, body = excluded.body WHERE accounts.version < excluded.version";
    LOCK_OTHERS = "SELECT id FROM accounts WHERE (tenant_id, mode, user_id, provider_id) = \
                   (SELECT tenant_id, mode, user_id, provider_id FROM accounts WHERE id = ?1) \
                   AND id <> ?1 ORDER BY id /*lock*/";
    LOCK = "SELECT id FROM accounts WHERE id = ?1 /*lock*/";
    FIND = select!(" WHERE a.id = ?1 AND a.tenant_id = ?2 AND a.mode = ?3");
    FIND_BY_LOGIN = "SELECT id FROM accounts WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 \
                     AND provider_id = ?4 AND login_hash = ?5 ORDER BY id DESC LIMIT 1";
    DELETE = "DELETE FROM accounts WHERE id = ?1";
}

pub(crate) static ACCOUNTS: List = List {
    name: "accounts",
    select: select!(""),
    id: "a.id",
    position: COLUMNS.id,
    always: &["a.tenant_id = ?", "a.mode = ?"],
    filters: &[
        "a.user_id = ?",
        "a.provider_id = ?",
        "a.connection_status = ?",
        "a.monitor_status = ?",
        "a.visit_id = ?",
    ],
};

/// Filters for a list of accounts.
#[derive(Debug, Clone, Copy, Default)]
pub struct AccountFilter<'a> {
    /// Only accounts of this user.
    pub user: Option<&'a UserId>,
    /// Only accounts at this provider.
    pub provider: Option<&'a ProviderId>,
    /// Only accounts with this connection status.
    pub connection: Option<ConnectionStatus>,
    /// Only accounts with this sync status.
    pub monitor: Option<MonitorStatus>,
    /// Only accounts created in this visit.
    pub visit: Option<&'a LinkSiteSessionId>,
    /// Only accounts created in this span.
    pub created: Created,
}

impl AccountFilter<'_> {
    /// Returns the values in the order of the list's filters.
    pub(crate) fn values(&self) -> [Option<&str>; 5] {
        [
            self.user.map(UserId::as_str),
            self.provider.map(ProviderId::as_str),
            self.connection.map(ConnectionStatus::as_str),
            self.monitor.map(MonitorStatus::as_str),
            self.visit.map(LinkSiteSessionId::as_str),
        ]
    }
}

/// The sealed part of an account.
#[derive(Serialize)]
struct Body<'a> {
    state: &'a AccountState,
    consent: &'a Option<Consent>,
}

#[derive(Deserialize)]
struct OpenedBody {
    state: AccountState,
    consent: Option<Consent>,
}

/// An account's row before its body is opened.
struct Stored {
    id: AccountId,
    owner: Owner,
    user_id: UserId,
    provider_id: ProviderId,
    visit_id: Option<LinkSiteSessionId>,
    created_at: TenantTime,
    updated_at: TenantTime,
    version: u32,
    event_count: u64,
    login_hash: Option<Digest32>,
    monitor: Monitor,
    tombstone: Option<AccountState>,
    sealed: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let tombstone = row.opt_slice(COLUMNS.tombstone)?.map(|bytes| decode(TABLE, bytes)).transpose()?;
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        provider_id: parse(TABLE, row.str(COLUMNS.provider_id)?)?,
        visit_id: row.opt_str(COLUMNS.visit_id)?.map(|id| parse(TABLE, id)).transpose()?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        updated_at: TenantTime::from_micros(row.int(COLUMNS.updated_at)?),
        version: small(TABLE, row.int(COLUMNS.version)?)?,
        event_count: count(TABLE, row.int(COLUMNS.event_count)?)?,
        login_hash: opt_digest(TABLE, row.opt_bytes(COLUMNS.login_hash)?)?,
        monitor: decode(TABLE, row.slice(COLUMNS.monitor)?)?,
        tombstone,
        sealed: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<Account, StoreError> {
        let body = match self.tombstone {
            Some(state) => OpenedBody { state, consent: None },
            None => self.sealed.open(reader, Location { table: TABLE, id: self.id.as_str() })?,
        };
        Ok(Account {
            id: self.id,
            owner: self.owner,
            user_id: self.user_id,
            provider_id: self.provider_id,
            visit_id: self.visit_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
            version: self.version,
            event_count: self.event_count,
            login_hash: self.login_hash,
            monitor: self.monitor,
            consent: body.consent,
            state: body.state,
        })
    }
}

resource! {
    /// Accounts, including tombstones.
    Accounts, accounts
}

impl Accounts<'_, Reader<'_>> {
    /// Returns an account, including tombstones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &AccountId) -> Result<Option<Account>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| stored.open(self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Accounts<'_, S> {
    /// Returns accounts, newest first, including tombstones.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: AccountFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<Account>, StoreError> {
        let filters = filter.values();
        let query = query(owner, &filters, filter.created, request);
        self.0.reader().page(&ACCOUNTS, &query, read, |reader, stored| stored.open(reader))
    }
}

pub(crate) fn query<'a>(
    owner: &'a Owner,
    filters: &'a [Option<&'a str>],
    created: Created,
    request: &'a PageRequest,
) -> ListQuery<'a> {
    ListQuery { owner, always: &[], filters, created, prefix: AccountId::PREFIX, request }
}

impl Accounts<'_, Tx<'_>> {
    /// Returns and locks an account, including tombstones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &AccountId) -> Result<Option<Account>, StoreError> {
        // An outer-joined row cannot be locked, so the lock is taken first.
        self.session().lock(&LOCK, params![id.as_str()])?;
        self.0.reader.accounts().get(owner, id)
    }

    /// Returns an account without locking it, for statistics: no decision may depend on it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get_unlocked(&mut self, owner: &Owner, id: &AccountId) -> Result<Option<Account>, StoreError> {
        self.0.reader.accounts().get(owner, id)
    }

    /// Returns and locks the user's other accounts at the provider of an account, including tombstones.
    pub(crate) fn others_at_provider(&mut self, id: &AccountId) -> Result<Vec<AccountId>, StoreError> {
        self.session().query(&LOCK_OTHERS, params![id.as_str()], |row| parse(TABLE, row.str(0)?))
    }

    /// Returns and locks the account that this user has at this provider with this login.
    ///
    /// Lock the user first, so that no other unit creates such an account at the same time.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_login(
        &mut self,
        owner: &Owner,
        user: &UserId,
        provider: &ProviderId,
        login_hash: &Digest32,
    ) -> Result<Option<Account>, StoreError> {
        let found = self.session().find(
            &FIND_BY_LOGIN,
            params![
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user.as_str(),
                provider.as_str(),
                login_hash.as_bytes(),
            ],
            |row| parse::<AccountId>(TABLE, row.str(0)?),
        )?;
        let Some(id) = found else { return Ok(None) };
        let account = self.get(owner, &id)?;
        // It may have been revoked while this unit waited for the lock.
        Ok(account.filter(|account| account.login_hash.as_ref() == Some(login_hash)))
    }

    pub(crate) fn put(&mut self, account: &Account) -> Result<(), StoreError> {
        let (tombstone, body) = match &account.state {
            AccountState::Disconnected(_) => (Some(encode(TABLE, &account.state)?), None),
            AccountState::Linking(_) | AccountState::Connected(_) => {
                let key = self.0.scope_key_until(
                    account.id.as_str(),
                    Day::from_micros(account.data_ends_at().micros()),
                )?;
                let clear = encode(TABLE, &Body { state: &account.state, consent: &account.consent })?;
                (None, Some(key.seal(Location { table: TABLE, id: account.id.as_str() }, &clear)?))
            }
        };
        let monitor = encode(TABLE, &account.monitor)?;
        let touched = self.session().execute(
            &PUT,
            params![
                account.id.as_str(),
                account.owner.tenant.as_str(),
                account.owner.mode.as_str(),
                account.user_id.as_str(),
                account.provider_id.as_str(),
                account.created_at.micros(),
                account.updated_at.micros(),
                i64::from(account.version),
                account.event_count as i64,
                account.login_hash.as_ref().map(Digest32::as_bytes),
                monitor.as_slice(),
                tombstone.as_ref().map(|bytes| bytes.as_slice()),
                body.as_ref(),
                account.connection_status().as_str(),
                account.monitor.status().as_str(),
                account.visit_id.as_ref().map(LinkSiteSessionId::as_str),
            ],
        )?;
        if touched == 0 {
            return Err(StoreError::Stale { table: TABLE });
        }
        self.0.notify(CommitNotice::Account(account.id.clone()));
        Ok(())
    }

    pub(crate) fn delete(&mut self, id: &AccountId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])?;
        self.0.notify(CommitNotice::Account(id.clone()));
        Ok(())
    }
}
