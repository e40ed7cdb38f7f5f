//! Keys: the master key, the tree derived from it, the keys of days, the keys of erasure scopes.
//!
//! ```text
//! master key (file, 0600) --HKDF--> seal         bodies that no scope owns, webhook secrets
//!                              |--> cursor       signatures of list cursors
//!                              |--> export       signed addresses
//!                              |--> idempotency  stored answers
//!                              |--> lookup       keyed hashes, of login names for one
//!                              |--> confirmation signatures of what the widget may revoke
//!                              |--> sessions     the sessions' key pairs, to which the widget seals
//!                              '--> wrap --HKDF with the day's key--> wraps the scope keys of that day
//! day key (file a day, destroyed after the day)
//! bucket key (random, one for up to 256 scopes, PostgreSQL alone): in the database, wrapped for its day; wraps scope keys
//! scope key (random, one an account, archive, record, ...): in the database, wrapped
//! ```

pub(crate) mod buckets;
pub(crate) mod days;
pub(crate) mod master;
pub(crate) mod seal;
pub(crate) mod tree;

pub(crate) use buckets::{Bucket, Buckets, OpenBucket, bucket_of};
pub use days::Day;
pub(crate) use days::DayKeys;
pub(crate) use master::MasterKey;
pub(crate) use seal::{Key, Location, WRAPPED_BYTES};
pub(crate) use tree::KeyTree;
pub use tree::Label;

use std::path::PathBuf;

use crate::StoreError;

/// Where the keys live: outside the database, and outside its back-ups.
#[derive(Debug, Clone)]
pub struct KeyFiles {
    /// The master key's file, made on first start.
    pub master: PathBuf,
    /// The folder of the days' keys.
    pub days: PathBuf,
}

/// Everything a process holds to seal and open.
pub(crate) struct Keys {
    /// The derived keys.
    pub(crate) tree: KeyTree,
    /// The keys of days.
    pub(crate) days: DayKeys,
    /// The keys of buckets, of those that were read.
    pub(crate) buckets: Buckets,
    /// Identifies the master key; the database holds it.
    pub(crate) master_id: String,
    /// Proves that the master key is the same; the database holds it.
    pub(crate) master_check: Vec<u8>,
    /// Where the master key was read.
    pub(crate) master_path: PathBuf,
}

/// Refuses to begin an empty database where one that was in use has left its keys.
fn refuse_leftovers(files: &KeyFiles) -> Result<(), StoreError> {
    if files.master.exists() {
        return Err(StoreError::KeysWithoutDatabase { path: files.master.clone() });
    }
    match DayKeys::are_in(&files.days)? {
        true => Err(StoreError::KeysWithoutDatabase { path: files.days.clone() }),
        false => Ok(()),
    }
}

impl Keys {
    /// Reads the master key. If the database was never used (`is_fresh`), makes one, which [`Keys::keep`] puts in its
    /// place once the database knows it.
    pub(crate) fn open(files: &KeyFiles, is_fresh: bool) -> Result<Keys, StoreError> {
        if is_fresh {
            refuse_leftovers(files)?;
        }
        let key = MasterKey::open(&files.master, is_fresh)?;
        Ok(Keys::new(&key, DayKeys::open(&files.days)?, files.master.clone()))
    }

    /// Puts a new master key in its place, after the database that it belongs to is committed: a start that is killed
    /// before leaves no key without a database.
    pub(crate) fn keep(&self) -> Result<(), StoreError> {
        if self.master_path.as_os_str().is_empty() { Ok(()) } else { MasterKey::keep(&self.master_path) }
    }

    /// Keys for a store that leaves nothing on disk.
    pub(crate) fn in_memory() -> Result<Keys, StoreError> {
        Ok(Keys::new(&MasterKey::in_memory()?, DayKeys::in_memory(), PathBuf::new()))
    }

    fn new(master: &MasterKey, days: DayKeys, master_path: PathBuf) -> Keys {
        Keys {
            tree: KeyTree::new(master),
            days,
            buckets: Buckets::default(),
            master_id: master.id(),
            master_check: master.check(),
            master_path,
        }
    }
}
