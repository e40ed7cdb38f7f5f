//! Visits of the hosted pages, found by the digest of the browser's cookie.

use link_domain::invitations::visit::{Visit, VisitOrigin, VisitRef};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_types::id::InviteId;

use crate::reader::parse;
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{digest, owner, small};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "visits";

columns! {
    /// The columns of a visit.
    visit_columns => struct Columns {
        id, secret_hash, tenant_id, mode, user_id, invite_id, link_site_id, hosted_link_id, form_version, created_at,
    }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO visits (id, secret_hash, tenant_id, mode, user_id, invite_id, link_site_id, form_version, \
           created_at, hosted_link_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO NOTHING";
    FIND = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE secret_hash = ?1");
    FIND_LOCKED = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE secret_hash = ?1 /*lock*/");
    DELETE_OLD = "DELETE FROM visits WHERE created_at < ?1";
}

fn read(row: &Row<'_>) -> Result<Visit, StoreError> {
    let invite = row.opt_str(COLUMNS.invite_id)?;
    let (site, link) = (row.opt_str(COLUMNS.link_site_id)?, row.opt_str(COLUMNS.hosted_link_id)?);
    let origin = match (invite, site, link) {
        (Some(invite), ..) => VisitOrigin::Invite(parse(TABLE, invite)?),
        (None, Some(site), _) => VisitOrigin::LinkSite(parse(TABLE, site)?),
        (None, None, Some(link)) => VisitOrigin::HostedLink(parse(TABLE, link)?),
        (None, None, None) => return Err(StoreError::undecodable(TABLE, "a visit without a beginning")),
    };
    Ok(Visit {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        origin,
        form_version: row.opt_int(COLUMNS.form_version)?.map(|it| small(TABLE, it)).transpose()?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
    })
}

/// Reads the visit that a row of another table belongs to.
pub(crate) fn visit(
    table: &'static str,
    id: Option<&str>,
    invite_id: Option<&str>,
) -> Result<Option<VisitRef>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    let invite_id = invite_id.map(|it| parse(table, it)).transpose()?;
    Ok(Some(VisitRef { id: parse(table, id)?, invite_id }))
}

resource! {
    /// Visits of the hosted pages.
    Visits, visits
}

impl Visits<'_, Reader<'_>> {
    /// Returns the visit whose secret has this digest, including visits that are over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<Visit>, StoreError> {
        self.session().find(&FIND, params![secret_hash.as_bytes()], read)
    }
}

impl Visits<'_, Tx<'_>> {
    /// Returns and locks the visit whose secret has this digest, so that only the first of two submissions of a form
    /// succeeds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<Visit>, StoreError> {
        self.session().find(&FIND_LOCKED, params![secret_hash.as_bytes()], read)
    }

    /// Deletes visits that began before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_begun_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, visit: &Visit) -> Result<(), StoreError> {
        let (site, link) = match &visit.origin {
            VisitOrigin::Invite(_) => (None, None),
            VisitOrigin::LinkSite(id) => (Some(id.as_str()), None),
            VisitOrigin::HostedLink(id) => (None, Some(id.as_str())),
        };
        self.session().execute_later(
            &PUT,
            params![
                visit.id.as_str(),
                visit.secret_hash.as_bytes(),
                visit.owner.tenant.as_str(),
                visit.owner.mode.as_str(),
                visit.user_id.as_str(),
                visit.invite_id().map(InviteId::as_str),
                site,
                visit.form_version.map(i64::from),
                visit.created_at.micros(),
                link,
            ],
        )
    }
}
