//! Visits of the hosted pages, found by the digest of the browser's cookie.

use link_domain::invitations::invite::{Visit, VisitRef};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;

use crate::reader::parse;
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{digest, owner};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "visits";

columns! {
    /// The columns of a visit.
    visit_columns => struct Columns { id, secret_hash, tenant_id, mode, invite_id, created_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO visits (id, secret_hash, tenant_id, mode, invite_id, created_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO NOTHING";
    FIND = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE secret_hash = ?1");
    FIND_LOCKED = concat!("SELECT ", visit_columns!(""), " FROM visits WHERE secret_hash = ?1 /*lock*/");
    DELETE_OLD = "DELETE FROM visits WHERE created_at < ?1";
}

fn read(row: &Row<'_>) -> Result<Visit, StoreError> {
    Ok(Visit {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        invite_id: parse(TABLE, row.str(COLUMNS.invite_id)?)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
    })
}

/// Reads the visit that a row of another table belongs to.
pub(crate) fn visit(
    table: &'static str,
    id: Option<&str>,
    invite_id: Option<&str>,
) -> Result<Option<VisitRef>, StoreError> {
    let Some((id, invite_id)) = id.zip(invite_id) else { return Ok(None) };
    Ok(Some(VisitRef { id: parse(table, id)?, invite_id: parse(table, invite_id)? }))
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
        self.session()
            .execute(
                &PUT,
                params![
                    visit.id.as_str(),
                    visit.secret_hash.as_bytes(),
                    visit.owner.tenant.as_str(),
                    visit.owner.mode.as_str(),
                    visit.invite_id.as_str(),
                    visit.created_at.micros(),
                ],
            )
            .map(drop)
    }
}
