//! Events: data that is not personal is unencrypted, the full envelopes are sealed with their source's key.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::kernel::subject::Subject;
use link_domain::notifications::event::{EventRecord, SealedBodies};
use link_types::event::EventType;
use link_types::id::{AccountId, ArchiveId, EventId, HostedLinkId, InviteId, RecordId, UserId, WebhookId};
use link_types::signal::SignalId;

use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, Sql, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, WrappedKey, key_columns, read_wrapped_key};
use crate::tables::list::{Created, List, ListQuery, first_id};
use crate::tables::resource::resource;
use crate::tables::{count, owner};
use crate::{CommitNotice, Page, PageRequest, Reader, StoreError, Tx};

pub(super) const TABLE: &str = "events";
/// The location of the sealed envelope without payload.
pub(crate) const PLAIN: &str = "events.plain";
/// The location of the sealed envelope with its payload.
pub(crate) const WITH_PAYLOAD: &str = "events.with_payload";

columns! {
    /// The unencrypted columns.
    open_columns => struct OpenColumns {
        id, tenant_id, mode, event_type, created_at, subject_kind, subject, sequence, open, user_id,
    }
}
const COLUMNS: OpenColumns = OpenColumns::after(0);

columns! {
    /// The columns of the envelope without payload.
    plain_columns => struct PlainColumns { scope_id, plain }
}
const PLAIN_COLUMNS: PlainColumns = PlainColumns::after(OpenColumns::COUNT);
const KEY: KeyColumns = KeyColumns::after(OpenColumns::COUNT + PlainColumns::COUNT);
/// The column of the envelope with its payload, where it is selected.
const PAYLOAD: usize = OpenColumns::COUNT + PlainColumns::COUNT + KeyColumns::COUNT;

macro_rules! select_open {
    ($rest:literal) => {
        concat!("SELECT ", open_columns!("e."), " FROM events e", $rest)
    };
}

/// Without payloads, which may have megabytes.
macro_rules! select_plain {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            open_columns!("e."),
            ", ",
            plain_columns!("e."),
            ", ",
            key_columns!("k."),
            " FROM events e LEFT JOIN scope_keys k ON k.scope_id = e.scope_id",
            $rest
        )
    };
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            open_columns!("e."),
            ", ",
            plain_columns!("e."),
            ", ",
            key_columns!("k."),
            ", e.with_payload FROM events e LEFT JOIN scope_keys k ON k.scope_id = e.scope_id",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO events (id, tenant_id, mode, event_type, created_at, subject_kind, subject, sequence, \
              open, scope_id, plain, with_payload, user_id) \
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    FIND = select!(" WHERE e.id = ?1 AND e.tenant_id = ?2 AND e.mode = ?3");
    FIND_PLAIN = select_plain!(" WHERE e.id = ?1 AND e.tenant_id = ?2 AND e.mode = ?3");
    OLDEST_FIRST = select!(
        " WHERE e.tenant_id = ?1 AND e.mode = ?2 AND e.id > ?3 AND e.id < ?4 ORDER BY e.id LIMIT ?5"
    );
    PLAIN_OLDEST_FIRST = select_plain!(
        " WHERE e.tenant_id = ?1 AND e.mode = ?2 AND e.id > ?3 AND e.id < ?4 ORDER BY e.id LIMIT ?5"
    );
    OPEN_OLDEST_FIRST = select_open!(
        " WHERE e.tenant_id = ?1 AND e.mode = ?2 AND e.id > ?3 AND e.id < ?4 ORDER BY e.id LIMIT ?5"
    );
    OLDEST = "SELECT id FROM events WHERE tenant_id = ?1 AND mode = ?2 AND id < ?3 ORDER BY id LIMIT ?4";
    DELETE = "DELETE FROM events WHERE id = ?1";
    STRIP_PAYLOADS = "UPDATE events SET with_payload = NULL WHERE scope_id = ?1 AND with_payload IS NOT NULL";
    STRIP_SCOPE = "UPDATE events SET scope_id = NULL, plain = NULL, with_payload = NULL WHERE scope_id = ?1";
}

pub(crate) static EVENTS: List = List {
    name: "events",
    select: select_plain!(""),
    id: "e.id",
    position: COLUMNS.id,
    always: &["e.tenant_id = ?", "e.mode = ?"],
    filters: &["e.event_type = ?", "e.subject = ?", "e.user_id = ?"],
};

/// Filters for a list of events.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventFilter<'a> {
    /// Only events of this type.
    pub event_type: Option<EventType>,
    /// Only events about this user, account, archive, record, signal, invitation or webhook itself.
    pub subject: Option<&'a str>,
    /// Only events about this user or any of their resources.
    pub user: Option<&'a UserId>,
    /// Only events created in this span.
    pub created: Created,
}

