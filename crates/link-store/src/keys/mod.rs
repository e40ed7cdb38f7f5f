//! Keys: the master key, the root key that it wraps, the keys derived from that, day keys, and the keys of erasure scopes.
//!
//! ```text
//! master key (file, 0600, perhaps wrapped by a program): wraps the root key. It can be replaced (ADR 273)
//! root key (random, one per database): in the database, wrapped
//!   --HKDF--> seal         bodies that no scope owns, webhook secrets
//!        |--> cursor       signatures of list cursors
//!        |--> export       signed URLs
//!        |--> idempotency  stored responses
//!        |--> lookup       keyed hashes, for example of login names
//!        |--> confirmation signatures of what the widget may revoke
//!        |--> sessions     key pairs of the sessions, to which the widget seals
//!        |--> backup       signatures of portable backups, keys and codes of moves of tenants
//!        '--> wrap --HKDF with the day's key--> wraps the scope keys of that day
//! day key (one file per day, destroyed after the day)
//! bucket key (random, for up to 256 scopes, PostgreSQL only): in the database, wrapped for its day; wraps scope keys
//! scope key (random, one per account, archive, record, ...): in the database, wrapped
//! ```

pub(crate) mod buckets;
pub(crate) mod days;
mod key_file;
pub(crate) mod ledger;
pub(crate) mod master;
pub(crate) mod seal;
pub(crate) mod tree;

pub(crate) use buckets::{Bucket, Buckets, OpenBucket, bucket_of};
pub use days::Day;
pub(crate) use days::DayKeys;
pub(crate) use key_file::remove_drafts;
pub(crate) use ledger::{ErasedScope, ErasureLedger};
pub(crate) use master::MasterKey;
pub(crate) use seal::{Key, Location, WRAPPED_BYTES};
pub(crate) use tree::KeyTree;
pub use tree::Label;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_domain::kernel::master_key_source::{MasterKeySource, PlainKeyFile};

use crate::StoreError;

/// Where the keys are: outside the database and its backups.
#[derive(Debug, Clone)]
pub struct KeyFiles {
    /// The master key file, created on the first start.
    pub master: PathBuf,
    /// The folder of the day keys.
    pub days: PathBuf,
    /// Opens the content of the master key file.
    pub source: Arc<dyn MasterKeySource>,
}

impl KeyFiles {
    /// Returns the files at their usual paths in a key folder, with a master key that is stored as it is.
    #[must_use]
    pub fn in_folder(folder: &Path) -> KeyFiles {
        KeyFiles::new(folder.join("master.key"), folder.join("keys"))
    }

    /// Returns the files at these paths, with a master key that is stored as it is.
    #[must_use]
    pub fn new(master: PathBuf, days: PathBuf) -> KeyFiles {
        KeyFiles { master, days, source: Arc::new(PlainKeyFile) }
    }

    /// Uses another source of the master key.
    #[must_use]
    pub fn with_source(self, source: Arc<dyn MasterKeySource>) -> KeyFiles {
        KeyFiles { source, ..self }
    }

    /// Returns the path of the master key with this id, if it is not the current one.
    #[must_use]
    pub fn path_of(&self, id: &str) -> PathBuf {
        let stem = self.master.file_stem().unwrap_or_default().to_string_lossy();
        self.master.with_file_name(format!("{stem}-{id}.key"))
    }
}

