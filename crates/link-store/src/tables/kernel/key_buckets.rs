//! The rows of bucket keys, on PostgreSQL only. [`crate::keys::buckets`] explains their purpose. The tables are
//! numbered, so the statements are built at run time. `engine::rotation` replaces buckets.

use crate::keys::{Bucket, Day, Key, OpenBucket};
use crate::sql::{Sql, params};
use crate::{Reader, StoreError, Tx};

/// The number of tries to find a bucket that is not being replaced.
const TRIES: usize = 5;

const DELETE_KEY: Sql =
    Sql::from_static("delete key", "DELETE FROM scope_keys WHERE scope_id = ?1 RETURNING bucket");
const LOCK_KEY: Sql =
    Sql::from_static("lock key", "SELECT bucket FROM scope_keys WHERE scope_id = ?1 /*lock*/");
/// Records in the unit's transaction that this bucket's key opens a key that is erased or wrapped elsewhere.
const MARK_BUCKET_STALE: Sql =
    Sql::from_static("mark bucket stale", "INSERT INTO stale_buckets (bucket) VALUES (?1)");

fn find_bucket(id: i64) -> Sql {
    let text = format!("SELECT wrapped FROM {} WHERE bucket = ?1", Bucket::table(id));
    Sql::compose("find bucket", text)
}

fn insert_bucket(id: i64) -> Sql {
    let text = format!("INSERT INTO {} (bucket, day, wrapped) VALUES (?1, ?2, ?3)", Bucket::table(id));
    Sql::compose("insert bucket", text)
}

/// Inserts nothing if the bucket is gone. A replacement of the bucket waits for this transaction.
fn insert_key(id: i64) -> Sql {
    let text = format!(
        "INSERT INTO scope_keys (scope_id, day, wrapped, renewed, bucket) \
         SELECT CAST(?1 AS TEXT), CAST(?2 AS BIGINT), CAST(?3 AS BYTEA), CAST(?4 AS BIGINT), b.bucket \
         FROM {} b WHERE b.bucket = ?5 /*share*/ \
         ON CONFLICT (scope_id) DO UPDATE SET day = excluded.day, wrapped = excluded.wrapped, \
         renewed = excluded.renewed, bucket = excluded.bucket",
        Bucket::table(id)
    );
    Sql::compose("insert key", text)
}

/// Begins a scope with its key. Writes no key if the scope exists, or if the bucket is gone.
fn begin_scope(id: i64) -> Sql {
    let text = format!(
        "WITH begun AS (INSERT INTO scopes (scope_id, epoch) VALUES (?1, 0) ON CONFLICT (scope_id) DO NOTHING \
         RETURNING scope_id) INSERT INTO scope_keys (scope_id, day, wrapped, renewed, bucket) \
         SELECT begun.scope_id, CAST(?2 AS BIGINT), CAST(?3 AS BYTEA), CAST(?4 AS BIGINT), b.bucket \
         FROM begun, {} b WHERE b.bucket = ?5 /*share*/",
        Bucket::table(id)
    );
    Sql::compose("begin scope", text)
}

impl Reader<'_> {
    /// Returns the bucket with this id, whose key is wrapped for a day. `None` if it was replaced.
    pub(crate) fn bucket(&mut self, id: i64, day: Day, wrapping: &Key) -> Result<Option<Bucket>, StoreError> {
        if let Some(known) = self.keys.buckets.get_cached(id) {
            return Ok(Some(known));
        }
        let wrapped = self.session.find(&find_bucket(id), params![id], |row| row.bytes(0))?;
        let Some(wrapped) = wrapped else { return Ok(None) };
        let bucket = Bucket::open(id, day, wrapping, &wrapped)?;
        self.keys.buckets.remember(bucket.clone());
        Ok(Some(bucket))
    }
}

