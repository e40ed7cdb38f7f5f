//! Keys: the master key, the keys derived from it, day keys, and the keys of erasure scopes.
//!
//! ```text
//! master key (file, 0600) --HKDF--> seal         bodies that no scope owns, webhook secrets
//!                              |--> cursor       signatures of list cursors
//!                              |--> export       signed URLs
//!                              |--> idempotency  stored responses
//!                              |--> lookup       keyed hashes, for example of login names
//!                              |--> confirmation signatures of what the widget may revoke
//!                              |--> sessions     key pairs of the sessions, to which the widget seals
//!                              |--> backup       signatures of portable backups
//!                              '--> wrap --HKDF with the day's key--> wraps the scope keys of that day
//! day key (one file per day, destroyed after the day)
//! bucket key (random, for up to 256 scopes, PostgreSQL only): in the database, wrapped for its day; wraps scope keys
//! scope key (random, one per account, archive, record, ...): in the database, wrapped
//! ```

pub(crate) mod buckets;
pub(crate) mod days;
pub(crate) mod ledger;
pub(crate) mod master;
pub(crate) mod seal;
pub(crate) mod tree;

pub(crate) use buckets::{Bucket, Buckets, OpenBucket, bucket_of};
pub use days::Day;
pub(crate) use days::DayKeys;
pub(crate) use ledger::{ErasedScope, ErasureLedger};
pub(crate) use master::MasterKey;
pub(crate) use seal::{Key, Location, WRAPPED_BYTES};
pub(crate) use tree::KeyTree;
pub use tree::Label;

use std::path::PathBuf;

use crate::StoreError;

/// Where the keys are: outside the database and its backups.
#[derive(Debug, Clone)]
pub struct KeyFiles {
    /// The master key file, created on the first start.
    pub master: PathBuf,
    /// The folder of the day keys.
    pub days: PathBuf,
}

/// All keys that a process needs to seal and open.
pub(crate) struct Keys {
    /// The derived keys.
    pub(crate) tree: KeyTree,
    /// The day keys.
    pub(crate) days: DayKeys,
    /// The ledger of erasures, next to the day keys.
    pub(crate) ledger: ErasureLedger,
    /// The bucket keys that were read so far.
    pub(crate) buckets: Buckets,
    /// Identifies the master key. The database stores it.
    pub(crate) master_id: String,
    /// Proves that the master key is the same. The database stores it.
    pub(crate) master_check: Vec<u8>,
    /// The path from which the master key was read.
    pub(crate) master_path: PathBuf,
}

/// Rejects an empty database if the keys of a database that was in use are present.
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
    /// Reads the id of the master key, without creating anything. Returns `None` if the first start creates the key.
    pub(crate) fn check(files: &KeyFiles, is_fresh: bool) -> Result<Option<String>, StoreError> {
        if is_fresh {
            return refuse_leftovers(files).map(|()| None);
        }
        MasterKey::open(&files.master, false).map(|key| Some(key.id()))
    }

    /// Reads the master key. If the database was never used (`is_fresh`), creates one. [`Keys::keep`] moves it to its
    /// path after the database knows it.
    pub(crate) fn open(files: &KeyFiles, is_fresh: bool) -> Result<Keys, StoreError> {
        if is_fresh {
            refuse_leftovers(files)?;
        }
        let key = MasterKey::open(&files.master, is_fresh)?;
        let ledger = ErasureLedger::new(Some(files.days.clone()));
        Ok(Keys::new(&key, DayKeys::open(&files.days)?, ledger, files.master.clone()))
    }

    /// Reads the master key, and creates neither it nor the key folder.
    pub(crate) fn read(files: &KeyFiles) -> Result<Keys, StoreError> {
        let key = MasterKey::open(&files.master, false)?;
        let ledger = ErasureLedger::new(Some(files.days.clone()));
        Ok(Keys::new(&key, DayKeys::at(&files.days), ledger, files.master.clone()))
    }

    /// Moves a new master key to its path after its database is committed, so that a start that is killed earlier does
    /// not leave a key without a database.
    pub(crate) fn keep(&self) -> Result<(), StoreError> {
        if self.master_path.as_os_str().is_empty() { Ok(()) } else { MasterKey::keep(&self.master_path) }
    }

    /// Creates keys for a store that writes nothing to disk.
    pub(crate) fn in_memory() -> Result<Keys, StoreError> {
        let (days, ledger) = (DayKeys::in_memory(), ErasureLedger::new(None));
        Ok(Keys::new(&MasterKey::in_memory()?, days, ledger, PathBuf::new()))
    }

    fn new(master: &MasterKey, days: DayKeys, ledger: ErasureLedger, master_path: PathBuf) -> Keys {
        Keys {
            tree: KeyTree::new(master),
            days,
            ledger,
            buckets: Buckets::default(),
            master_id: master.id(),
            master_check: master.check(),
            master_path,
        }
    }
}