/// The wrapped root key, as in the database and in the header of a portable backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrappedRoot {
    /// The id of the master key that wraps it.
    pub(crate) master_id: String,
    /// The wrapped key.
    pub(crate) wrapped: Vec<u8>,
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
    /// The root key, to wrap it with another master key.
    root: Key,
    /// Where the master key is. `None` if the keys are in memory only.
    pub(crate) files: Option<KeyFiles>,
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
    /// Checks that the keys belong to a database, without creating anything. `root` is `None` if the first start creates
    /// them.
    pub(crate) fn check(files: &KeyFiles, root: Option<&WrappedRoot>) -> Result<(), StoreError> {
        match root {
            Some(root) => Keys::read(files, root).map(drop),
            None => refuse_leftovers(files),
        }
    }

    /// Opens the keys of a database. If it was never used, creates them, and returns what its row must hold.
    /// [`Keys::keep`] moves a new master key to its path after the database knows it.
    pub(crate) fn open(
        files: &KeyFiles,
        root: Option<&WrappedRoot>,
    ) -> Result<(Keys, Option<WrappedRoot>), StoreError> {
        let days = || DayKeys::open(&files.days);
        match root {
            Some(wrapped) => {
                let root = MasterKey::find(files, &wrapped.master_id)?.unwrap(&wrapped.wrapped)?;
                Ok((Keys::of_files(root, days()?, files), None))
            }
            None => {
                refuse_leftovers(files)?;
                let (master, root) = (MasterKey::create(files)?, Key::random()?);
                let wrapped = WrappedRoot { master_id: master.id(), wrapped: master.wrap(&root)? };
                Ok((Keys::of_files(root, days()?, files), Some(wrapped)))
            }
        }
    }

    /// Opens the keys of a database or a backup, and creates nothing.
    pub(crate) fn read(files: &KeyFiles, root: &WrappedRoot) -> Result<Keys, StoreError> {
        let opened = MasterKey::find(files, &root.master_id)?.unwrap(&root.wrapped)?;
        Ok(Keys::of_files(opened, DayKeys::at(&files.days), files))
    }

    /// Takes the root key of another database for one that has none yet, so that a tenant of the other one can move there. The
    /// master key of the other one is in the key folder.
    ///
    /// # Errors
    ///
    /// [`StoreError::KeysWithoutDatabase`] if the folder has keys of days too: they are of a database that was in use.
    pub(crate) fn adopt(
        files: &KeyFiles,
        root: &WrappedRoot,
    ) -> Result<(Keys, Option<WrappedRoot>), StoreError> {
        if DayKeys::are_in(&files.days)? {
            return Err(StoreError::KeysWithoutDatabase { path: files.days.clone() });
        }
        let opened = MasterKey::find(files, &root.master_id)?.unwrap(&root.wrapped)?;
        Ok((Keys::of_files(opened, DayKeys::open(&files.days)?, files), Some(root.clone())))
    }

    /// Moves a new master key to its path after its database is committed, so that a start that is killed earlier does
    /// not leave a key without a database. After a replacement that was killed, makes `master.key` the new key.
    pub(crate) fn keep(&self, master_id: &str) -> Result<(), StoreError> {
        let Some(files) = &self.files else { return Ok(()) };
        MasterKey::keep(&files.master)?;
        MasterKey::settle(files, master_id)?;
        remove_drafts(files, None)
    }

    /// Creates keys for a store that writes nothing to disk.
    pub(crate) fn in_memory() -> Result<(Keys, Option<WrappedRoot>), StoreError> {
        let (master, root) = (MasterKey::in_memory()?, Key::random()?);
        let wrapped = WrappedRoot { master_id: master.id(), wrapped: master.wrap(&root)? };
        let keys = Keys::new(root, DayKeys::in_memory(), ErasureLedger::new(None), None);
        Ok((keys, Some(wrapped)))
    }

    /// Wraps the root key with another master key.
    pub(crate) fn wrap_root(&self, master: &MasterKey) -> Result<WrappedRoot, StoreError> {
        Ok(WrappedRoot { master_id: master.id(), wrapped: master.wrap(&self.root)? })
    }

    fn of_files(root: Key, days: DayKeys, files: &KeyFiles) -> Keys {
        Keys::new(root, days, ErasureLedger::new(Some(files.days.clone())), Some(files.clone()))
    }

    fn new(root: Key, days: DayKeys, ledger: ErasureLedger, files: Option<KeyFiles>) -> Keys {
        Keys { tree: KeyTree::new(&root), days, ledger, buckets: Buckets::default(), root, files }
    }
}