impl Tx<'_> {
    /// Wraps the key of a scope with a bucket of the day and writes it.
    pub(crate) fn wrap_in_bucket(
        &mut self,
        scope: &str,
        key: &Key,
        day: Day,
        renewed: bool,
    ) -> Result<(), StoreError> {
        for _ in 0..TRIES {
            let bucket = self.place_in_bucket(day)?;
            let wrapped = bucket.wrap(scope, key)?;
            let values = params![scope, day.0, &wrapped, renewed, bucket.id];
            if self.session.execute(&insert_key(bucket.id), values)? == 1 {
                return Ok(());
            }
            // The bucket was replaced.
            self.keys.buckets.forget(bucket.id);
            self.opened.retain(|open| open.id() != bucket.id);
        }
        Err(StoreError::Busy)
    }

    /// Creates a scope with its key, wrapped with a bucket of the day, in one round trip. `None` on SQLite, if this unit has
    /// opened the scope's key, if the scope exists, and if its bucket was replaced: the scope then exists without a key.
    pub(crate) fn begin_in_bucket(
        &mut self,
        scope: &str,
        day: Day,
        renewed: bool,
    ) -> Result<Option<Key>, StoreError> {
        if !self.session.is_postgres() || self.scope_keys.contains_key(scope) {
            return Ok(None);
        }
        let (bucket, key) = (self.place_in_bucket(day)?, Key::random()?);
        let wrapped = bucket.wrap(scope, &key)?;
        let values = params![scope, day.0, &wrapped, renewed, bucket.id];
        if self.session.execute(&begin_scope(bucket.id), values)? == 0 {
            self.opened.iter_mut().filter(|open| open.id() == bucket.id).for_each(OpenBucket::return_place);
            return Ok(None);
        }
        self.scope_keys.insert(scope.to_owned(), key.clone());
        Ok(Some(key))
    }

    /// Returns a bucket of the day with room for one more scope. Creates one if needed.
    fn place_in_bucket(&mut self, day: Day) -> Result<Bucket, StoreError> {
        if let Some(bucket) = self.opened.iter_mut().find_map(|open| open.take_place(day)) {
            return Ok(bucket);
        }
        // If the day's key was destroyed, everything it wrapped is lost too.
        if self.keys.days.wrapping(day, &self.keys.tree)?.is_some()
            && let Some(mut open) = self.keys.buckets.check_out(day)
            && let Some(bucket) = open.take_place(day)
        {
            self.opened.push(open);
            return Ok(bucket);
        }
        let (bucket, wrapped) = self.keys.new_bucket(day)?;
        self.session.execute(&insert_bucket(bucket.id), params![bucket.id, day.0, &wrapped])?;
        let mut open = OpenBucket::new(bucket);
        let place = open.take_place(day).ok_or(StoreError::Busy)?;
        self.opened.push(open);
        Ok(place)
    }

    /// Deletes the wrapped key of a scope, and records that its bucket must be replaced.
    pub(crate) fn delete_wrapped(&mut self, scope: &str) -> Result<(), StoreError> {
        let bucket = self.session.find(&DELETE_KEY, params![scope], |row| row.opt_int(0))?.flatten();
        self.leave_bucket(bucket)
    }

    /// Records that a scope leaves its bucket because its key is about to be rewritten. Does nothing on SQLite.
    pub(crate) fn leave_bucket_of(&mut self, scope: &str) -> Result<(), StoreError> {
        if !self.session.is_postgres() {
            return Ok(());
        }
        let bucket = self.session.find(&LOCK_KEY, params![scope], |row| row.opt_int(0))?.flatten();
        self.leave_bucket(bucket)
    }

    /// Records that a key leaves this bucket.
    pub(crate) fn leave_bucket(&mut self, bucket: Option<i64>) -> Result<(), StoreError> {
        let Some(bucket) = bucket else { return Ok(()) };
        self.session.execute(&MARK_BUCKET_STALE, params![bucket])?;
        self.erases = true;
        Ok(())
    }
}
