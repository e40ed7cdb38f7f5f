//! The keys of erasure scopes, wrapped: each seals the data of one erasable resource. Sessions open and create them.

use std::collections::BTreeSet;

use link_domain::kernel::clock::Wall;

use crate::keys::{Day, Key, Location, bucket_of};
use crate::sql::{Batch, Row, Sql, columns, params, statements};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "scope_keys";

/// The minimum number of days for which the key of a resource without a last day is wrapped.
const MIN_DAYS_WRAPPED: i64 = 60;
/// The number of days between renewals of such a key.
const RENEWED_EVERY: i64 = 30;

columns! {
    /// The wrapped key of a scope, which statements join to the row that it seals.
    key_columns => struct KeyColumns { day, wrapped }
}
pub(crate) use key_columns;
const KEY: KeyColumns = KeyColumns::after(0);
columns! {
    /// The wrapped key of a scope, with the scope.
    named_key_columns => struct NamedKeyColumns { scope_id, day, wrapped }
}
const NAMED_KEY: NamedKeyColumns = NamedKeyColumns::after(0);

pub(crate) static FIND_KEYS: Batch = Batch {
    one: &FIND_NAMED_KEY,
    many: Sql::from_static(
        "scope_keys::FIND_KEYS",
        concat!(
            "SELECT ",
            named_key_columns!(""),
            " FROM scope_keys WHERE scope_id = ANY(CAST(?1 AS TEXT[]))"
        ),
    ),
};

statements! {
    FIND_NAMED_KEY = concat!("SELECT ", named_key_columns!(""), " FROM scope_keys WHERE scope_id = ?1");
    FIND_KEY = concat!("SELECT ", key_columns!(""), " FROM scope_keys WHERE scope_id = ?1");
    INSERT_KEY = "INSERT INTO scope_keys (scope_id, day, wrapped, renewed) VALUES (?1, ?2, ?3, ?4) \
                  ON CONFLICT (scope_id) DO UPDATE SET day = excluded.day, wrapped = excluded.wrapped, \
                  renewed = excluded.renewed";
    BEGIN_SCOPE = "INSERT INTO scopes (scope_id, epoch) VALUES (?1, 0) ON CONFLICT (scope_id) DO NOTHING";
    FIND_EPOCH = "SELECT epoch FROM scopes WHERE scope_id = ?1 /*lock*/";
}

/// The number of times to read a key's row if its bucket is replaced in the meantime.
const READINGS: usize = 5;

/// The day of an overwritten key. No key is ever wrapped for it.
const ERASED: Day = Day(0);

/// The wrapped key of a scope, as read from a row. `None` or with the day [`ERASED`] if the scope is erased.
pub(crate) type WrappedKey = Option<(Day, Vec<u8>)>;

/// Reads the wrapped key that a statement joined to a row.
pub(crate) fn read_wrapped_key(row: &Row<'_>, columns: KeyColumns) -> Result<WrappedKey, StoreError> {
    Ok(row.opt_int(columns.day)?.map(Day).zip(row.opt_bytes(columns.wrapped)?))
}

/// Whether the key of a scope exists, as far as its row shows. `None` if the row is gone.
pub(crate) struct KeyState(Option<Day>);

impl KeyState {
    /// Reads the state of the key that a statement joined to a row.
    pub(crate) fn read(row: &Row<'_>, columns: KeyColumns) -> Result<Self, StoreError> {
        Ok(Self(row.opt_int(columns.day)?.map(Day)))
    }
}

