//! Bucket keys: the layer between day keys and scope keys. PostgreSQL only.
//!
//! PostgreSQL keeps the bytes of a deleted row in its page until it reuses the space. Therefore each scope key is
//! wrapped by the key of its bucket. To erase a scope, the keys of the bucket's other scopes are wrapped with the key
//! of a new bucket, and the old bucket's key is destroyed. Bucket keys are in small tables that can be rewritten
//! quickly.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use super::Keys;
use super::days::Day;
use super::seal::{Key, Location, WRAPPED_BYTES};
use crate::StoreError;

/// The maximum number of scopes in a bucket. Erasing one of them wraps the keys of all others again.
pub(crate) const MAX_SCOPES_A_BUCKET: usize = 256;
/// The number of tables of bucket keys. Each is rewritten separately. With 100 million scopes, each has about 12,000
/// rows.
pub(crate) const TABLES: i64 = 32;
/// The maximum number of bucket keys in memory, 100 bytes each. The cache is cleared when it is full.
const MAX_KNOWN: usize = 65_536;
/// The maximum number of buckets of one day that a process fills concurrently: one for each writing connection.
const MAX_OPEN_A_DAY: usize = 8;

const BUCKET_BYTES: usize = 8;
const SCOPE_KEYS: &str = "scope_keys";

/// A bucket and its key.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    /// Random and positive.
    pub(crate) id: i64,
    /// The day whose key wraps this bucket's key.
    pub(crate) day: Day,
    key: Key,
}

impl Bucket {
    /// Creates a bucket, and returns it with its key as stored in its row.
    pub(crate) fn new(day: Day, wrapping: &Key) -> Result<(Bucket, Vec<u8>), StoreError> {
        let mut bytes = [0; BUCKET_BYTES];
        getrandom::fill(&mut bytes).map_err(|_| StoreError::NoEntropy)?;
        let id = (i64::from_be_bytes(bytes) & i64::MAX).max(1);
        let bucket = Bucket { id, day, key: Key::random()? };
        let wrapped = wrapping.seal(location(&id.to_string()), bucket.key.as_bytes())?;
        Ok((bucket, wrapped))
    }

    /// Opens a bucket from its row.
    pub(crate) fn open(id: i64, day: Day, wrapping: &Key, wrapped: &[u8]) -> Result<Bucket, StoreError> {
        let key = wrapping.open_key(location(&id.to_string()), wrapped)?;
        Ok(Bucket { id, day, key })
    }

    /// Wraps the key of a scope for its row: the bucket's id, then the sealed key.
    pub(crate) fn wrap(&self, scope: &str, key: &Key) -> Result<Vec<u8>, StoreError> {
        let sealed = self.key.seal(Location { table: SCOPE_KEYS, id: scope }, key.as_bytes())?;
        Ok([self.id.to_be_bytes().as_slice(), &sealed].concat())
    }

    /// Unwraps a key that [`Bucket::wrap`] wrapped. `sealed` does not include the bucket's id.
    pub(crate) fn unwrap(&self, scope: &str, sealed: &[u8]) -> Result<Key, StoreError> {
        self.key.open_key(Location { table: SCOPE_KEYS, id: scope }, sealed)
    }

    /// Returns the table that holds this bucket's key.
    pub(crate) fn table(id: i64) -> String {
        format!("key_buckets_{:02}", id.rem_euclid(TABLES))
    }
}

fn location(id: &str) -> Location<'_> {
    Location { table: "key_buckets", id }
}

/// Returns the bucket that wraps a scope's key, and the sealed key. `None` if a day key wraps it directly.
pub(crate) fn bucket_of(wrapped: &[u8]) -> Option<(i64, &[u8])> {
    let (id, sealed) = wrapped.split_first_chunk::<BUCKET_BYTES>()?;
    (sealed.len() == WRAPPED_BYTES).then(|| (i64::from_be_bytes(*id), sealed))
}

/// A bucket that this process fills.
#[derive(Debug)]
pub(crate) struct OpenBucket {
    bucket: Bucket,
    room: usize,
    /// Its row is committed, so other units may use it.
    committed: bool,
    /// The current unit uses it without knowing whether another node has replaced it.
    is_assumed: bool,
}

impl OpenBucket {
    /// Creates a bucket whose row the current unit writes.
    pub(crate) fn new(bucket: Bucket) -> OpenBucket {
        OpenBucket { bucket, room: MAX_SCOPES_A_BUCKET, committed: false, is_assumed: false }
    }

    /// Creates a bucket whose row is committed with `taken` scopes.
    pub(crate) fn from_committed(bucket: Bucket, taken: usize) -> OpenBucket {
        let room = MAX_SCOPES_A_BUCKET.saturating_sub(taken);
        OpenBucket { bucket, room, committed: true, is_assumed: false }
    }

    pub(crate) fn id(&self) -> i64 {
        self.bucket.id
    }

    /// Reserves room for one scope, if the bucket is of that day and has room.
    pub(crate) fn take_place(&mut self, day: Day) -> Option<Bucket> {
        if self.bucket.day != day {
            return None;
        }
        self.room = self.room.checked_sub(1)?;
        Some(self.bucket.clone())
    }

    /// Notes that the unit uses the bucket before it knows whether the bucket's row is still there.
    pub(crate) fn assume(&mut self) {
        self.is_assumed = true;
    }

    /// Returns the room of a scope that was not placed.
    pub(crate) fn return_place(&mut self) {
        self.room += 1;
    }
}

/// The buckets that this process knows.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    known: RwLock<HashMap<i64, Bucket>>,
    /// Buckets that this process fills, that have room, and that no unit uses right now.
    open: Mutex<HashMap<Day, Vec<OpenBucket>>>,
}

