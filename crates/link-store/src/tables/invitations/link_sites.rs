//! Link sites and the versions of their forms: a tenant's configuration, unencrypted. A deleted site that people have
//! opened is hidden, so that its address never becomes that of another site.

use link_domain::invitations::link_site::{LinkSite, LinkSiteVersion};
use link_domain::kernel::owner::Owner;
use link_types::form_submission::LinkSiteForm;
use link_types::id::LinkSiteId;
use link_types::link_site;

use crate::body::{decode, encode};
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, Sql, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner, small};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "link_sites";
const VERSIONS: &str = "link_site_versions";

columns! {
    /// The columns of a link site.
    site_columns => struct Columns { id, tenant_id, mode, opened, version_used, versions, host, body }
}
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", site_columns!(""), " FROM link_sites", $rest)
    };
}

statements! {
    PUT = "INSERT INTO link_sites (id, tenant_id, mode, slug, opened, version_used, versions, body, host) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, \
           opened = excluded.opened, version_used = excluded.version_used, versions = excluded.versions, \
           body = excluded.body, host = excluded.host";
    FIND = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND deleted = 0");
    FIND_LOCKED = select!(" WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND deleted = 0 /*lock*/");
    BY_SLUG = select!(" WHERE slug = ?1 AND deleted = 0");
    BY_SLUG_LOCKED = select!(" WHERE slug = ?1 AND deleted = 0 /*lock*/");
    WITH_HOST = "SELECT id FROM link_sites WHERE tenant_id = ?1 AND mode = ?2 AND host = ?3 AND deleted = 0 \
                 ORDER BY id LIMIT ?4";
    SLUG_IS_TAKEN = "SELECT id FROM link_sites WHERE slug = ?1";
    COUNT = "SELECT COUNT(*) FROM link_sites WHERE tenant_id = ?1 AND mode = ?2 AND deleted = 0";
    HIDE = "UPDATE link_sites SET deleted = 1, host = NULL WHERE id = ?1";
    DELETE = "DELETE FROM link_sites WHERE id = ?1";
    PUT_VERSION = "INSERT INTO link_site_versions (link_site_id, version, tenant_id, mode, body) \
                   VALUES (?1, ?2, ?3, ?4, ?5) \
                   ON CONFLICT (link_site_id, version) DO UPDATE SET body = excluded.body";
    FIND_VERSION = "SELECT body FROM link_site_versions \
                    WHERE link_site_id = ?1 AND version = ?2 AND tenant_id = ?3 AND mode = ?4";
    DELETE_VERSIONS = "DELETE FROM link_site_versions WHERE link_site_id = ?1";
}

pub(crate) static LINK_SITES: List = List {
    name: "link_sites",
    select: select!(""),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?", "deleted = 0"],
    filters: &[],
};

fn read(row: &Row<'_>) -> Result<LinkSite, StoreError> {
    let site: link_site::LinkSite = decode(TABLE, row.slice(COLUMNS.body)?)?;
    // A tenant may have lost the host since the body was written.
    let host = row.opt_str(COLUMNS.host)?.map(str::to_owned);
    Ok(LinkSite {
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        site: link_site::LinkSite { host, ..site },
        is_opened: row.int(COLUMNS.opened)? != 0,
        is_version_used: row.int(COLUMNS.version_used)? != 0,
        versions: small(TABLE, row.int(COLUMNS.versions)?)?,
    })
}

resource! {
    /// Link sites.
    LinkSites, link_sites
}