impl Reader<'_> {
    /// Checks that the key of a scope is neither erased nor past its last day, without unwrapping it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Erased`] if the key is gone; [`StoreError`] if the key of its day cannot be read.
    pub(crate) fn check_alive(&self, key: KeyState) -> Result<(), StoreError> {
        let day = key.0.filter(|day| *day != ERASED).ok_or(StoreError::Erased)?;
        self.keys.days.wrapping(day, &self.keys.tree)?.map(drop).ok_or(StoreError::Erased)
    }

    /// Returns the key of a scope, or [`StoreError::Erased`] if it is gone.
    pub(crate) fn scope_key(&mut self, scope: &str) -> Result<Key, StoreError> {
        if let Some(key) = self.scope_keys.get(scope) {
            return Ok(key.clone());
        }
        let wrapped = self.find_wrapped(scope)?;
        self.unwrap_key(scope, wrapped)
    }

    /// Unwraps the key of a scope from the wrapped form that was read with a row.
    pub(crate) fn unwrap_key(&mut self, scope: &str, wrapped: WrappedKey) -> Result<Key, StoreError> {
        if let Some(key) = self.scope_keys.get(scope) {
            return Ok(key.clone());
        }
        let mut found = wrapped;
        for _ in 0..READINGS {
            let (day, wrapped) = found.filter(|(day, _)| *day != ERASED).ok_or(StoreError::Erased)?;
            let wrapping = self.keys.days.wrapping(day, &self.keys.tree)?.ok_or(StoreError::Erased)?;
            let key = match bucket_of(&wrapped) {
                None => Some(wrapping.open_key(Location { table: TABLE, id: scope }, &wrapped)?),
                Some((bucket, sealed)) => match self.bucket(bucket, day, &wrapping)? {
                    Some(bucket) => Some(bucket.unwrap(scope, sealed)?),
                    None => None,
                },
            };
            if let Some(key) = key {
                self.scope_keys.insert(scope.to_owned(), key.clone());
                return Ok(key);
            }
            // Its bucket was replaced after the row was read. The row now names the new bucket.
            found = self.find_wrapped(scope)?;
        }
        Err(StoreError::Unsealable { table: TABLE })
    }

    /// Opens the keys of several scopes, so that [`Reader::scope_key`] finds them. On SQLite it finds them as fast one by
    /// one.
    pub(crate) fn open_scope_keys(&mut self, scopes: &BTreeSet<&str>) -> Result<(), StoreError> {
        if !self.session.is_postgres() {
            return Ok(());
        }
        let rows: Vec<_> = scopes.iter().map(|scope| params![*scope].to_vec()).collect();
        let found = self.session.query_batch(&FIND_KEYS, &[], &rows, |row| {
            let day = Day(row.int(NAMED_KEY.day)?);
            Ok((row.text(NAMED_KEY.scope_id)?, day, row.bytes(NAMED_KEY.wrapped)?))
        })?;
        for (scope, day, wrapped) in found {
            // The result is dropped: an erased key has none, and a damaged one is reported when it is needed.
            drop(self.unwrap_key(&scope, Some((day, wrapped))));
        }
        Ok(())
    }

    pub(crate) fn find_wrapped(&mut self, scope: &str) -> Result<WrappedKey, StoreError> {
        self.session
            .find(&FIND_KEY, params![scope], |row| Ok((Day(row.int(KEY.day)?), row.bytes(KEY.wrapped)?)))
    }
}

impl Tx<'_> {
    /// Returns the key of a live scope, wrapped for its last day. Creates the key if the scope is new.
    pub(crate) fn scope_key_until(&mut self, scope: &str, last_day: Day) -> Result<Key, StoreError> {
        if let Some(key) = self.begin_in_bucket(scope, last_day, false, false)? {
            return Ok(key);
        }
        let key = match self.living_key(scope)? {
            Some((day, key)) if day == last_day => return Ok(key),
            Some((_, key)) => {
                self.leave_bucket_of(scope)?;
                key
            }
            None => self.begin_scope(scope)?,
        };
        self.wrap(scope, &key, last_day, false)?;
        Ok(key)
    }

    /// Returns the key of a live scope without a last day. Creates the key if the scope is new. A caller that has not found the
    /// scope says that it `is_new`, which saves a round trip if it is.
    ///
    /// It is wrapped for at least 60 days, and `tx.scopes().renew_keys(..)` renews it before they are over.
    pub(crate) fn renew_scope_key(
        &mut self,
        scope: &str,
        now: Wall,
        is_new: bool,
    ) -> Result<Key, StoreError> {
        if let Some(key) = self.begin_in_bucket(scope, renewal_day(now), true, is_new)? {
            return Ok(key);
        }
        if let Some((_, key)) = self.living_key(scope)? {
            return Ok(key);
        }
        let key = self.begin_scope(scope)?;
        self.wrap(scope, &key, renewal_day(now), true)?;
        Ok(key)
    }

    fn living_key(&mut self, scope: &str) -> Result<Option<(Day, Key)>, StoreError> {
        let found = self.find_wrapped(scope)?;
        found.map(|(day, wrapped)| Ok((day, self.unwrap_key(scope, Some((day, wrapped)))?))).transpose()
    }

    /// Creates the key of a scope that never had one.
    fn begin_scope(&mut self, scope: &str) -> Result<Key, StoreError> {
        let is_new = self.session.execute(&BEGIN_SCOPE, params![scope])? == 1;
        if !is_new && self.session.find(&FIND_EPOCH, params![scope], |row| row.int(0))? != Some(0) {
            return Err(StoreError::Erased);
        }
        Key::random()
    }

    pub(crate) fn wrap(&mut self, scope: &str, key: &Key, day: Day, renewed: bool) -> Result<(), StoreError> {
        if self.session.is_postgres() {
            self.wrap_in_bucket(scope, key, day, renewed)?;
            self.scope_keys.insert(scope.to_owned(), key.clone());
            return Ok(());
        }
        let wrapping = self.keys.days.wrapping_or_create(day, &self.keys.tree)?;
        let wrapped = wrapping.seal(Location { table: TABLE, id: scope }, key.as_bytes())?;
        self.session.execute(&INSERT_KEY, params![scope, day.0, &wrapped, renewed])?;
        self.scope_keys.insert(scope.to_owned(), key.clone());
        Ok(())
    }
}

/// Returns the day for which keys without a last day are wrapped now. They share it, and so its key file.
pub(crate) fn renewal_day(now: Wall) -> Day {
    let earliest = Day::from_micros(now.micros()).0 + MIN_DAYS_WRAPPED;
    Day((earliest.div_euclid(RENEWED_EVERY) + 1) * RENEWED_EVERY)
}
