//! Own hosts of link sites. A tenant has few of them, and at most one tenant has proven a host.

use link_domain::invitations::link_site_host::LinkSiteHost;
use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_types::id::{LinkSiteHostId, TenantId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, Sql, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "link_site_hosts";

columns! {
    /// The columns of an own host.
    host_columns => struct Columns { id, tenant_id, mode, host, token, created_at, proven_at }
}
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", host_columns!(""), " FROM link_site_hosts", $rest)
    };
}

statements! {
    PUT = "INSERT INTO link_site_hosts (id, tenant_id, mode, host, token, created_at, proven_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET proven_at = excluded.proven_at";
    FIND = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3");
    FIND_LOCKED = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 /*lock*/");
    OF_TENANT = select!(" WHERE tenant_id = ?1 ORDER BY id");
    PROVEN = select!(" WHERE proven_at IS NOT NULL AND tenant_id NOT IN \
                      (SELECT id FROM tenants WHERE standing IN ('DELETED', 'ERASED')) ORDER BY proven_at, id");
    PROVEN_OF = "SELECT host FROM link_site_hosts \
                 WHERE tenant_id = ?1 AND mode = ?2 AND proven_at IS NOT NULL ORDER BY host";
    // A host cannot be deleted or lost before the unit that gives it to a link site ends.
    IS_PROVEN = "SELECT id FROM link_site_hosts WHERE tenant_id = ?1 AND host = ?3 AND mode = ?2 \
                 AND proven_at IS NOT NULL /*share*/";
    OTHERS = select!(" WHERE host = ?1 AND id <> ?2 AND proven_at IS NOT NULL ORDER BY id");
    DELETE = "DELETE FROM link_site_hosts WHERE id = ?1";
    DELETE_OTHERS = "DELETE FROM link_site_hosts WHERE host = ?1 AND id <> ?2 AND proven_at IS NOT NULL";
    // Each row gets another token. Only its first half is random, because no one can publish it before.
    RENEW_OTHERS = "UPDATE link_site_hosts SET token = ?3 || substr(id, length(id) - 15) \
                    WHERE host = ?1 AND id <> ?2 AND proven_at IS NULL";
    // The host is a separate column, so that this needs no site's body.
    TAKE_FROM_SITES = "UPDATE link_sites SET host = NULL WHERE host = ?1 \
                       AND NOT EXISTS (SELECT 1 FROM link_site_hosts h WHERE h.id = ?2 \
                       AND h.tenant_id = link_sites.tenant_id AND h.mode = link_sites.mode)";
}

pub(crate) static LINK_SITE_HOSTS: List = List {
    name: "link_site_hosts",
    select: select!(""),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?"],
    filters: &[],
};

fn read(row: &Row<'_>) -> Result<LinkSiteHost, StoreError> {
    Ok(LinkSiteHost {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        host: row.text(COLUMNS.host)?,
        token: row.text(COLUMNS.token)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        proven_at: row.opt_int(COLUMNS.proven_at)?.map(Wall::from_micros),
    })
}

resource! {
    /// Own hosts of link sites.
    LinkSiteHosts, link_site_hosts
}

impl<'c, S: ReadSession<'c>> LinkSiteHosts<'_, S> {
    /// Returns an owner's hosts, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, owner: &Owner, request: &PageRequest) -> Result<Page<LinkSiteHost>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[],
            created: Created::default(),
            prefix: LinkSiteHostId::PREFIX,
            request,
        };
        self.0.reader().page(&LINK_SITE_HOSTS, &query, read, |_, host| Ok(host))
    }

    /// Returns the hosts of a tenant in both environments. Their number is limited.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_tenant(&mut self, tenant: &TenantId) -> Result<Vec<LinkSiteHost>, StoreError> {
        self.session().query(&OF_TENANT, params![tenant.as_str()], read)
    }

    /// Returns the names of an owner's hosts that are proven.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list_proven_of(&mut self, owner: &Owner) -> Result<Vec<String>, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str()];
        self.session().query(&PROVEN_OF, owned, |row| row.text(0))
    }

    /// Returns the hosts of all tenants that are proven, in the order of their proofs. Those of deleted tenants are left out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list_proven(&mut self) -> Result<Vec<LinkSiteHost>, StoreError> {
        self.session().query(&PROVEN, params![], read)
    }

    fn find(
        &mut self,
        sql: &'static Sql,
        owner: &Owner,
        id: &LinkSiteHostId,
    ) -> Result<Option<LinkSiteHost>, StoreError> {
        self.session().find(sql, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()], read)
    }
}

impl LinkSiteHosts<'_, Reader<'_>> {
    /// Returns an owner's host.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &LinkSiteHostId) -> Result<Option<LinkSiteHost>, StoreError> {
        self.find(&FIND, owner, id)
    }
}

impl LinkSiteHosts<'_, Tx<'_>> {
    /// Returns and locks an owner's host.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &LinkSiteHostId) -> Result<Option<LinkSiteHost>, StoreError> {
        self.find(&FIND_LOCKED, owner, id)
    }

    /// Returns whether an owner has proven a host, which this unit then keeps.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn is_proven(&mut self, owner: &Owner, host: &str) -> Result<bool, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str(), host];
        Ok(self.session().find(&IS_PROVEN, owned, |_| Ok(()))?.is_some())
    }

    /// Returns the same host of other owners that have proven it: they lose it when this one is proven.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list_proven_by_others(&mut self, host: &LinkSiteHost) -> Result<Vec<LinkSiteHost>, StoreError> {
        self.session().query(&OTHERS, params![host.host.as_str(), host.id.as_str()], read)
    }

    pub(crate) fn put(&mut self, host: &LinkSiteHost) -> Result<(), StoreError> {
        let LinkSiteHost { id, owner, created_at, host, token, proven_at } = host;
        let values = params![
            id.as_str(),
            owner.tenant.as_str(),
            owner.mode.as_str(),
            host,
            token,
            created_at.micros(),
            proven_at.map(Wall::micros),
        ];
        self.session().execute_later(&PUT, values)
    }

    pub(crate) fn delete(&mut self, id: &LinkSiteHostId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }

    pub(crate) fn take_from_others(
        &mut self,
        id: &LinkSiteHostId,
        host: &str,
        token: &str,
    ) -> Result<(), StoreError> {
        let half = token.get(..16).unwrap_or(token);
        self.session().execute_later(&DELETE_OTHERS, params![host, id.as_str()])?;
        self.session().execute_later(&RENEW_OTHERS, params![host, id.as_str(), half])?;
        self.session().execute_later(&TAKE_FROM_SITES, params![host, id.as_str()])
    }
}
