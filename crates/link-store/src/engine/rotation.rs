//! Replaces a bucket of scope keys: wraps the keys of its live scopes with a new bucket, and deletes the old one.

use super::PgClient;
use crate::StoreError;
use crate::keys::{Bucket, Day, Keys, OpenBucket, bucket_of};

const LIVING: &str = "SELECT scope_id, wrapped FROM scope_keys WHERE day = $1 AND bucket = $2 \
                      ORDER BY scope_id FOR UPDATE";
const WRAP_AGAIN: &str = "UPDATE scope_keys k SET wrapped = n.wrapped, bucket = $3 \
                          FROM unnest($1::text[], $2::bytea[]) AS n(scope_id, wrapped) \
                          WHERE k.scope_id = n.scope_id";

/// Reason why a bucket could not be replaced.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotReplacedError {
    /// The database returned an error.
    #[error(transparent)]
    Failed(#[from] StoreError),
    /// The day key that is needed to wrap the bucket's other keys is missing.
    #[error("the key file of day {0} is missing: restore it from the copy of the key folder")]
    NoDayKey(i64),
}

impl From<tokio_postgres::Error> for NotReplacedError {
    fn from(error: tokio_postgres::Error) -> Self {
        NotReplacedError::Failed(error.into())
    }
}

/// Replaces a bucket in one transaction. Does nothing if it was already replaced.
pub(super) fn replace(client: &mut PgClient, keys: &Keys, id: i64) -> Result<(), NotReplacedError> {
    // New scopes of this process use other buckets and need not wait.
    keys.buckets.forget(id);
    client.frame("BEGIN")?;
    let opened = match replace_in_transaction(client, keys, id) {
        Ok(opened) => {
            client.frame("COMMIT")?;
            opened
        }
        Err(error) => {
            client.frame("ROLLBACK")?;
            return Err(error);
        }
    };
    // It may have been read in the meantime.
    keys.buckets.forget(id);
    keys.buckets.give_back(opened.into_iter().collect(), true);
    Ok(())
}

/// Returns the new bucket, if any live scope needs one.
fn replace_in_transaction(
    client: &mut PgClient,
    keys: &Keys,
    id: i64,
) -> Result<Option<OpenBucket>, NotReplacedError> {
    let table = Bucket::table(id);
    // Waits for the units that are adding a scope to the bucket, and blocks new ones.
    let lock = format!("SELECT day, wrapped FROM {table} WHERE bucket = $1 FOR UPDATE");
    let Some(row) = client.query_opt(&lock, &[&id])? else { return Ok(None) };
    let (day, wrapped): (i64, Vec<u8>) = (row.try_get("day")?, row.try_get("wrapped")?);
    let mut living = Vec::new();
    for row in client.query(LIVING, &[&day, &id])? {
        living.push((row.try_get::<_, String>("scope_id")?, row.try_get::<_, Vec<u8>>("wrapped")?));
    }
    let mut opened = None;
    if !living.is_empty() {
        let day = Day(day);
        let wrapping = keys.days.wrapping(day, &keys.tree)?.ok_or(NotReplacedError::NoDayKey(day.0))?;
        let old = Bucket::open(id, day, &wrapping, &wrapped)?;
        let (new, wrapped) = Bucket::new(day, &wrapping)?;
        let insert =
            format!("INSERT INTO {} (bucket, day, wrapped) VALUES ($1, $2, $3)", Bucket::table(new.id));
        client.execute(insert.as_str(), &[&new.id, &day.0, &wrapped])?;
        let (scopes, keys) = wrap_again(&old, &new, living)?;
        client.execute(WRAP_AGAIN, &[&scopes, &keys, &new.id])?;
        opened = Some(OpenBucket::from_committed(new, scopes.len()));
    }
    client.execute(format!("DELETE FROM {table} WHERE bucket = $1").as_str(), &[&id])?;
    Ok(opened)
}

/// Returns the scopes whose keys open, and their keys wrapped by the new bucket. A damaged key does not block the
/// others.
fn wrap_again(
    old: &Bucket,
    new: &Bucket,
    living: Vec<(String, Vec<u8>)>,
) -> Result<(Vec<String>, Vec<Vec<u8>>), StoreError> {
    let (mut scopes, mut keys) = (Vec::new(), Vec::new());
    for (scope, wrapped) in living {
        let sealed = bucket_of(&wrapped).filter(|(id, _)| *id == old.id).map(|(_, sealed)| sealed);
        match sealed.map(|sealed| old.unwrap(&scope, sealed)) {
            Some(Ok(key)) => {
                keys.push(new.wrap(&scope, &key)?);
                scopes.push(scope);
            }
            Some(Err(_)) | None => {
                tracing::error!(%scope, "This scope's key is damaged; the data sealed with it is lost");
            }
        }
    }
    Ok((scopes, keys))
}
