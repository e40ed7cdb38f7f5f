//! Archives: state and consent are sealed with the archive's own key, all other columns are unencrypted. A tombstone
//! has only the unencrypted columns.

use link_domain::documents::archive::{Archive, ArchiveState};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::consent::Consent;
use link_types::archive::ArchiveType;
use link_types::id::{ArchiveId, AttemptId, LinkSiteSessionId, UserId};
use serde::{Deserialize, Serialize};

use crate::body::{decode, encode};
use crate::commit_notice::CommitNotice;
use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, key_columns};
use crate::tables::kernel::sealed::Sealed;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::tables::{count, owner, small};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "archives";

columns! {
    /// The columns of an archive.
    archive_columns => struct Columns {
        id, tenant_id, mode, user_id, attempt_id, visit_id, archive_type, created_at, updated_at, submitted_at,
        version, event_count, tombstone, body,
    }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

/// Selects an archive and its wrapped key.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            archive_columns!("a."),
            ", ",
            key_columns!("k."),
            " FROM archives a LEFT JOIN scope_keys k ON k.scope_id = a.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO archives (id, tenant_id, mode, user_id, attempt_id, archive_type, created_at, updated_at, \
           submitted_at, version, event_count, tombstone, body, visit_id) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) \
           ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, \
           submitted_at = excluded.submitted_at, version = excluded.version, \
           event_count = excluded.event_count, tombstone = excluded.tombstone, body = excluded.body \
           WHERE archives.version < excluded.version";
    LOCK = "SELECT id FROM archives WHERE id = ?1 /*lock*/";
    FIND = select!(" WHERE a.id = ?1 AND a.tenant_id = ?2 AND a.mode = ?3");
    OF_ATTEMPT = select!(" WHERE a.attempt_id = ?1 AND a.tenant_id = ?2 AND a.mode = ?3 ORDER BY a.id");
    DELETE = "DELETE FROM archives WHERE id = ?1";
}

pub(crate) static ARCHIVES: List = List {
    name: "archives",
    select: select!(""),
    id: "a.id",
    position: COLUMNS.id,
    always: &["a.tenant_id = ?", "a.mode = ?", "a.submitted_at IS NOT NULL"],
    filters: &["a.user_id = ?", "a.visit_id = ?"],
};

/// Filters for a list of archives.
#[derive(Debug, Clone, Copy, Default)]
pub struct ArchiveFilter<'a> {
    /// Only archives of this user.
    pub user: Option<&'a UserId>,
    /// Only archives created in this visit.
    pub visit: Option<&'a LinkSiteSessionId>,
    /// Only archives created in this span.
    pub created: Created,
}

/// The sealed part of an archive.
#[derive(Serialize)]
struct Body<'a> {
    state: &'a ArchiveState,
    consent: &'a Option<Consent>,
}

#[derive(Deserialize)]
struct OpenedBody {
    state: ArchiveState,
    consent: Option<Consent>,
}

/// An archive's row before its body is opened.
struct Stored {
    id: ArchiveId,
    owner: Owner,
    user_id: UserId,
    attempt_id: Option<AttemptId>,
    visit_id: Option<LinkSiteSessionId>,
    archive_type: ArchiveType,
    created_at: TenantTime,
    updated_at: TenantTime,
    submitted_at: Option<TenantTime>,
    version: u32,
    event_count: u64,
    tombstone: Option<ArchiveState>,
    body: Sealed,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        attempt_id: Some(row.str(COLUMNS.attempt_id)?)
            .filter(|it| !it.is_empty())
            .map(|it| parse(TABLE, it))
            .transpose()?,
        visit_id: row.opt_str(COLUMNS.visit_id)?.map(|id| parse(TABLE, id)).transpose()?,
        archive_type: parse(TABLE, row.str(COLUMNS.archive_type)?)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        updated_at: TenantTime::from_micros(row.int(COLUMNS.updated_at)?),
        submitted_at: row.opt_int(COLUMNS.submitted_at)?.map(TenantTime::from_micros),
        version: small(TABLE, row.int(COLUMNS.version)?)?,
        event_count: count(TABLE, row.int(COLUMNS.event_count)?)?,
        tombstone: row.opt_slice(COLUMNS.tombstone)?.map(|bytes| decode(TABLE, bytes)).transpose()?,
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<Archive, StoreError> {
        let body = match self.tombstone {
            Some(state) => OpenedBody { state, consent: None },
            None => self.body.open(reader, Location { table: TABLE, id: self.id.as_str() })?,
        };
        Ok(Archive {
            id: self.id,
            owner: self.owner,
            user_id: self.user_id,
            attempt_id: self.attempt_id,
            visit_id: self.visit_id,
            archive_type: self.archive_type,
            created_at: self.created_at,
            updated_at: self.updated_at,
            submitted_at: self.submitted_at,
            version: self.version,
            event_count: self.event_count,
            consent: body.consent,
            state: body.state,
        })
    }
}

