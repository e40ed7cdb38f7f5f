//! Erasure scopes: the random key of each erasable thing, wrapped, and the ledger of what was erased.

use std::collections::BTreeSet;

use link_domain::clock::Wall;

use crate::keys::{Day, Key, Location, WRAPPED_BYTES, bucket_of};
use crate::sql::{params, statements};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "scope_keys";

/// Days that the key of a thing without a last day is wrapped for at least, and the days between its renewals.
const WRAPPED_FOR: i64 = 60;
/// Days in which the file of a day's key may be missing by mistake, and be put back: those of days that have ended are kept as
/// long as something needs them.
const PUT_BACK_WITHIN: i64 = 3;
const RENEWED_EVERY: i64 = 30;

statements! {
    FIND_KEY = "SELECT day, wrapped FROM scope_keys WHERE scope_id = ?1";
    INSERT_KEY = "INSERT INTO scope_keys (scope_id, day, wrapped, renewed) VALUES (?1, ?2, ?3, ?4) \
                  ON CONFLICT (scope_id) DO UPDATE SET day = excluded.day, wrapped = excluded.wrapped, \
                  renewed = excluded.renewed";
    NEXT_DAY_DUE = "SELECT MIN(day) FROM scope_keys WHERE renewed = 1 AND day > ?1 AND day < ?2";
    DUE_FOR_RENEWAL = "SELECT scope_id, wrapped FROM scope_keys WHERE renewed = 1 AND day = ?1 \
                       LIMIT ?2 /*skip locked*/";
    /// Its day's key opens others: this one opens never again, and keeps no day.
    SPOILT = "UPDATE scope_keys SET renewed = 2 WHERE scope_id = ?1";
    IS_SCOPE = "SELECT epoch FROM scopes WHERE scope_id = ?1";
    DAYS_NEEDED = "SELECT DISTINCT day FROM scope_keys WHERE day > 0 AND day < ?1 AND renewed <> 2";
    NEXT_DAY = "SELECT MIN(day) FROM scope_keys WHERE day >= ?1";
    KEYS_OF_DAY = "SELECT COUNT(*) FROM scope_keys WHERE day = ?1";
    OVERWRITE_KEY = "UPDATE scope_keys SET day = 0, wrapped = ?2, renewed = 0 WHERE scope_id = ?1";
    BEGIN_SCOPE = "INSERT INTO scopes (scope_id, epoch) VALUES (?1, 0) ON CONFLICT (scope_id) DO NOTHING";
    FIND_EPOCH = "SELECT epoch FROM scopes WHERE scope_id = ?1 /*lock*/";
    BUMP_EPOCH = "UPDATE scopes SET epoch = epoch + 1 WHERE scope_id = ?1";
    RECORD_ERASURE = "INSERT INTO erasures (scope_id, erased_at) VALUES (?1, ?2) \
                      ON CONFLICT (scope_id) DO NOTHING";
    /// On PostgreSQL alone.
    OWE_SWEEP = "INSERT INTO unswept (scope_id) VALUES (?1) ON CONFLICT (scope_id) DO NOTHING";
    LEDGER = "SELECT scope_id, erased_at FROM erasures WHERE scope_id > ?1 ORDER BY scope_id LIMIT 1000";
}

/// How often a key's row is read whose bucket is replaced meanwhile.
const READINGS: usize = 5;

/// The day of a key that was overwritten. No key was ever wrapped for it.
const ERASED: Day = Day(0);

/// What such a key is overwritten with: it takes the same room.
const OVERWRITTEN: [u8; WRAPPED_BYTES] = [0; WRAPPED_BYTES];

/// The wrapped key of a scope, as a row brings it; `None` or of the day [`ERASED`] once the scope is erased.
pub(crate) type WrappedKey = Option<(Day, Vec<u8>)>;

