//! Hosted links, and the accounts that were started through them. Of an address, only the digest is stored.

use link_domain::invitations::hosted_link::HostedLink;
use link_domain::kernel::clock::{Now, TenantTime};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_types::id::{AccountId, HostedLinkId, LinkSiteSessionId};

use crate::body::{decode, encode};
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, Sql, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{count, digest, owner, small};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "hosted_links";
/// The maximum number of accounts of a hosted link that are read.
const MAX_ACCOUNTS: i64 = 100;

columns! {
    /// The columns of a hosted link.
    link_columns => struct Columns {
        id, tenant_id, mode, user_id, template_id, visit_id, status, created_at, updated_at, opened_at, ended_at,
        version, event_count, code_hash, terms,
    }
}
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", link_columns!(""), " FROM hosted_links", $rest)
    };
}

statements! {
    PUT = "INSERT INTO hosted_links (id, tenant_id, mode, user_id, template_id, visit_id, status, created_at, updated_at, \
           opened_at, ended_at, version, event_count, code_hash, terms) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT (id) DO UPDATE SET \
           visit_id = excluded.visit_id, status = excluded.status, updated_at = excluded.updated_at, \
           opened_at = excluded.opened_at, ended_at = excluded.ended_at, version = excluded.version, \
           event_count = excluded.event_count WHERE hosted_links.version < excluded.version";
    FIND = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
    FIND_LOCKED = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/");
    BY_CODE = select!(" WHERE code_hash = ?1");
    BY_CODE_LOCKED = select!(" WHERE code_hash = ?1 /*lock*/");
    BY_VISIT_LOCKED = select!(" WHERE visit_id = ?1 /*lock*/");
    BY_ACCOUNT = "SELECT hosted_link_id FROM hosted_link_accounts WHERE account_id = ?1 \
                  ORDER BY started_at DESC, hosted_link_id DESC LIMIT 1";
    PUT_ACCOUNT = "INSERT INTO hosted_link_accounts (hosted_link_id, account_id, started_at) \
                   VALUES (?1, ?2, ?3) ON CONFLICT (hosted_link_id, account_id) \
                   DO UPDATE SET started_at = excluded.started_at";
    ACCOUNTS = "SELECT a.id FROM hosted_link_accounts h JOIN accounts a ON a.id = h.account_id \
                WHERE h.hosted_link_id = ?1 ORDER BY a.id DESC LIMIT ?2";
    DELETE_ACCOUNTS = "DELETE FROM hosted_link_accounts WHERE hosted_link_id = ?1";
    DELETE = "DELETE FROM hosted_links WHERE id = ?1";
}

fn read(row: &Row<'_>) -> Result<HostedLink, StoreError> {
    Ok(HostedLink {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        template_id: parse(TABLE, row.str(COLUMNS.template_id)?)?,
        visit_id: row.opt_str(COLUMNS.visit_id)?.map(|id| parse(TABLE, id)).transpose()?,
        status: parse(TABLE, row.str(COLUMNS.status)?)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        updated_at: TenantTime::from_micros(row.int(COLUMNS.updated_at)?),
        opened_at: row.opt_int(COLUMNS.opened_at)?.map(TenantTime::from_micros),
        ended_at: row.opt_int(COLUMNS.ended_at)?.map(TenantTime::from_micros),
        version: small(TABLE, row.int(COLUMNS.version)?)?,
        event_count: count(TABLE, row.int(COLUMNS.event_count)?)?,
        code_hash: digest(TABLE, row.bytes(COLUMNS.code_hash)?)?,
        terms: decode(TABLE, row.slice(COLUMNS.terms)?)?,
    })
}

resource! {
    /// Hosted links.
    HostedLinks, hosted_links
}

impl<'c, S: ReadSession<'c>> HostedLinks<'_, S> {
    /// Returns the hosted link in whose visit an account was started last.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_account(&mut self, account: &AccountId) -> Result<Option<HostedLinkId>, StoreError> {
        self.session().find(&BY_ACCOUNT, params![account.as_str()], |row| parse(TABLE, row.str(0)?))
    }

    /// Returns the accounts that were started through a hosted link, newest first, at most 100.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn accounts(&mut self, id: &HostedLinkId) -> Result<Vec<AccountId>, StoreError> {
        self.session().query(&ACCOUNTS, params![id.as_str(), MAX_ACCOUNTS], |row| parse(TABLE, row.str(0)?))
    }

    fn find(
        &mut self,
        sql: &'static Sql,
        owner: &Owner,
        id: &HostedLinkId,
    ) -> Result<Option<HostedLink>, StoreError> {
        self.session().find(sql, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()], read)
    }
}

impl HostedLinks<'_, Reader<'_>> {
    /// Returns an owner's hosted link.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &HostedLinkId) -> Result<Option<HostedLink>, StoreError> {
        self.find(&FIND, owner, id)
    }

    /// Returns the hosted link of any owner whose address has the code with this digest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_code(&mut self, code_hash: &Digest32) -> Result<Option<HostedLink>, StoreError> {
        self.session().find(&BY_CODE, params![code_hash.as_bytes()], read)
    }
}

impl HostedLinks<'_, Tx<'_>> {
    /// Returns and locks an owner's hosted link.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &HostedLinkId) -> Result<Option<HostedLink>, StoreError> {
        self.find(&FIND_LOCKED, owner, id)
    }

    /// Returns and locks the hosted link of any owner whose address has the code with this digest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_code(&mut self, code_hash: &Digest32) -> Result<Option<HostedLink>, StoreError> {
        self.session().find(&BY_CODE_LOCKED, params![code_hash.as_bytes()], read)
    }

    /// Returns and locks the hosted link of a visit.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_visit(&mut self, visit: &LinkSiteSessionId) -> Result<Option<HostedLink>, StoreError> {
        self.session().find(&BY_VISIT_LOCKED, params![visit.as_str()], read)
    }

    pub(crate) fn put(&mut self, link: &HostedLink) -> Result<(), StoreError> {
        let terms = encode(TABLE, &link.terms)?;
        let touched = self.session().execute(
            &PUT,
            params![
                link.id.as_str(),
                link.owner.tenant.as_str(),
                link.owner.mode.as_str(),
                link.user_id.as_str(),
                link.template_id.as_str(),
                link.visit_id.as_ref().map(LinkSiteSessionId::as_str),
                link.status.as_str(),
                link.created_at.micros(),
                link.updated_at.micros(),
                link.opened_at.map(TenantTime::micros),
                link.ended_at.map(TenantTime::micros),
                i64::from(link.version),
                link.event_count as i64,
                link.code_hash.as_bytes(),
                terms.as_slice(),
            ],
        )?;
        if touched == 0 { Err(StoreError::Stale { table: TABLE }) } else { Ok(()) }
    }

    pub(crate) fn put_account(
        &mut self,
        id: &HostedLinkId,
        account: &AccountId,
        now: Now,
    ) -> Result<(), StoreError> {
        let started = params![id.as_str(), account.as_str(), now.wall().micros()];
        self.session().execute_later(&PUT_ACCOUNT, started)
    }

    pub(crate) fn delete(&mut self, id: &HostedLinkId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_ACCOUNTS, params![id.as_str()])?;
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
