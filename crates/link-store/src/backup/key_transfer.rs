//! Wraps scope keys again for the other kind of database: SQLite's keys are wrapped by the key of their day, PostgreSQL's by
//! the key of a bucket (ADR 139).

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::catalog::SCOPE_KEYS;
use super::error::BackupError;
use super::row::{RowBuilder, fields_of, int_of, text_of};
use crate::StoreError;
use crate::keys::{Bucket, Day, Key, Keys, Location, OpenBucket, WRAPPED_BYTES, bucket_of};

/// The day of a key that was overwritten by an erasure on SQLite.
const ERASED: Day = Day(0);
/// Marks a key that does not open (`scope_keys.renewed`). The service skips it too.
const SPOILT: i64 = 2;

/// A row of `scope_keys`.
struct ScopeKey<'r> {
    scope: &'r str,
    day: Day,
    wrapped: &'r [u8],
    renewed: i64,
}

fn read_row(row: &[u8]) -> Result<ScopeKey<'_>, BackupError> {
    let fields = fields_of(row, 4);
    let read = fields.as_deref().and_then(|fields| match fields {
        [scope, day, wrapped, renewed] => Some(ScopeKey {
            scope: text_of(*scope)?,
            day: Day(int_of(*day)?),
            wrapped: (*wrapped)?,
            renewed: int_of(*renewed)?,
        }),
        _ => None,
    });
    read.ok_or_else(|| BackupError::Differs { table: SCOPE_KEYS.to_owned() })
}

impl ScopeKey<'_> {
    /// Returns the row of the key after an erasure on SQLite.
    fn erase(self) -> Self {
        Self { day: ERASED, wrapped: &[0; WRAPPED_BYTES], renewed: 0, ..self }
    }

    fn write(&self) -> Bytes {
        let mut row = RowBuilder::new(4);
        row.push_bytes(self.scope.as_bytes());
        row.push_int(self.day.0);
        row.push_bytes(self.wrapped);
        row.push_int(self.renewed);
        row.finish()
    }
}

/// Opens the scope keys of one database. It needs the keys of its buckets first, if it is PostgreSQL.
pub(super) struct KeyOpener<'k> {
    keys: &'k Keys,
    buckets: HashMap<i64, (Day, Vec<u8>)>,
    opened: HashMap<i64, Bucket>,
    /// Of every key that opens, with its scope.
    digest: Sha256,
}

impl<'k> KeyOpener<'k> {
    pub(super) fn new(keys: &'k Keys) -> Self {
        Self { keys, buckets: HashMap::new(), opened: HashMap::new(), digest: Sha256::new() }
    }

    /// Takes a row of `key_buckets`.
    pub(super) fn add_bucket(&mut self, row: &[u8]) -> Result<(), BackupError> {
        let fields = fields_of(row, 3);
        let read = fields.as_deref().and_then(|fields| match fields {
            [id, day, wrapped] => Some((int_of(*id)?, Day(int_of(*day)?), (*wrapped)?.to_vec())),
            _ => None,
        });
        let damaged = || BackupError::Differs { table: super::catalog::KEY_BUCKETS.to_owned() };
        let (id, day, wrapped) = read.ok_or_else(damaged)?;
        self.buckets.insert(id, (day, wrapped));
        Ok(())
    }

    /// Opens the key of a row of `scope_keys`. Returns `None` if it was erased, or if the key of its day is gone.
    pub(super) fn open_row(&mut self, row: &[u8]) -> Result<Option<Key>, BackupError> {
        let row = read_row(row)?;
        self.open(&row)
    }

    fn open(&mut self, row: &ScopeKey<'_>) -> Result<Option<Key>, BackupError> {
        if row.day == ERASED || row.renewed == SPOILT {
            return Ok(None);
        }
        let opened = self.unwrap(row);
        let Some(key) = opened.map_err(|error| describe_closed(row, error))? else { return Ok(None) };
        for part in
            [row.scope.as_bytes(), &row.day.0.to_be_bytes(), &row.renewed.to_be_bytes(), key.as_bytes()]
        {
            self.digest.update((part.len() as u64).to_be_bytes());
            self.digest.update(part);
        }
        Ok(Some(key))
    }

    /// Returns the key of a row, or `None` if the key of its day is gone.
    fn unwrap(&mut self, row: &ScopeKey<'_>) -> Result<Option<Key>, StoreError> {
        let Some(wrapping) = self.keys.days.wrapping(row.day, &self.keys.tree)? else { return Ok(None) };
        let key = match bucket_of(row.wrapped) {
            None => wrapping.open_key(Location { table: SCOPE_KEYS, id: row.scope }, row.wrapped)?,
            Some((id, sealed)) => {
                if !self.opened.contains_key(&id) {
                    let unknown = StoreError::Unsealable { table: SCOPE_KEYS };
                    let (day, wrapped) = self.buckets.get(&id).ok_or(unknown)?;
                    self.opened.insert(id, Bucket::open(id, *day, &wrapping, wrapped)?);
                }
                let bucket = self.opened.get(&id).ok_or(StoreError::Unsealable { table: SCOPE_KEYS })?;
                bucket.unwrap(row.scope, sealed)?
            }
        };
        Ok(Some(key))
    }

    /// Returns the day of a row of `scope_keys` if the day is not over, its key file is missing, and the row needs it.
    pub(super) fn find_lost_day(&self, row: &[u8], today: Day) -> Result<Option<Day>, BackupError> {
        let row = read_row(row)?;
        let needed = row.day >= today && row.day != ERASED && row.renewed != SPOILT;
        Ok((needed && self.keys.days.wrapping(row.day, &self.keys.tree)?.is_none()).then_some(row.day))
    }

