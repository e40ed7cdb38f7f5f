//! Erasure scopes: how long their keys last, their erasure, and the ledger of erasures.

use std::collections::BTreeSet;

use link_domain::kernel::clock::Wall;

use super::scope_keys::{BEGIN_SCOPE, renewal_day};
use crate::keys::{Day, ErasedScope, WRAPPED_BYTES, bucket_of};
use crate::reader::ReadSession;
use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

/// The number of days in which a key file that is missing by mistake can be restored. Key files of past days stay as
/// long as something needs them.
const PUT_BACK_WITHIN: i64 = 3;

columns! {
    /// The columns of a key to renew.
    due_columns => struct DueColumns { scope_id, wrapped }
}
const DUE: DueColumns = DueColumns::after(0);

columns! {
    /// The columns of the erasure ledger.
    erasure_columns => struct ErasureColumns { scope_id, erased_at }
}
const ERASURE: ErasureColumns = ErasureColumns::after(0);

statements! {
    NEXT_DAY_DUE = "SELECT MIN(day) FROM scope_keys WHERE renewed = 1 AND day > ?1 AND day < ?2";
    DUE_FOR_RENEWAL = concat!("SELECT ", due_columns!(""), " FROM scope_keys WHERE renewed = 1 AND day = ?1 \
                      LIMIT ?2 /*skip locked*/");
    /// Marks a key that does not open although its day's key opens others. It is lost, and no longer needs its day's
    /// key.
    SPOILT = "UPDATE scope_keys SET renewed = 2 WHERE scope_id = ?1";
    IS_SCOPE = "SELECT epoch FROM scopes WHERE scope_id = ?1";
    DAYS_NEEDED = "SELECT DISTINCT day FROM scope_keys WHERE day > 0 AND day < ?1 AND renewed <> 2";
    NEXT_DAY = "SELECT MIN(day) FROM scope_keys WHERE day >= ?1";
    KEYS_OF_DAY = "SELECT COUNT(*) FROM scope_keys WHERE day = ?1";
    OVERWRITE_KEY = "UPDATE scope_keys SET day = 0, wrapped = ?2, renewed = 0 WHERE scope_id = ?1";
    BUMP_EPOCH = "UPDATE scopes SET epoch = epoch + 1 WHERE scope_id = ?1";
    RECORD_ERASURE = "INSERT INTO erasures (scope_id, erased_at) VALUES (?1, ?2) \
                      ON CONFLICT (scope_id) DO NOTHING";
    /// PostgreSQL only.
    ADD_PENDING_VACUUM = "INSERT INTO pending_vacuums (scope_id) VALUES (?1) ON CONFLICT (scope_id) DO NOTHING";
    LEDGER = concat!("SELECT ", erasure_columns!(""), " FROM erasures WHERE scope_id > ?1 ORDER BY scope_id \
             LIMIT 1000");
}

/// Bytes that overwrite an erased key. They have the length of a key.
const OVERWRITTEN: [u8; WRAPPED_BYTES] = [0; WRAPPED_BYTES];

resource! {
    /// Erasure scopes, their keys, and the ledger of erasures.
    Scopes, scopes
}

impl<'c, S: ReadSession<'c>> Scopes<'_, S> {
    /// Returns whether the last day of a scope ended several days ago, or its key was destroyed.
    pub(crate) fn last_day_has_ended(&mut self, scope: &str, now: Wall) -> Result<bool, StoreError> {
        let wrapped = self.0.reader().find_wrapped(scope)?;
        Ok(wrapped.is_none_or(|(day, _)| day.0 + PUT_BACK_WITHIN < Day::from_micros(now.micros()).0))
    }

    /// Returns the days before `today` whose keys still wrap the key of a live scope.
    pub(crate) fn days_needed_before(&mut self, today: Day) -> Result<Vec<Day>, StoreError> {
        self.session().query(&DAYS_NEEDED, params![today.0], |row| Ok(Day(row.int(0)?)))
    }

    /// Returns the days from `first` on whose keys wrap the key of a scope. One index lookup per day.
    pub(crate) fn days_needed_from(&mut self, first: Day) -> Result<Vec<Day>, StoreError> {
        let (mut days, mut from) = (Vec::new(), first.0);
        while let Some(day) = self.session().find(&NEXT_DAY, params![from], |row| row.opt_int(0))?.flatten() {
            days.push(Day(day));
            from = day + 1;
        }
        Ok(days)
    }

    /// Returns the number of scope keys that a day's key wraps.
    pub(crate) fn keys_of_day(&mut self, day: Day) -> Result<i64, StoreError> {
        Ok(self.session().find(&KEYS_OF_DAY, params![day.0], |row| row.int(0))?.unwrap_or(0))
    }

    /// Returns up to 1,000 entries of the erasure ledger, after a scope.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn erasures_after(&mut self, scope: &str) -> Result<Vec<Erasure>, StoreError> {
        self.session().query(&LEDGER, params![scope], |row| {
            Ok(Erasure { scope: row.text(ERASURE.scope_id)?, at: row.int(ERASURE.erased_at)? })
        })
    }
}