impl Reader<'_> {
    /// The key of a scope; [`StoreError::Erased`] once it is gone.
    pub(crate) fn scope_key(&mut self, scope: &str) -> Result<Key, StoreError> {
        if let Some(key) = self.scope_keys.get(scope) {
            return Ok(key.clone());
        }
        let wrapped = self.find_wrapped(scope)?;
        self.unwrap_key(scope, wrapped)
    }

    /// Whether the last day of a scope has ended some days ago, or its key was destroyed.
    pub(crate) fn last_day_has_ended(&mut self, scope: &str, now: Wall) -> Result<bool, StoreError> {
        let day = self.session.find(&FIND_KEY, params![scope], |row| Ok(Day(row.int(0)?)))?;
        Ok(day.is_none_or(|day| day.0 + PUT_BACK_WITHIN < Day::of(now.micros()).0))
    }

    /// The days before `today` whose keys still wrap the key of a living scope.
    pub(crate) fn days_needed_before(&mut self, today: Day) -> Result<Vec<Day>, StoreError> {
        self.session.query(&DAYS_NEEDED, params![today.0], |row| Ok(Day(row.int(0)?)))
    }

    /// The days from `first` on whose keys wrap the key of a scope. One step in an index a day.
    pub(crate) fn days_needed_from(&mut self, first: Day) -> Result<Vec<Day>, StoreError> {
        let (mut days, mut from) = (Vec::new(), first.0);
        while let Some(day) = self.session.find(&NEXT_DAY, params![from], |row| row.opt_int(0))?.flatten() {
            days.push(Day(day));
            from = day + 1;
        }
        Ok(days)
    }

    /// How many scopes' keys the key of a day wraps.
    pub(crate) fn keys_of_day(&mut self, day: Day) -> Result<i64, StoreError> {
        Ok(self.session.find(&KEYS_OF_DAY, params![day.0], |row| row.int(0))?.unwrap_or(0))
    }

    /// The key of a scope whose wrapped form came with a row.
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
            // Its bucket was replaced after the row was read: the row names the new one by now.
            found = self.find_wrapped(scope)?;
        }
        Err(StoreError::Unsealable { table: TABLE })
    }

    fn find_wrapped(&mut self, scope: &str) -> Result<WrappedKey, StoreError> {
        self.session.find(&FIND_KEY, params![scope], |row| Ok((Day(row.int(0)?), row.bytes(1)?)))
    }
}