    /// Returns the row of a scope key, wrapped for a transfer. The row of an erased key is as SQLite has it.
    pub(super) fn wrap_for_transfer(&mut self, row: &[u8], by: &Key) -> Result<Bytes, BackupError> {
        let row = read_row(row)?;
        let Some(key) = self.open(&row)? else { return Ok(row.erase().write()) };
        let wrapped = by.seal(Location { table: SCOPE_KEYS, id: row.scope }, key.as_bytes())?;
        Ok(ScopeKey { wrapped: &wrapped, ..row }.write())
    }

    /// Returns a digest of all keys that opened so far.
    pub(super) fn finish(self) -> [u8; 32] {
        self.digest.finalize().into()
    }
}

fn describe_closed(row: &ScopeKey<'_>, error: StoreError) -> BackupError {
    if matches!(error, StoreError::Unsealable { .. }) {
        BackupError::KeyClosed { scope: row.scope.to_owned(), day: row.day.0 }
    } else {
        error.into()
    }
}

/// Wraps the scope keys of one kind of database for the other.
pub(super) struct KeyTransfer<'k> {
    pub(super) opener: KeyOpener<'k>,
    is_for_postgres: bool,
    today: Day,
    filling: HashMap<Day, OpenBucket>,
    new_buckets: Vec<Bytes>,
    /// The days from today on whose keys are missing, and how many scope keys they wrap.
    missing: BTreeMap<Day, u64>,
}

impl<'k> KeyTransfer<'k> {
    pub(super) fn new(keys: &'k Keys, is_for_postgres: bool, today: Day) -> Self {
        let opener = KeyOpener::new(keys);
        let (filling, new_buckets, missing) = Default::default();
        Self { opener, is_for_postgres, today, filling, new_buckets, missing }
    }

    /// Returns the row of a scope key for the other database. Returns `None` for PostgreSQL if the key is gone, because an
    /// erasure deletes its row there.
    pub(super) fn convert(&mut self, row: &[u8]) -> Result<Option<Bytes>, BackupError> {
        let row = read_row(row)?;
        let Some(key) = self.opener.open(&row)? else {
            if row.day >= self.today && row.renewed != SPOILT {
                *self.missing.entry(row.day).or_default() += 1;
            }
            return Ok((!self.is_for_postgres).then(|| row.erase().write()));
        };
        self.wrap(row, &key).map(Some)
    }

    /// Returns the row of a scope key that another database wrapped for a transfer. Makes the key of its day if there is none.
    /// Returns `None` for PostgreSQL if the key was erased.
    pub(super) fn take(&mut self, row: &[u8], by: &Key) -> Result<Option<Bytes>, BackupError> {
        let row = read_row(row)?;
        if row.day == ERASED || row.renewed == SPOILT {
            return Ok((!self.is_for_postgres).then(|| row.erase().write()));
        }
        let opened = by.open_key(Location { table: SCOPE_KEYS, id: row.scope }, row.wrapped);
        let key = opened.map_err(|error| describe_closed(&row, error))?;
        let keys = self.opener.keys;
        keys.days.wrapping_or_create(row.day, &keys.tree)?;
        self.wrap(row, &key).map(Some)
    }

    fn wrap(&mut self, row: ScopeKey<'_>, key: &Key) -> Result<Bytes, BackupError> {
        let wrapped = if self.is_for_postgres {
            self.wrap_in_bucket(&row, key)?
        } else {
            let wrapping = self.wrapping(row.day)?;
            wrapping.seal(Location { table: SCOPE_KEYS, id: row.scope }, key.as_bytes())?
        };
        Ok(ScopeKey { wrapped: &wrapped, ..row }.write())
    }

    fn wrapping(&self, day: Day) -> Result<Key, StoreError> {
        let keys = self.opener.keys;
        keys.days.wrapping(day, &keys.tree)?.ok_or(StoreError::Erased)
    }

    fn wrap_in_bucket(&mut self, row: &ScopeKey<'_>, key: &Key) -> Result<Vec<u8>, StoreError> {
        let place = self.filling.get_mut(&row.day).and_then(|open| open.take_place(row.day));
        let bucket = match place {
            Some(bucket) => bucket,
            None => {
                let (bucket, wrapped) = Bucket::new(row.day, &self.wrapping(row.day)?)?;
                let mut built = RowBuilder::new(3);
                built.push_int(bucket.id);
                built.push_int(row.day.0);
                built.push_bytes(&wrapped);
                self.new_buckets.push(built.finish());
                let mut open = OpenBucket::new(bucket);
                let place = open.take_place(row.day).ok_or(StoreError::Busy)?;
                self.filling.insert(row.day, open);
                place
            }
        };
        bucket.wrap(row.scope, key)
    }

    /// Returns the rows of the new buckets, and the digest of the keys.
    ///
    /// # Errors
    ///
    /// [`BackupError::NoDayKey`] if a key file is missing whose day is not over: it was lost, not destroyed.
    pub(super) fn finish(self) -> Result<(Vec<Bytes>, [u8; 32]), BackupError> {
        if let Some((day, keys)) = self.missing.first_key_value() {
            return Err(BackupError::NoDayKey { day: day.0, keys: *keys });
        }
        Ok((self.new_buckets, self.opener.finish()))
    }
}
