//! Records: the request and where it stands sealed with the record's own key; nothing stays of an erased one.

use link_domain::clock::TenantTime;
use link_domain::owner::Owner;
use link_domain::record::{Record, RecordState};
use link_types::id::RecordId;
use link_types::record::SocialSecurityRequest;
use serde::{Deserialize, Serialize};

use super::list::{Created, List, ListQuery};
use super::scopes::WrappedKey;
use super::{count, owner, small};
use crate::keys::{Day, Location};
use crate::reader::{decode, encode, parse};
use crate::sql::{Row, params, statements};
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "records";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.tenant_id, r.mode, r.created_at, r.version, r.event_count, r.body, k.day, k.wrapped \
             FROM records r LEFT JOIN scope_keys k ON k.scope_id = r.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO records (id, tenant_id, mode, created_at, version, event_count, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
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
    always: &["r.tenant_id = ?", "r.mode = ?"],
    filters: &[],
};

/// What of a record is sealed.
#[derive(Serialize)]
struct Body<'a> {
    request: &'a SocialSecurityRequest,
    state: &'a RecordState,
}

#[derive(Deserialize)]
struct OpenedBody {
    request: SocialSecurityRequest,
    state: RecordState,
}

/// A record's row before its body is opened.
struct Stored {
    id: RecordId,
    owner: Owner,
    created_at: TenantTime,
    version: u32,
    event_count: u64,
    body: Vec<u8>,
    wrapped: WrappedKey,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        id: parse(TABLE, &row.text(0)?)?,
        owner: owner(TABLE, row, 1)?,
        created_at: TenantTime::from_micros(row.int(3)?),
        version: small(TABLE, row.int(4)?)?,
        event_count: count(TABLE, row.int(5)?)?,
        body: row.bytes(6)?,
        wrapped: row.opt_int(7)?.map(Day).zip(row.opt_bytes(8)?),
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<Record, StoreError> {
        let key = reader.unwrap_key(self.id.as_str(), self.wrapped)?;
        let body: OpenedBody =
            decode(TABLE, &key.open(Location { table: TABLE, id: self.id.as_str() }, &self.body)?)?;
        Ok(Record {
            id: self.id,
            owner: self.owner,
            created_at: self.created_at,
            version: self.version,
            event_count: self.event_count,
            request: body.request,
            state: body.state,
        })
    }
}

impl Reader<'_> {
    /// A record.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn record(&mut self, owner: &Owner, id: &RecordId) -> Result<Option<Record>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session.find(&FIND, owned, read)?.map(|stored| stored.open(self)).transpose()
    }

    /// Records, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] when the database cannot be read.
    pub fn records(
        &mut self,
        owner: &Owner,
        created: Created,
        request: &PageRequest,
    ) -> Result<Page<Record>, StoreError> {
        let query =
            ListQuery { owner, always: &[], filters: &[], created, prefix: RecordId::PREFIX, request };
        self.page(&RECORDS, &query, read, |reader, stored| stored.open(reader))
    }
}

impl Tx<'_> {
    /// A record, locked.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn record(&mut self, owner: &Owner, id: &RecordId) -> Result<Option<Record>, StoreError> {
        // A row that is outer-joined cannot be locked, so the lock comes first.
        self.session.find(&LOCK, params![id.as_str()], |_| Ok(()))?;
        self.reader.record(owner, id)
    }

    pub(crate) fn put_record(&mut self, record: &Record) -> Result<(), StoreError> {
        let id = record.id.as_str();
        let key = self.scope_key_until(id, Day::of(record.data_ends_at().micros()))?;
        let clear = encode(TABLE, &Body { request: &record.request, state: &record.state })?;
        let touched = self.session.execute(
            &PUT,
            params![
                id,
                record.owner.tenant.as_str(),
                record.owner.mode.as_str(),
                record.created_at.micros(),
                i64::from(record.version),
                record.event_count as i64,
                &key.seal(Location { table: TABLE, id }, &clear)?,
            ],
        )?;
        if touched == 0 { Err(StoreError::Stale { table: TABLE }) } else { Ok(()) }
    }

    pub(crate) fn delete_record(&mut self, id: &RecordId) -> Result<(), StoreError> {
        self.session.execute(&DELETE, params![id.as_str()]).map(drop)
    }
}
