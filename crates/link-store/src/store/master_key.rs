//! Replaces the master key, and checks that this node could start again (ADR 273).

use std::path::PathBuf;
use std::time::Duration;

use link_domain::kernel::clock::Wall;

use super::Store;
use crate::StoreError;
use crate::backup::on_thread;
use crate::keys::{KeyFiles, MasterKey, remove_drafts};
use crate::tables::kernel::master_keys::MasterKeyRecord;

/// Other rotations may be committed while `master.key` is replaced. More of them than this one after the other is a fault.
const MAX_SETTLES: u32 = 16;
/// A draft of a key file that is older than this is of a killed process.
const MAX_DRAFT_AGE: Duration = Duration::from_secs(60);

/// A master key that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotatedMasterKey {
    /// The id of the replaced key.
    pub old: String,
    /// The file that still holds it, for backups that were made before.
    pub old_file: PathBuf,
    /// The id of the new key.
    pub new: String,
    /// The file with its id in its name. It never changes, unlike `master.key`.
    pub new_file: PathBuf,
    /// Whether `master.key` is the new key too. Otherwise [`Store::check_master_key`] or the next start makes it that.
    pub is_settled: bool,
}

impl Store {
    /// Wraps the root key with a new master key, in one transaction. A process that is killed before its commit has changed
    /// nothing; after it, the next start makes `master.key` the new key.
    ///
    /// Other nodes go on with the root key in their memory, and need the new file for their next start.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoKeyFiles`] if the store is in memory, [`StoreError::Stale`] if another node rotated the key at the
    /// same time. Otherwise if the key folder or the database cannot be written, or the source does not wrap the key.
    pub async fn rotate_master_key(&self, now: Wall) -> Result<RotatedMasterKey, StoreError> {
        let files = self.keys().files.clone().ok_or(StoreError::NoKeyFiles)?;
        let current = self.current_master_key().await?;
        let (paths, wanted) = (files.clone(), current.clone());
        let new = on_thread(move || {
            // The file of a killed rotation is set right, or the current key would be kept under a wrong name.
            paths.source.forget();
            remove_drafts(&paths, Some(MAX_DRAFT_AGE))?;
            MasterKey::find(&paths, &wanted)?;
            MasterKey::settle(&paths, &wanted)?;
            MasterKey::name_current(&paths)?;
            MasterKey::add(&paths)
        });
        let new = std::sync::Arc::new(new.await??);
        let (old, key) = (current.clone(), std::sync::Arc::clone(&new));
        let replaced = self.write(move |tx| tx.replace_master_key(&old, &key, now)).await;
        // Also after an error: the transaction may be committed.
        let settled = self.settle_master_key(&files).await;
        if !replaced? {
            // The file of the new key stays: nothing here deletes a key.
            return Err(StoreError::Stale { table: "master_keys" });
        }
        if let Err(error) = &settled {
            tracing::error!(%error, "The master key is rotated, but master.key is still the old key");
        }
        Ok(RotatedMasterKey {
            old_file: files.path_of(&current),
            old: current,
            new_file: files.path_of(&new.id()),
            new: new.id(),
            is_settled: settled.is_ok(),
        })
    }

    /// Returns the master keys of the database, the current one first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub async fn master_keys(&self) -> Result<Vec<MasterKeyRecord>, StoreError> {
        self.read(|reader| reader.master_keys().list()).await
    }

    /// Opens the current master key from its file, as the next start will, and makes `master.key` that key. Does nothing if
    /// the store is in memory.
    ///
    /// # Errors
    ///
    /// [`StoreError::WrongMasterKey`] if another node has rotated the key, and this one has the old file only.
    /// [`StoreError::File`] if `master.key` is an old key and cannot be replaced. Otherwise the error of the start.
    pub async fn check_master_key(&self) -> Result<(), StoreError> {
        let Some(files) = self.keys().files.clone() else { return Ok(()) };
        let root = self.read(|reader| reader.master_keys().root()).await?.ok_or(StoreError::Closed)?;
        let paths = files.clone();
        on_thread(move || MasterKey::find(&paths, &root.master_id)?.unwrap(&root.wrapped).map(drop))
            .await??;
        self.settle_master_key(&files).await
    }

    /// Makes `master.key` the current key. Nodes that share the folder may do so in any order, so this repeats it until no
    /// other rotation was committed in the meantime.
    async fn settle_master_key(&self, files: &KeyFiles) -> Result<(), StoreError> {
        let mut id = self.current_master_key().await?;
        for _ in 0..MAX_SETTLES {
            let (paths, wanted) = (files.clone(), id.clone());
            on_thread(move || MasterKey::settle(&paths, &wanted)).await??;
            let current = self.current_master_key().await?;
            if current == id {
                return Ok(());
            }
            id = current;
        }
        Err(StoreError::Stale { table: "master_keys" })
    }

    async fn current_master_key(&self) -> Result<String, StoreError> {
        let root = self.read(|reader| reader.master_keys().root()).await?;
        Ok(root.ok_or(StoreError::Closed)?.master_id)
    }
}
