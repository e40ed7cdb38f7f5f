//! Responses to requests with an `Idempotency-Key`: claimed before the effect and stored with it, in one unit.

use link_domain::kernel::clock::{Now, Wall};
use link_domain::tenancy::idempotency::{About, Claim, KeyedRequest, MAX_AGE, StoredName, StoredResponse};

use crate::keys::{Key, Label, Location};
use crate::reader::ReadSession;
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "idempotency_keys";

/// How long a concurrent duplicate waits for the unit that holds the key.
const SET_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '5s'";

columns! {
    /// The columns of a stored key.
    key_state_columns => struct Columns { fingerprint, subject_id, scope_id, settled, answer }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    CLAIM = "INSERT INTO idempotency_keys (id, tenant_id, mode, fingerprint, created_at, expires_at, settled) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0) \
             ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, \
             created_at = excluded.created_at, expires_at = excluded.expires_at, subject_id = NULL, \
             scope_id = NULL, settled = 0, answer = NULL \
             WHERE idempotency_keys.expires_at <= excluded.created_at";
    FIND = concat!("SELECT ", key_state_columns!(""), " FROM idempotency_keys WHERE id = ?1 AND expires_at > ?2");
    KEEP = "UPDATE idempotency_keys SET expires_at = ?2, subject_id = ?3, scope_id = ?4, settled = ?5, \
            answer = ?6 WHERE id = ?1 AND fingerprint = ?7";
    DELETE_OF_SUBJECT = "DELETE FROM idempotency_keys WHERE subject_id = ?1";
    DELETE_EXPIRED = "DELETE FROM idempotency_keys WHERE expires_at <= ?1";
}

struct Found {
    fingerprint: Vec<u8>,
    subject: Option<String>,
    scope: Option<String>,
    settled: bool,
    response: Option<Vec<u8>>,
}

fn read(row: &Row<'_>) -> Result<Found, StoreError> {
    Ok(Found {
        fingerprint: row.bytes(COLUMNS.fingerprint)?,
        subject: row.opt_text(COLUMNS.subject_id)?,
        scope: row.opt_text(COLUMNS.scope_id)?,
        settled: row.flag(COLUMNS.settled)?,
        response: row.opt_bytes(COLUMNS.answer)?,
    })
}

resource! {
    /// Idempotency keys and the responses stored with them.
    IdempotencyKeys, idempotency_keys
}

impl<'c, S: ReadSession<'c>> IdempotencyKeys<'_, S> {
    /// Returns the stored state of a request's key, or `None` if the key is unused. To act on it, claim the key.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find(&mut self, request: &KeyedRequest, now: Now) -> Result<Option<Claim>, StoreError> {
        let name = self.stored_name_of(request);
        let found = self.session().find(&FIND, params![&name.id, now.wall().micros()], read)?;
        found.map(|found| self.read_claim(&name, found)).transpose()
    }

    fn stored_name_of(&mut self, request: &KeyedRequest) -> StoredName {
        request.to_stored_name(self.0.reader().keys.tree.key(Label::Lookup).as_bytes())
    }

    fn read_claim(&mut self, name: &StoredName, found: Found) -> Result<Claim, StoreError> {
        let Found { fingerprint, subject, scope, settled, response } = found;
        if fingerprint != name.fingerprint.as_bytes() {
            return Ok(Claim::OtherRequest);
        }
        if !settled {
            return Ok(Claim::Open { subject });
        }
        let key = self.response_key(scope.as_deref())?;
        // A claim is never committed without its response.
        let response = response.ok_or(StoreError::Unsealable { table: TABLE })?;
        let clear = key.open(Location { table: TABLE, id: &name.id }, &response)?;
        let (status, body) = clear.split_at_checked(2).ok_or(StoreError::Unsealable { table: TABLE })?;
        let status = status.try_into().map(u16::from_be_bytes);
        let status = status.map_err(|_| StoreError::Unsealable { table: TABLE })?;
        Ok(Claim::Responded { status, body: body.to_vec() })
    }

    fn response_key(&mut self, scope: Option<&str>) -> Result<Key, StoreError> {
        match scope {
            Some(scope) => self.0.reader().scope_key(scope),
            None => Ok(self.0.reader().keys.tree.key(Label::Idempotency).clone()),
        }
    }
}

impl IdempotencyKeys<'_, Tx<'_>> {
    /// Claims a key for a request, before anything else in its unit.
    ///
    /// A concurrent duplicate waits here until the first unit ends. A caller that gets [`Claim::Mine`] must store a
    /// response in the same unit.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] if the first unit takes longer than 5 seconds; [`StoreError`] if the database cannot be
    /// written.
    pub fn claim(&mut self, request: &KeyedRequest, now: Now) -> Result<Claim, StoreError> {
        let name = self.stored_name_of(request);
        let created_at = now.wall();
        if self.session().is_postgres() {
            self.session().script(SET_LOCK_TIMEOUT)?;
        }
        let claimed = self.session().execute(
            &CLAIM,
            params![
                &name.id,
                request.owner.tenant.as_str(),
                request.owner.mode.as_str(),
                name.fingerprint.as_bytes(),
                created_at.micros(),
                (created_at + MAX_AGE).micros(),
            ],
        )?;
        if claimed > 0 {
            return Ok(Claim::Mine);
        }
        let found = self.session().find(&FIND, params![&name.id, created_at.micros()], read)?;
        // Only an erasure deletes a live row, which frees the key: the caller tries again.
        let found = found.ok_or_else(|| StoreError::Duplicate(TABLE.to_owned()))?;
        self.read_claim(&name, found)
    }

    /// Stores the response to a request that claimed its key, or that left it open before.
    ///
    /// # Errors
    ///
    /// [`StoreError::Erased`] if the response is about something that was erased; [`StoreError`] if the database cannot
    /// be written.
    pub fn keep(&mut self, request: &KeyedRequest, kept: &StoredResponse) -> Result<(), StoreError> {
        let name = self.stored_name_of(request);
        let scope = kept.subject.as_ref().and_then(About::scope);
        let key = self.response_key(scope)?;
        let clear = zeroize::Zeroizing::new([&kept.status.to_be_bytes(), kept.body.as_slice()].concat());
        let response = key.seal(Location { table: TABLE, id: &name.id }, &clear)?;
        self.session()
            .execute(
                &KEEP,
                params![
                    &name.id,
                    kept.expires_at.micros(),
                    kept.subject.as_ref().map(About::as_str),
                    scope,
                    kept.settled,
                    &response,
                    name.fingerprint.as_bytes(),
                ],
            )
            .map(drop)
    }

    /// Deletes the responses about a resource, because it is erased.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub(crate) fn delete_about(&mut self, subject: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_SUBJECT, params![subject])
    }

    /// Deletes responses that expired by a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_by(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_EXPIRED, params![moment.micros()])
    }
}
