//! Signals of all kinds: the request and its state are sealed with the signal's own key. Erasing a signal deletes its
//! row.

use link_domain::kernel::owner::Owner;
use link_domain::lookups::signal::Signal;
use link_types::signal::{SignalId, SignalKind};

use super::requested::{self, Body, OpenedBody, StoredRequest, requested_columns};
use crate::keys::Location;
use crate::reader::ReadSession;
use crate::sql::{Row, params, statements};
use crate::tables::kernel::scope_keys::key_columns;
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::resource::resource;
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "signals";

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            requested_columns!("s."),
            ", ",
            key_columns!("k."),
            " FROM signals s LEFT JOIN scope_keys k ON k.scope_id = s.id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO signals (id, tenant_id, mode, kind, created_at, version, event_count, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
           ON CONFLICT (id) DO UPDATE SET version = excluded.version, event_count = excluded.event_count, \
           body = excluded.body WHERE signals.version < excluded.version";
    LOCK = "SELECT id FROM signals WHERE id = ?1 /*lock*/";
    FIND = select!(" WHERE s.id = ?1 AND s.tenant_id = ?2 AND s.mode = ?3");
    DELETE = "DELETE FROM signals WHERE id = ?1";
}

pub(crate) static SIGNALS: List = List {
    name: "signals",
    select: select!(""),
    id: "s.id",
    position: requested::COLUMNS.id,
    always: &["s.tenant_id = ?", "s.mode = ?", "s.kind = ?"],
    filters: &[],
};

fn read(row: &Row<'_>) -> Result<StoredRequest<SignalId>, StoreError> {
    requested::read(TABLE, row)
}

fn open(stored: StoredRequest<SignalId>, reader: &mut Reader<'_>) -> Result<Signal, StoreError> {
    let StoredRequest { id, owner, created_at, version, event_count, body } = stored;
    let OpenedBody { request, state } = body.open(reader, Location { table: TABLE, id: id.as_str() })?;
    Ok(Signal { id, owner, created_at, version, event_count, request, state })
}

resource! {
    /// Signals of all kinds.
    Signals, signals
}

impl Signals<'_, Reader<'_>> {
    /// Returns a signal.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &SignalId) -> Result<Option<Signal>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| open(stored, self.0)).transpose()
    }
}

impl<'c, S: ReadSession<'c>> Signals<'_, S> {
    /// Returns signals of one kind, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        kind: SignalKind,
        created: Created,
        request: &PageRequest,
    ) -> Result<Page<Signal>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[kind.as_str()],
            filters: &[],
            created,
            prefix: kind.prefix(),
            request,
        };
        self.0.reader().page(&SIGNALS, &query, read, |reader, stored| open(stored, reader))
    }
}

impl Signals<'_, Tx<'_>> {
    /// Returns and locks a signal.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &SignalId) -> Result<Option<Signal>, StoreError> {
        // An outer-joined row cannot be locked, so the lock is taken first.
        self.session().lock(&LOCK, params![id.as_str()])?;
        self.0.reader.signals().get(owner, id)
    }

    pub(crate) fn put(&mut self, signal: &Signal) -> Result<(), StoreError> {
        let id = signal.id.as_str();
        let body = Body { request: &signal.request, state: &signal.state };
        let sealed = self.0.seal_until(Location { table: TABLE, id }, signal.data_ends_at(), &body)?;
        let touched = self.session().execute(
            &PUT,
            params![
                id,
                signal.owner.tenant.as_str(),
                signal.owner.mode.as_str(),
                signal.kind().as_str(),
                signal.created_at.micros(),
                i64::from(signal.version),
                signal.event_count as i64,
                &sealed,
            ],
        )?;
        if touched == 0 { Err(StoreError::Stale { table: TABLE }) } else { Ok(()) }
    }

    pub(crate) fn delete(&mut self, id: &SignalId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
