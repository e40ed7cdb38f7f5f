//! Erasure scopes: the random key of each erasable thing, wrapped, and the ledger of what was erased.

use crate::keys::{Day, Key, Location};
use crate::sql::{params, statements};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "scope_keys";

statements! {
    FIND_KEY = "SELECT day, wrapped FROM scope_keys WHERE scope_id = ?1";
    INSERT_KEY = "INSERT INTO scope_keys (scope_id, day, wrapped) VALUES (?1, ?2, ?3) \
                  ON CONFLICT (scope_id) DO UPDATE SET day = excluded.day, wrapped = excluded.wrapped";
    DAYS_NEEDED = "SELECT DISTINCT day FROM scope_keys WHERE day < ?1";
    DELETE_KEY = "DELETE FROM scope_keys WHERE scope_id = ?1";
    BEGIN_SCOPE = "INSERT INTO scopes (scope_id, epoch) VALUES (?1, 0) ON CONFLICT (scope_id) DO NOTHING";
    FIND_EPOCH = "SELECT epoch FROM scopes WHERE scope_id = ?1 /*lock*/";
    BUMP_EPOCH = "UPDATE scopes SET epoch = epoch + 1 WHERE scope_id = ?1";
    RECORD_ERASURE = "INSERT INTO erasures (scope_id, erased_at) VALUES (?1, ?2) \
                      ON CONFLICT (scope_id) DO NOTHING";
    LEDGER = "SELECT scope_id, erased_at FROM erasures WHERE scope_id > ?1 ORDER BY scope_id LIMIT 1000";
}

/// The wrapped key of a scope, as a row brings it; `None` once the scope is erased.
pub(crate) type WrappedKey = Option<(Day, Vec<u8>)>;

impl Reader<'_> {
    /// The key of a scope; [`StoreError::Erased`] once it is gone.
    pub(crate) fn scope_key(&mut self, scope: &str) -> Result<Key, StoreError> {
        if let Some(key) = self.scope_keys.get(scope) {
            return Ok(key.clone());
        }
        let wrapped =
            self.session.find(&FIND_KEY, params![scope], |row| Ok((Day(row.int(0)?), row.bytes(1)?)))?;
        self.unwrap_key(scope, wrapped)
    }

    /// The days before `today` whose keys still wrap the key of a living scope.
    pub(crate) fn days_needed_before(&mut self, today: Day) -> Result<Vec<Day>, StoreError> {
        self.session.query(&DAYS_NEEDED, params![today.0], |row| Ok(Day(row.int(0)?)))
    }

    /// The key of a scope whose wrapped form came with a row.
    pub(crate) fn unwrap_key(&mut self, scope: &str, wrapped: WrappedKey) -> Result<Key, StoreError> {
        if let Some(key) = self.scope_keys.get(scope) {
            return Ok(key.clone());
        }
        let (day, wrapped) = wrapped.ok_or(StoreError::Erased)?;
        let day_key = self.keys.days.get(day)?.ok_or(StoreError::Erased)?;
        let clear =
            self.keys.tree.wrapping_key(&day_key).open(Location { table: TABLE, id: scope }, &wrapped)?;
        let bytes =
            <[u8; 32]>::try_from(clear.as_slice()).map_err(|_| StoreError::Unsealable { table: TABLE })?;
        let key = Key::from_bytes(bytes);
        self.scope_keys.insert(scope.to_owned(), key.clone());
        Ok(key)
    }
}

impl Tx<'_> {
    /// The key of a living scope, made if the scope is new, and wrapped for its last day.
    pub(crate) fn scope_key_until(&mut self, scope: &str, last_day: Day) -> Result<Key, StoreError> {
        let found =
            self.session.find(&FIND_KEY, params![scope], |row| Ok((Day(row.int(0)?), row.bytes(1)?)))?;
        let key = match found {
            Some((day, wrapped)) => {
                let key = self.unwrap_key(scope, Some((day, wrapped)))?;
                if day == last_day {
                    return Ok(key);
                }
                key
            }
            None => {
                self.session.execute(&BEGIN_SCOPE, params![scope])?;
                let epoch = self.session.find(&FIND_EPOCH, params![scope], |row| row.int(0))?;
                if epoch != Some(0) {
                    return Err(StoreError::Erased);
                }
                Key::random()?
            }
        };
        let day_key = self.keys.days.get_or_create(last_day)?;
        let wrapped = self
            .keys
            .tree
            .wrapping_key(&day_key)
            .seal(Location { table: TABLE, id: scope }, key.as_bytes())?;
        self.session.execute(&INSERT_KEY, params![scope, last_day.0, &wrapped])?;
        self.scope_keys.insert(scope.to_owned(), key.clone());
        Ok(key)
    }

    /// Destroys a scope's key for good: nothing sealed with it opens any more, nothing new can be sealed with it.
    pub(crate) fn destroy_scope(&mut self, scope: &str, at: i64) -> Result<(), StoreError> {
        self.session.execute(&BEGIN_SCOPE, params![scope])?;
        self.session.execute(&BUMP_EPOCH, params![scope])?;
        self.session.execute(&DELETE_KEY, params![scope])?;
        self.session.execute(&RECORD_ERASURE, params![scope, at])?;
        self.scope_keys.remove(scope);
        self.erases = true;
        Ok(())
    }
}

/// A line of the erasure ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The scope: the id of what was erased.
    pub scope: String,
    /// When, in microseconds.
    pub at: i64,
}

impl Reader<'_> {
    /// Up to 1,000 lines of the erasure ledger, after a scope. A restored back-up replays it before it serves.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn erasures_after(&mut self, scope: &str) -> Result<Vec<Erasure>, StoreError> {
        self.session
            .query(&LEDGER, params![scope], |row| Ok(Erasure { scope: row.text(0)?, at: row.int(1)? }))
    }
}