impl<'c, S: ReadSession<'c>> LinkSites<'_, S> {
    /// Returns an owner's link sites, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, owner: &Owner, request: &PageRequest) -> Result<Page<LinkSite>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[],
            created: Created::default(),
            prefix: LinkSiteId::PREFIX,
            request,
        };
        self.0.reader().page(&LINK_SITES, &query, read, |_, site| Ok(site))
    }

    /// Returns the number of an owner's link sites.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn count(&mut self, owner: &Owner) -> Result<u64, StoreError> {
        let owned = params![owner.tenant.as_str(), owner.mode.as_str()];
        let found = self.session().find(&COUNT, owned, |row| count(TABLE, row.int(0)?))?;
        Ok(found.unwrap_or_default())
    }

    /// Returns the first of an owner's link sites that have a host, at most `at_most`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn with_host(
        &mut self,
        owner: &Owner,
        host: &str,
        at_most: usize,
    ) -> Result<Vec<LinkSiteId>, StoreError> {
        let values = params![owner.tenant.as_str(), owner.mode.as_str(), host, at_most as i64];
        self.session().query(&WITH_HOST, values, |row| parse(TABLE, row.str(0)?))
    }

    /// Returns whether a link site of any owner has or had a slug.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn slug_is_taken(&mut self, slug: &str) -> Result<bool, StoreError> {
        Ok(self.session().find(&SLUG_IS_TAKEN, params![slug], |_| Ok(()))?.is_some())
    }

    /// Returns a version of the form of an owner's link site, which may be deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn version(
        &mut self,
        owner: &Owner,
        id: &LinkSiteId,
        version: u32,
    ) -> Result<Option<LinkSiteForm>, StoreError> {
        let owned = params![id.as_str(), i64::from(version), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND_VERSION, owned, |row| decode(VERSIONS, row.slice(0)?))
    }

    fn find(
        &mut self,
        sql: &'static Sql,
        owner: &Owner,
        id: &LinkSiteId,
    ) -> Result<Option<LinkSite>, StoreError> {
        self.session().find(sql, params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()], read)
    }
}

impl LinkSites<'_, Reader<'_>> {
    /// Returns an owner's link site.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &LinkSiteId) -> Result<Option<LinkSite>, StoreError> {
        self.find(&FIND, owner, id)
    }

    /// Returns the link site of any owner with a slug.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_slug(&mut self, slug: &str) -> Result<Option<LinkSite>, StoreError> {
        self.session().find(&BY_SLUG, params![slug], read)
    }
}

impl LinkSites<'_, Tx<'_>> {
    /// Returns and locks an owner's link site.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &LinkSiteId) -> Result<Option<LinkSite>, StoreError> {
        self.find(&FIND_LOCKED, owner, id)
    }

    /// Returns and locks the link site of any owner with a slug.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_slug(&mut self, slug: &str) -> Result<Option<LinkSite>, StoreError> {
        self.session().find(&BY_SLUG_LOCKED, params![slug], read)
    }

    pub(crate) fn put(&mut self, site: &LinkSite) -> Result<(), StoreError> {
        let LinkSite { owner, site, is_opened, is_version_used, versions } = site;
        let body = encode(TABLE, site)?;
        let values = params![
            site.id.as_str(),
            owner.tenant.as_str(),
            owner.mode.as_str(),
            site.slug.as_str(),
            i64::from(*is_opened),
            i64::from(*is_version_used),
            i64::from(*versions),
            body.as_slice(),
            site.host.as_deref(),
        ];
        self.session().execute_later(&PUT, values)
    }

    pub(crate) fn put_version(&mut self, version: &LinkSiteVersion) -> Result<(), StoreError> {
        let LinkSiteVersion { owner, version } = version;
        let link_site::LinkSiteFormVersion { link_site_id, version, form } = version;
        let body = encode(VERSIONS, form)?;
        let values = params![
            link_site_id.as_str(),
            i64::from(*version),
            owner.tenant.as_str(),
            owner.mode.as_str(),
            body.as_slice(),
        ];
        self.session().execute_later(&PUT_VERSION, values)
    }

    pub(crate) fn delete(&mut self, id: &LinkSiteId, is_kept: bool) -> Result<(), StoreError> {
        if is_kept {
            return self.session().execute_later(&HIDE, params![id.as_str()]);
        }
        self.session().execute_later(&DELETE_VERSIONS, params![id.as_str()])?;
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
