//! Records: the request and its state are sealed with the record's own key. Erasing a record deletes its row.

use link_domain::kernel::owner::Owner;
use link_domain::lookups::record::Record;
use link_types::id::{RecordId, UserId};

use super::requested::{self, Body, OpenedBody, StoredRequest, requested_columns};
use crate::commit_notice::CommitNotice;
use crate::keys::Location;
use crate::reader::ReadSession;
use crate::sql::{Row, params, statements};
use crate::tables::kernel::scope_keys::key_columns;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "records";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            requested_columns!("r."),
            ", ",
            key_columns!("k."),
            " FROM records r LEFT JOIN scope_keys k ON k.scope_id = r.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO records (id, tenant_id, mode, created_at, version, event_count, body, user_id) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
           ON CONFLICT (id) DO UPDATE SET version = excluded.version, event_count = excluded.event_count, \
           body = excluded.body WHERE records.version < excluded.version";
    LOCK = "SELECT id FROM records WHERE id = ?1 /*lock*/";
    FIND = select!(" WHERE r.id = ?1 AND r.tenant_id = ?2 AND r.mode = ?3");
    DELETE = "DELETE FROM records WHERE id = ?1";
}

pub(crate) static RECORDS: List = List {
    name: "records",
    select: select!(""),
    id: "r.id",
    position: requested::COLUMNS.id,
    always: &["r.tenant_id = ?", "r.mode = ?"],
    filters: &["r.user_id = ?"],
};

fn read(row: &Row<'_>) -> Result<StoredRequest<RecordId>, StoreError> {
    requested::read(TABLE, row)
}

fn open(stored: StoredRequest<RecordId>, reader: &mut Reader<'_>) -> Result<Record, StoreError> {
    let StoredRequest { id, owner, created_at, version, event_count, body } = stored;
    let OpenedBody { request, state } = body.open(reader, Location { table: TABLE, id: id.as_str() })?;
    Ok(Record { id, owner, created_at, version, event_count, request, state })
}

resource! {
    /// Records.
    Records, records
}

impl Records<'_, Reader<'_>> {
    /// Returns a record.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &RecordId) -> Result<Option<Record>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| open(stored, self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Records<'_, S> {
    /// Returns records, of one user if there is one, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        user: Option<&UserId>,
        created: Created,
        request: &PageRequest,
    ) -> Result<Page<Record>, StoreError> {
        let (filters, prefix) = (&[user.map(UserId::as_str)], RecordId::PREFIX);
        let query = ListQuery { owner, always: &[], filters, created, prefix, request };
        self.0.reader().page(&RECORDS, &query, read, |reader, stored| open(stored, reader))
    }
}

impl Records<'_, Tx<'_>> {
    /// Returns and locks a record.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &RecordId) -> Result<Option<Record>, StoreError> {
        // An outer-joined row cannot be locked, so the lock is taken first.
        self.session().lock(&LOCK, params![id.as_str()])?;
        self.0.reader.records().get(owner, id)
    }

    pub(crate) fn put(&mut self, record: &Record) -> Result<(), StoreError> {
        let id = record.id.as_str();
        let body = Body { request: &record.request, state: &record.state };
        let sealed = self.0.seal_until(Location { table: TABLE, id }, record.data_ends_at(), &body)?;
        let touched = self.session().execute(
            &PUT,
            params![
                id,
                record.owner.tenant.as_str(),
                record.owner.mode.as_str(),
                record.created_at.micros(),
                i64::from(record.version),
                record.event_count as i64,
                &sealed,
                record.request.user_id.as_ref().map(UserId::as_str),
            ],
        )?;
        if touched == 0 {
            return Err(StoreError::Stale { table: TABLE });
        }
        self.0.notify(CommitNotice::Record(record.id.clone()));
        Ok(())
    }

    pub(crate) fn delete(&mut self, id: &RecordId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