impl Buckets {
    /// Returns a bucket whose row was read before.
    pub(crate) fn get_cached(&self, id: i64) -> Option<Bucket> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// Caches a bucket whose row was read.
    pub(crate) fn remember(&self, bucket: Bucket) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(bucket.id, bucket);
    }

    /// Lends a bucket of a day that has room.
    ///
    /// One unit uses it exclusively until it is returned, so that concurrent units do not lock the same bucket's row.
    pub(crate) fn check_out(&self, day: Day) -> Option<OpenBucket> {
        self.open().get_mut(&day)?.pop()
    }

    /// Returns the buckets that a unit used. `kept` says whether the unit was committed.
    pub(crate) fn give_back(&self, buckets: Vec<OpenBucket>, kept: bool) {
        for mut bucket in buckets {
            bucket.committed |= kept;
            // The row may be the reason why the unit was not committed.
            let is_there = kept || !bucket.is_assumed;
            bucket.is_assumed = false;
            if is_there && bucket.committed && bucket.room > 0 {
                let mut open = self.open();
                let of_day = open.entry(bucket.bucket.day).or_default();
                if of_day.len() < MAX_OPEN_A_DAY {
                    of_day.push(bucket);
                }
            }
        }
    }

    /// Removes a bucket from the cache and stops filling it.
    pub(crate) fn forget(&self, id: i64) {
        self.known.write().unwrap_or_else(PoisonError::into_inner).remove(&id);
        self.open().values_mut().for_each(|of_day| of_day.retain(|open| open.bucket.id != id));
    }

    /// Removes the buckets of days before `today` from the cache, except those of days that are still needed.
    pub(crate) fn forget_before(&self, today: Day, needed: &[Day]) {
        let stays = |day: &Day| *day >= today || needed.contains(day);
        self.known.write().unwrap_or_else(PoisonError::into_inner).retain(|_, bucket| stays(&bucket.day));
        self.open().retain(|day, _| stays(day));
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Day, Vec<OpenBucket>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keys {
    /// Creates a bucket for a day, and returns it with its key as stored in its row.
    pub(crate) fn new_bucket(&self, day: Day) -> Result<(Bucket, Vec<u8>), StoreError> {
        Bucket::new(day, &self.days.wrapping_or_create(day, &self.tree)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(day: Day) -> Bucket {
        Bucket::new(day, &Key::random().unwrap()).unwrap().0
    }

    #[test]
    fn bucket_opens_from_its_own_row_only() {
        let wrapping = Key::random().unwrap();
        let (one, wrapped) = Bucket::new(Day(7), &wrapping).unwrap();
        let read = Bucket::open(one.id, Day(7), &wrapping, &wrapped).unwrap();
        let key = Key::random().unwrap();
        let kept = one.wrap("a-1", &key).unwrap();
        let (id, sealed) = bucket_of(&kept).unwrap();
        assert_eq!(id, one.id);
        assert_eq!(read.unwrap("a-1", sealed).unwrap().as_bytes(), key.as_bytes());
        assert!(read.unwrap("a-2", sealed).is_err());
        assert!(Bucket::open(one.id + 1, Day(7), &wrapping, &wrapped).is_err());
    }

    #[test]
    fn open_bucket_holds_256_scopes() {
        let buckets = Buckets::default();
        assert!(buckets.check_out(Day(7)).is_none());
        buckets.give_back(vec![OpenBucket::from_committed(bucket(Day(7)), 1)], false);
        assert!(buckets.check_out(Day(8)).is_none());
        let mut open = buckets.check_out(Day(7)).unwrap();
        assert!(buckets.check_out(Day(7)).is_none(), "one unit uses it at a time");
        assert!(open.take_place(Day(8)).is_none());
        let taken = std::iter::from_fn(|| open.take_place(Day(7))).count();
        assert_eq!(taken, MAX_SCOPES_A_BUCKET - 1);
        open.return_place();
        assert!(open.take_place(Day(7)).is_some() && open.take_place(Day(7)).is_none());
        buckets.give_back(vec![open], true);
        assert!(buckets.check_out(Day(7)).is_none(), "it is full");
    }

    #[test]
    fn bucket_of_a_rolled_back_unit_is_not_reused() {
        let buckets = Buckets::default();
        buckets.give_back(vec![OpenBucket::new(bucket(Day(7)))], false);
        assert!(buckets.check_out(Day(7)).is_none());
        buckets.give_back(vec![OpenBucket::new(bucket(Day(7)))], true);
        let committed = buckets.check_out(Day(7)).unwrap();
        buckets.give_back(vec![committed], false);
        let mut assumed = buckets.check_out(Day(7)).expect("it was committed before that unit");
        assumed.assume();
        buckets.give_back(vec![assumed], true);
        let mut assumed = buckets.check_out(Day(7)).unwrap();
        assumed.assume();
        buckets.give_back(vec![assumed], false);
        assert!(buckets.check_out(Day(7)).is_none(), "it may have been replaced");
    }

    #[test]
    fn bucket_is_forgotten_with_its_day() {
        let buckets = Buckets::default();
        for day in [6, 7, 8] {
            let bucket = bucket(Day(day));
            buckets.remember(bucket.clone());
            buckets.give_back(vec![OpenBucket::from_committed(bucket, 0)], true);
        }
        buckets.forget_before(Day(8), &[Day(6)]);
        assert!(buckets.check_out(Day(7)).is_none() && buckets.check_out(Day(8)).is_some());
        let needed = buckets.check_out(Day(6)).unwrap();
        let id = needed.id();
        assert!(buckets.get_cached(id).is_some());
        buckets.give_back(vec![needed], true);
        buckets.forget(id);
        assert!(buckets.get_cached(id).is_none() && buckets.check_out(Day(6)).is_none());
    }
}