impl Tx<'_> {
    /// The key of a living scope, made if the scope is new, and wrapped for its last day.
    pub(crate) fn scope_key_until(&mut self, scope: &str, last_day: Day) -> Result<Key, StoreError> {
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

    /// The key of a living scope that has no last day, made if the scope is new: it is wrapped for some weeks, and
    /// [`Tx::renew_scope_keys`] wraps it anew before they are over.
    pub(crate) fn renewed_scope_key(&mut self, scope: &str, now: Wall) -> Result<Key, StoreError> {
        if let Some((_, key)) = self.living_key(scope)? {
            return Ok(key);
        }
        let key = self.begin_scope(scope)?;
        self.wrap(scope, &key, renewed_until(now), true)?;
        Ok(key)
    }

    fn living_key(&mut self, scope: &str) -> Result<Option<(Day, Key)>, StoreError> {
        let found = self.find_wrapped(scope)?;
        found.map(|(day, wrapped)| Ok((day, self.unwrap_key(scope, Some((day, wrapped)))?))).transpose()
    }

    /// A key for a scope that never had one.
    fn begin_scope(&mut self, scope: &str) -> Result<Key, StoreError> {
        let is_new = self.session.execute(&BEGIN_SCOPE, params![scope])? == 1;
        if !is_new && self.session.find(&FIND_EPOCH, params![scope], |row| row.int(0))? != Some(0) {
            return Err(StoreError::Erased);
        }
        Key::random()
    }

    fn wrap(&mut self, scope: &str, key: &Key, day: Day, renewed: bool) -> Result<(), StoreError> {
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

    /// Wraps the keys of things without a last day for later days, the most urgent first, so that an older copy of
    /// the database says nothing of them for long. Gives how many it saw to: less than `limit` when that was all.
    ///
    /// A key that does not open is passed over, with a line in the log. Where none of a day opens, the fault may be
    /// the day's file, which can be put back: they are tried again.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database or the key folder cannot be written.
    pub fn renew_scope_keys(&mut self, now: Wall, limit: usize) -> Result<usize, StoreError> {
        let until = renewed_until(now);
        let (mut seen, mut day) = (0, Day(i64::MIN));
        while seen < limit {
            let bounds = params![day.0, until.0];
            let Some(next) = self.session.find(&NEXT_DAY_DUE, bounds, |row| row.opt_int(0))?.flatten() else {
                break;
            };
            day = Day(next);
            seen += self.renew_keys_of(day, until, limit - seen)?;
        }
        Ok(seen)
    }

    fn renew_keys_of(&mut self, day: Day, until: Day, limit: usize) -> Result<usize, StoreError> {
        let due = self
            .session
            .query(&DUE_FOR_RENEWAL, params![day.0, limit as i64], |row| Ok((row.text(0)?, row.bytes(1)?)))?;
        let count = due.len();
        let (mut closed, mut left) = (Vec::new(), BTreeSet::new());
        for (scope, wrapped) in due {
            let bucket = bucket_of(&wrapped).map(|(bucket, _)| bucket);
            match self.unwrap_key(&scope, Some((day, wrapped))) {
                Ok(key) => {
                    // The row is locked: it is in this bucket still.
                    left.extend(bucket);
                    self.wrap(&scope, &key, until, true)?;
                }
                Err(error) => closed.push((scope, error)),
            }
        }
        left.into_iter().try_for_each(|bucket| self.leave_bucket(Some(bucket)))?;
        if closed.len() == count {
            if let Some((scope, error)) = closed.first() {
                let day = day.0;
                tracing::error!(day, count, %scope, %error, "keys wrapped for this day do not open: if its file is missing or damaged, put it back");
            }
            return Ok(0);
        }
        for (scope, error) in closed {
            tracing::error!(%scope, day = day.0, %error, "this key is damaged: what it sealed is lost");
            self.session.execute(&SPOILT, params![&scope])?;
        }
        Ok(count)
    }

    /// Whether there ever was such a scope; it may be erased.
    pub(crate) fn is_scope(&mut self, scope: &str) -> Result<bool, StoreError> {
        Ok(self.session.find(&IS_SCOPE, params![scope], |_| Ok(()))?.is_some())
    }

    /// Destroys a scope's key for good: nothing sealed with it opens any more, nothing new can be sealed with it.
    pub(crate) fn destroy_scope(&mut self, scope: &str, at: i64) -> Result<(), StoreError> {
        self.session.execute(&BEGIN_SCOPE, params![scope])?;
        self.session.execute(&BUMP_EPOCH, params![scope])?;
        // SQLite zeroes what is deleted, but where it moves rows between pages it may leave a copy behind, which no
        // deletion finds. Rows that are only added at the end and written over are never moved.
        if self.session.is_postgres() {
            self.delete_wrapped(scope)?;
            self.session.execute(&OWE_SWEEP, params![scope])?;
        } else {
            self.session.execute(&OVERWRITE_KEY, params![scope, OVERWRITTEN.as_slice()])?;
        }
        self.session.execute(&RECORD_ERASURE, params![scope, at])?;
        self.scope_keys.remove(scope);
        self.erases = true;
        Ok(())
    }
}

/// The day for which keys without a last day are wrapped now. They share it, and so the file of its key.
fn renewed_until(now: Wall) -> Day {
    let earliest = Day::of(now.micros()).0 + WRAPPED_FOR;
    Day((earliest.div_euclid(RENEWED_EVERY) + 1) * RENEWED_EVERY)
}

/// A line of the erasure ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The scope: the id of what was erased.
    pub scope: String,
    /// When, in microseconds.
    pub at: i64,
}