struct Stored {
    event: EventRecord,
    scope: Option<ErasureScope>,
    plain: Option<Vec<u8>>,
    with_payload: Option<Vec<u8>>,
    wrapped: WrappedKey,
}

pub(crate) const fn subject_kind(subject: &Subject) -> &'static str {
    match subject {
        Subject::User(_) => "USER",
        Subject::Account(_) => "ACCOUNT",
        Subject::Archive(_) => "ARCHIVE",
        Subject::Record(_) => "RECORD",
        Subject::Signal(_) => "SIGNAL",
        Subject::Invite(_) => "INVITE",
        Subject::HostedLink(_) => "HOSTED_LINK",
        Subject::Webhook(_) => "WEBHOOK",
    }
}

pub(crate) fn subject(table: &'static str, kind: &str, id: &str) -> Result<Subject, StoreError> {
    match kind {
        "USER" => Ok(Subject::User(parse::<UserId>(table, id)?)),
        "ACCOUNT" => Ok(Subject::Account(parse::<AccountId>(table, id)?)),
        "ARCHIVE" => Ok(Subject::Archive(parse::<ArchiveId>(table, id)?)),
        "RECORD" => Ok(Subject::Record(parse::<RecordId>(table, id)?)),
        "SIGNAL" => Ok(Subject::Signal(parse::<SignalId>(table, id)?)),
        "INVITE" => Ok(Subject::Invite(parse::<InviteId>(table, id)?)),
        "HOSTED_LINK" => Ok(Subject::HostedLink(parse::<HostedLinkId>(table, id)?)),
        "WEBHOOK" => Ok(Subject::Webhook(parse::<WebhookId>(table, id)?)),
        _ => Err(StoreError::undecodable(table, "an unknown kind of subject")),
    }
}

fn read_open(row: &Row<'_>) -> Result<EventRecord, StoreError> {
    Ok(EventRecord {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        event_type: parse(TABLE, row.str(COLUMNS.event_type)?)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        subject: subject(TABLE, row.str(COLUMNS.subject_kind)?, row.str(COLUMNS.subject)?)?,
        user_id: row.opt_str(COLUMNS.user_id)?.map(|id| parse(TABLE, id)).transpose()?,
        sequence: count(TABLE, row.int(COLUMNS.sequence)?)?,
        open: row.bytes(COLUMNS.open)?,
        sealed: None,
    })
}

fn read_plain(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored {
        event: read_open(row)?,
        scope: row.opt_str(PLAIN_COLUMNS.scope_id)?.map(|id| parse::<ErasureScope>(TABLE, id)).transpose()?,
        plain: row.opt_bytes(PLAIN_COLUMNS.plain)?,
        with_payload: None,
        wrapped: read_wrapped_key(row, KEY)?,
    })
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    Ok(Stored { with_payload: row.opt_bytes(PAYLOAD)?, ..read_plain(row)? })
}

impl Stored {
    /// Opens an event. If its key is gone, returns it without sealed data, as it will be once it is stripped.
    fn open(self, reader: &mut Reader<'_>) -> Result<EventRecord, StoreError> {
        let (Some(scope), Some(plain)) = (self.scope, self.plain) else { return Ok(self.event) };
        let key = match reader.unwrap_key(scope.as_str(), self.wrapped) {
            Err(StoreError::Erased) => return Ok(self.event),
            key => key?,
        };
        let id = self.event.id.as_str();
        let open =
            |table, sealed: &[u8]| Ok::<_, StoreError>(key.open(Location { table, id }, sealed)?.to_vec());
        let sealed = SealedBodies {
            scope,
            plain: open(PLAIN, &plain)?,
            with_payload: self.with_payload.map(|sealed| open(WITH_PAYLOAD, &sealed)).transpose()?,
        };
        Ok(EventRecord { sealed: Some(sealed), ..self.event })
    }
}

/// Returns the bounds of the ids of a span's events.
fn bounds((since, until): (TenantTime, TenantTime), after: Option<&EventId>) -> (String, String) {
    let from = after.map_or_else(|| first_id(EventId::PREFIX, since), |id| id.as_str().to_owned());
    (from, first_id(EventId::PREFIX, until))
}

resource! {
    /// Events.
    Events, events
}

