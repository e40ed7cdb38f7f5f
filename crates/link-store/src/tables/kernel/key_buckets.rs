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
    ///
    /// A scope that `is_new` is written with the unit's next statement. If it exists, or if its bucket was replaced, the unit
    /// runs again, and looks.
    pub(crate) fn begin_in_bucket(
        &mut self,
        scope: &str,
        day: Day,
        renewed: bool,
        is_new: bool,
    ) -> Result<Option<Key>, StoreError> {
        if !self.session.is_postgres() || self.scope_keys.contains_key(scope) {
            return Ok(None);
        }
        let (bucket, key) = (self.place_in_bucket(day)?, Key::random()?);
        let wrapped = bucket.wrap(scope, &key)?;
        let values = params![scope, day.0, &wrapped, renewed, bucket.id];
        if is_new && !self.session.is_rerun() {
            self.session.require_later(&begin_scope(bucket.id), values)?;
            self.opened.iter_mut().filter(|open| open.id() == bucket.id).for_each(OpenBucket::assume);
        } else if self.session.execute(&begin_scope(bucket.id), values)? == 0 {
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

#[cfg(test)]
mod tests {
    use link_domain::kernel::clock::Wall;

    use crate::sql::{Sql, params};
    use crate::test_support::{Backend, TestDatabase};
    use crate::{Store, StoreError};

    const COUNT: Sql = Sql::from_static("count", "SELECT COUNT(*) FROM scope_keys");
    const NOW: Wall = Wall::from_micros(1_700_000_000_000_000);

    /// Begins a new scope, and returns its key and how often the unit ran.
    async fn begin(store: &Store, scope: &'static str) -> ([u8; 32], usize) {
        let mut runs = 0;
        let begun: Result<_, StoreError> = store
            .write(move |tx| {
                runs += 1;
                let key = tx.renew_scope_key(scope, NOW, true)?;
                tx.session.find(&COUNT, params![], |row| row.int(0))?;
                Ok((*key.as_bytes(), runs))
            })
            .await;
        begun.unwrap()
    }

    #[tokio::test]
    async fn new_scope_is_written_with_the_next_statement() {
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        let unit = store.write(|tx| {
            let mut round_trips = 0;
            // The first scope also prepares the statements, and creates the bucket.
            for scope in ["first", "second"] {
                round_trips = tx.session.round_trips();
                tx.renew_scope_key(scope, NOW, true)?;
                tx.session.find(&COUNT, params![], |row| row.int(0))?;
            }
            Ok::<_, StoreError>(tx.session.round_trips() - round_trips)
        });
        assert_eq!(unit.await.unwrap(), 1);
    }

    #[tokio::test]
    async fn scope_taken_for_new_is_found_in_the_second_run() {
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        let (key, _) = begin(&store, "scope").await;
        let (found, runs) = begin(&store, "scope").await;
        assert_eq!((found, runs), (key, 2));
    }

    #[tokio::test]
    async fn scope_moves_to_another_bucket_if_its_own_is_gone() {
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        begin(&store, "first").await;
        let emptied: Result<(), StoreError> = store
            .write(|tx| {
                tx.session.script("DELETE FROM scope_keys")?;
                (0..32).try_for_each(|id| tx.session.script(&format!("DELETE FROM key_buckets_{id:02}")))
            })
            .await;
        emptied.unwrap();
        let (key, runs) = begin(&store, "second").await;
        assert_eq!(runs, 2);
        assert_eq!(begin(&store, "second").await.0, key);
    }

    #[tokio::test]
    async fn commit_alone_does_not_lose_the_check() {
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        let mut keys = Vec::new();
        for _ in 0..2 {
            let written: Result<_, StoreError> =
                store.write(|tx| Ok(*tx.renew_scope_key("scope", NOW, true)?.as_bytes())).await;
            keys.push(written.unwrap());
        }
        assert_eq!(keys[0], keys[1]);
    }
}