impl Scopes<'_, Tx<'_>> {
    /// Wraps the keys of resources without a last day for later days, the most urgent first, so that older copies of
    /// the database soon become unreadable. Returns how many keys it handled. Fewer than `limit` means that there are
    /// no more.
    ///
    /// A key that does not open is logged and skipped. If no key of a day opens, the day's key file may be missing, and
    /// can be restored: those keys are tried again.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database or the key folder cannot be written.
    pub fn renew_keys(&mut self, now: Wall, limit: usize) -> Result<usize, StoreError> {
        let until = renewal_day(now);
        let (mut seen, mut day) = (0, Day(i64::MIN));
        while seen < limit {
            let bounds = params![day.0, until.0];
            let Some(next) = self.session().find(&NEXT_DAY_DUE, bounds, |row| row.opt_int(0))?.flatten()
            else {
                break;
            };
            day = Day(next);
            seen += self.renew_keys_of(day, until, limit - seen)?;
        }
        Ok(seen)
    }

    fn renew_keys_of(&mut self, day: Day, until: Day, limit: usize) -> Result<usize, StoreError> {
        let due = self.session().query(&DUE_FOR_RENEWAL, params![day.0, limit as i64], |row| {
            Ok((row.text(DUE.scope_id)?, row.bytes(DUE.wrapped)?))
        })?;
        let count = due.len();
        let (mut closed, mut left) = (Vec::new(), BTreeSet::new());
        for (scope, wrapped) in due {
            let bucket = bucket_of(&wrapped).map(|(bucket, _)| bucket);
            match self.0.unwrap_key(&scope, Some((day, wrapped))) {
                Ok(key) => {
                    // The row is locked, so the key is still in this bucket.
                    left.extend(bucket);
                    self.0.wrap(&scope, &key, until, true)?;
                }
                Err(error) => closed.push((scope, error)),
            }
        }
        left.into_iter().try_for_each(|bucket| self.0.leave_bucket(Some(bucket)))?;
        if closed.len() == count {
            if let Some((scope, error)) = closed.first() {
                let day = day.0;
                tracing::error!(
                    day, count, %scope, %error,
                    "Keys wrapped for this day do not open: if its key file is missing or damaged, restore it"
                );
            }
            return Ok(0);
        }
        for (scope, error) in closed {
            tracing::error!(
                %scope, day = day.0, %error,
                "This scope's key is damaged; the data sealed with it is lost"
            );
            self.session().execute(&SPOILT, params![&scope])?;
        }
        Ok(count)
    }

    /// Returns whether such a scope ever existed. It may be erased.
    pub(crate) fn exists(&mut self, scope: &str) -> Result<bool, StoreError> {
        Ok(self.session().find(&IS_SCOPE, params![scope], |_| Ok(()))?.is_some())
    }

    /// Lets PostgreSQL remove the bytes of deleted rows from its files after the commit, and SQLite empty its log before the
    /// response.
    pub(crate) fn vacuum_later(&mut self, about: &str) -> Result<(), StoreError> {
        if self.session().is_postgres() {
            self.session().execute(&ADD_PENDING_VACUUM, params![about])?;
        }
        self.0.erases = true;
        Ok(())
    }

    /// Destroys a scope's key permanently: nothing sealed with it opens any more, and nothing new can be sealed with
    /// it.
    pub(crate) fn destroy(&mut self, scope: &str, at: i64) -> Result<(), StoreError> {
        self.session().execute(&BEGIN_SCOPE, params![scope])?;
        self.session().execute(&BUMP_EPOCH, params![scope])?;
        // SQLite zeroes deleted bytes, but when it moves rows between pages it may leave a copy that no deletion finds.
        // Rows that are only appended and overwritten never move.
        if self.session().is_postgres() {
            self.0.delete_wrapped(scope)?;
        } else {
            self.session().execute(&OVERWRITE_KEY, params![scope, OVERWRITTEN.as_slice()])?;
        }
        self.session().execute(&RECORD_ERASURE, params![scope, at])?;
        self.0.scope_keys.remove(scope);
        self.0.erased.push(ErasedScope { scope: scope.to_owned(), day: Day::from_micros(at) });
        self.vacuum_later(scope)
    }
}

/// An entry of the erasure ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The scope, which is the id of the erased resource.
    pub scope: String,
    /// The time of the erasure, in microseconds.
    pub at: i64,
}

/// A day whose key file is missing although the day is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostDay {
    /// The day. Its key file is `{day}.day`.
    pub day: Day,
    /// The number of users, accounts, archives and other resources that cannot be opened without it.
    pub things: i64,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rusqlite::Connection;

    use super::*;
    use crate::keys::Keys;
    use crate::migrations;
    use crate::sql::Session;
    use crate::tables::kernel::scope_keys::INSERT_KEY;

    /// Pseudorandom numbers, the same in every run.
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

        fn next_wrapped(&mut self) -> Vec<u8> {
            (0..9).flat_map(|_| self.next().to_be_bytes()).collect()
        }
    }

    /// Returns the bytes that identify a wrapped key.
    fn mark(wrapped: &[u8]) -> [u8; 8] {
        wrapped[32..40].try_into().unwrap()
    }

    /// Creates keys for a while, wraps some again and erases others. Returns how many of the erased ones are left in
    /// the database file.
    fn count_left_behind(seed: u64) -> usize {
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
                let wrapped = numbers.next_wrapped();
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
        assert!(living.iter().all(|mark| found.contains(mark.as_slice())), "live keys must be in the file");
        found.len() - living.len()
    }

    #[test]
    fn erased_keys_are_overwritten_in_the_file() {
        // With DELETE instead, the first seed leaves copies of two keys, and the second of one.
        for seed in [21, 4] {
            assert_eq!(count_left_behind(seed), 0, "{seed}");
        }
    }
}