impl<'c, S: ReadSession<'c>> Events<'_, S> {
    /// Returns an event.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &EventId) -> Result<Option<EventRecord>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND, owned, read)?.map(|stored| stored.open(self.0.reader())).transpose()
    }

    /// Returns an event without its payload.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get_plain(&mut self, owner: &Owner, id: &EventId) -> Result<Option<EventRecord>, StoreError> {
        let owned = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        self.session().find(&FIND_PLAIN, owned, read_plain)?.map(|it| it.open(self.0.reader())).transpose()
    }

    /// Returns events in a span, oldest first, after a given event.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn between(
        &mut self,
        owner: &Owner,
        span: (TenantTime, TenantTime),
        after: Option<&EventId>,
        limit: usize,
    ) -> Result<Vec<EventRecord>, StoreError> {
        self.opened_between(&OLDEST_FIRST, read, owner, span, after, limit)
    }

    /// Returns events in a span like [`Self::between`], but without payloads.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn plain_between(
        &mut self,
        owner: &Owner,
        span: (TenantTime, TenantTime),
        after: Option<&EventId>,
        limit: usize,
    ) -> Result<Vec<EventRecord>, StoreError> {
        self.opened_between(&PLAIN_OLDEST_FIRST, read_plain, owner, span, after, limit)
    }

    fn opened_between(
        &mut self,
        sql: &Sql,
        read: fn(&Row<'_>) -> Result<Stored, StoreError>,
        owner: &Owner,
        span: (TenantTime, TenantTime),
        after: Option<&EventId>,
        limit: usize,
    ) -> Result<Vec<EventRecord>, StoreError> {
        let (from, until) = bounds(span, after);
        let between = params![owner.tenant.as_str(), owner.mode.as_str(), &from, &until, limit as i64];
        let stored = self.session().query(sql, between, read)?;
        stored.into_iter().map(|stored| stored.open(self.0.reader())).collect()
    }

    /// Returns events in a span without their sealed data, for callers that need only what the events are about.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn open_between(
        &mut self,
        owner: &Owner,
        (since, until): (TenantTime, TenantTime),
        after: Option<&EventId>,
        limit: usize,
    ) -> Result<Vec<EventRecord>, StoreError> {
        let (from, until) = bounds((since, until), after);
        let span = params![owner.tenant.as_str(), owner.mode.as_str(), &from, &until, limit as i64];
        self.session().query(&OPEN_OLDEST_FIRST, span, read_open)
    }

    /// Returns events, newest first, without payloads.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: EventFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<EventRecord>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[
                filter.event_type.map(EventType::as_str),
                filter.subject,
                filter.user.map(UserId::as_str),
            ],
            created: filter.created,
            prefix: EventId::PREFIX,
            request,
        };
        self.0.reader().page(&EVENTS, &query, read_plain, |reader, stored| stored.open(reader))
    }
}

impl Events<'_, Tx<'_>> {
    pub(crate) fn insert(&mut self, event: &EventRecord) -> Result<(), StoreError> {
        let id = event.id.as_str();
        let sealed = match &event.sealed {
            None => None,
            Some(bodies) => {
                let key = self.0.scope_key(bodies.scope.as_str())?;
                let seal = |table, clear: &[u8]| key.seal(Location { table, id }, clear);
                let with_payload =
                    bodies.with_payload.as_deref().map(|clear| seal(WITH_PAYLOAD, clear)).transpose()?;
                Some((bodies.scope.as_str(), seal(PLAIN, &bodies.plain)?, with_payload))
            }
        };
        self.session().execute_later(
            &INSERT,
            params![
                id,
                event.owner.tenant.as_str(),
                event.owner.mode.as_str(),
                event.event_type.as_str(),
                event.created_at.micros(),
                subject_kind(&event.subject),
                event.subject.as_str(),
                event.sequence as i64,
                &event.open,
                sealed.as_ref().map(|(scope, _, _)| *scope),
                sealed.as_ref().map(|(_, plain, _)| plain),
                sealed.as_ref().and_then(|(_, _, with_payload)| with_payload.as_ref()),
                event.user_id.as_ref().map(UserId::as_str),
            ],
        )?;
        self.0.notify(CommitNotice::Event(event.owner.clone()));
        Ok(())
    }

    /// Deletes up to `limit` events of an owner created before a time, oldest first, with their deliveries and
    /// attempts.
    ///
    /// Returns how many it deleted. Fewer than `limit` means that there are no more.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(
        &mut self,
        owner: &Owner,
        moment: TenantTime,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let until = first_id(EventId::PREFIX, moment);
        let span = params![owner.tenant.as_str(), owner.mode.as_str(), &until, limit as i64];
        let ids = self.session().query(&OLDEST, span, |row| row.text(0))?;
        for id in &ids {
            self.0.deliveries().delete_of_event(id)?;
            self.session().execute_later(&DELETE, params![id])?;
        }
        Ok(ids.len())
    }

    /// Removes the data points from the events of a scope. Pending deliveries then carry the event without them.
    pub(crate) fn strip_payloads(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute(&STRIP_PAYLOADS, params![scope]).map(drop)
    }

    pub(crate) fn strip_scope(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute(&STRIP_SCOPE, params![scope]).map(drop)
    }
}