resource! {
    /// Archives, including tombstones.
    Archives, archives
}

impl Archives<'_, Reader<'_>> {
    /// Returns an archive, including tombstones and archives that are not submitted yet.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &ArchiveId) -> Result<Option<Archive>, StoreError> {
        let found = self.session().find(
            &FIND,
            params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()],
            read,
        )?;
        found.map(|stored| stored.open(self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Archives<'_, S> {
    /// Returns submitted archives, newest first, including tombstones.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: ArchiveFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<Archive>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[filter.user.map(UserId::as_str), filter.visit.map(LinkSiteSessionId::as_str)],
            created: filter.created,
            prefix: ArchiveId::PREFIX,
            request,
        };
        self.0.reader().page(&ARCHIVES, &query, read, |reader, stored| stored.open(reader))
    }

    /// Returns the archives of an attempt, oldest first, including tombstones and archives that are not submitted yet.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_attempt(&mut self, owner: &Owner, attempt: &AttemptId) -> Result<Vec<Archive>, StoreError> {
        let found = self.session().query(
            &OF_ATTEMPT,
            params![attempt.as_str(), owner.tenant.as_str(), owner.mode.as_str()],
            read,
        )?;
        found.into_iter().map(|stored| stored.open(self.0.reader())).collect()
    }
}

impl Archives<'_, Tx<'_>> {
    /// Returns and locks an archive, including tombstones and archives that are not submitted yet.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &ArchiveId) -> Result<Option<Archive>, StoreError> {
        // An outer-joined row cannot be locked, so the lock is taken first.
        self.session().lock(&LOCK, params![id.as_str()])?;
        self.0.reader.archives().get(owner, id)
    }

    pub(crate) fn put(&mut self, archive: &Archive) -> Result<(), StoreError> {
        let (tombstone, body) = match &archive.state {
            ArchiveState::Revoked { .. } => (Some(encode(TABLE, &archive.state)?), None),
            ArchiveState::Uploading { .. }
            | ArchiveState::Analyzing { .. }
            | ArchiveState::Analyzed { .. }
            | ArchiveState::Failed { .. } => {
                let location = Location { table: TABLE, id: archive.id.as_str() };
                let body = Body { state: &archive.state, consent: &archive.consent };
                (None, Some(self.0.seal_until(location, archive.data_ends_at(), &body)?))
            }
        };
        let touched = self.session().execute(
            &PUT,
            params![
                archive.id.as_str(),
                archive.owner.tenant.as_str(),
                archive.owner.mode.as_str(),
                archive.user_id.as_str(),
                // The column is NOT NULL, and a tenant's upload has no attempt.
                archive.attempt_id.as_ref().map_or("", AttemptId::as_str),
                archive.archive_type.as_str(),
                archive.created_at.micros(),
                archive.updated_at.micros(),
                archive.submitted_at.map(TenantTime::micros),
                i64::from(archive.version),
                archive.event_count as i64,
                tombstone.as_ref().map(|bytes| bytes.as_slice()),
                body.as_ref(),
                archive.visit_id.as_ref().map(LinkSiteSessionId::as_str),
            ],
        )?;
        if touched == 0 {
            return Err(StoreError::Stale { table: TABLE });
        }
        self.0.notify(CommitNotice::Archive(archive.id.clone()));
        Ok(())
    }

    pub(crate) fn delete(&mut self, id: &ArchiveId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])?;
        self.0.notify(CommitNotice::Archive(id.clone()));
        Ok(())
    }
}