/// A day whose key file is missing although the day is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostDay {
    /// The day; its file is `{day}.day`.
    pub day: Day,
    /// Users, accounts, archives and other things that nothing opens without it.
    pub things: i64,
}

impl Reader<'_> {
    /// Up to 1,000 lines of the erasure ledger, after a scope: what was erased, and when.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn erasures_after(&mut self, scope: &str) -> Result<Vec<Erasure>, StoreError> {
        self.session
            .query(&LEDGER, params![scope], |row| Ok(Erasure { scope: row.text(0)?, at: row.int(1)? }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rusqlite::Connection;

    use super::*;
    use crate::keys::Keys;
    use crate::migrations;
    use crate::sql::Session;

    /// Numbers without a pattern, the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ (mixed >> 29)
        }

        fn below(&mut self, end: u64) -> u64 {
            self.next() % end
        }

        fn wrapped(&mut self) -> Vec<u8> {
            (0..9).flat_map(|_| self.next().to_be_bytes()).collect()
        }
    }

    /// Where a wrapped key can be told by.
    fn mark(wrapped: &[u8]) -> [u8; 8] {
        wrapped[32..40].try_into().unwrap()
    }

    /// Makes keys, wraps some anew and erases others, for a while. Gives how many of those that went are in the database's
    /// file.
    fn left_behind(seed: u64) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("linchpin.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON")
            .unwrap();
        let mut session = Session::Sqlite(&connection);
        migrations::prepare(&mut session, |_| Keys::in_memory()).unwrap();
        let mut numbers = Numbers(seed);
        let mut living: Vec<(String, Vec<u8>)> = Vec::new();
        let mut gone: HashSet<[u8; 8]> = HashSet::new();
        let mut moment = 1_760_000_000_000_u64;
        for _ in 0..400 {
            session.script("BEGIN").unwrap();
            for _ in 0..50 {
                let kind = numbers.below(100);
                let (day, renewed) = (20_400 + 100 * numbers.below(2) as i64, numbers.below(2) == 1);
                let wrapped = numbers.wrapped();
                if kind < 60 || living.is_empty() {
                    moment += numbers.below(6);
                    let prefix = ["a", "r", "sig", "acme-corporation", "f", "demo", "inv", "ar"];
                    let prefix = prefix[numbers.below(8) as usize];
                    let id = format!("{prefix}-{moment:012x}{:020x}", numbers.next());
                    session.execute(&INSERT_KEY, params![&id, day, &wrapped, renewed]).unwrap();
                    living.push((id, wrapped));
                } else if kind < 72 {
                    let newest = living.len().min(300);
                    let chosen = living.len() - 1 - numbers.below(newest as u64) as usize;
                    let (id, older) = &mut living[chosen];
                    session.execute(&INSERT_KEY, params![&*id, day, &wrapped, true]).unwrap();
                    gone.insert(mark(older));
                    *older = wrapped;
                } else {
                    let chosen = numbers.below(living.len() as u64) as usize;
                    let (id, older) = living.remove(chosen);
                    session.execute(&OVERWRITE_KEY, params![&id, OVERWRITTEN.as_slice()]).unwrap();
                    gone.insert(mark(&older));
                }
            }
            session.script("COMMIT").unwrap();
        }
        session.script("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        let file = std::fs::read(&path).unwrap();
        let living: HashSet<[u8; 8]> = living.iter().map(|(_, wrapped)| mark(wrapped)).collect();
        let found: HashSet<&[u8]> =
            file.windows(8).filter(|window| gone.contains(*window) || living.contains(*window)).collect();
        assert!(living.iter().all(|mark| found.contains(mark.as_slice())), "what lives is there to be found");
        found.len() - living.len()
    }

    #[test]
    fn an_erased_key_is_nowhere_in_the_file() {
        // With DELETE instead, copies of two keys are left behind by the first, and of one by the second.
        for seed in [21, 4] {
            assert_eq!(left_behind(seed), 0, "{seed}");
        }
    }
}
