//! Replaces the master key, and checks that this node could start again (ADR 273).

use std::path::PathBuf;

use link_domain::kernel::clock::Wall;

use super::Store;
use crate::StoreError;
use crate::backup::on_thread;
use crate::keys::MasterKey;
use crate::tables::kernel::master_keys::MasterKeyRecord;

/// A master key that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotatedMasterKey {
    /// The id of the replaced key.
    pub old: String,
    /// The file that still holds it, for backups that were made before.
    pub old_file: PathBuf,
    /// The id of the new key.
    pub new: String,
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
            MasterKey::find(&paths, &wanted)?;
            MasterKey::settle(&paths, &wanted)?;
            MasterKey::name_current(&paths)?;
            MasterKey::add(&paths)
        });
        let new = std::sync::Arc::new(new.await??);
        let (old, key) = (current.clone(), std::sync::Arc::clone(&new));
        let is_replaced = self.write(move |tx| tx.replace_master_key(&old, &key, now)).await?;
        let (paths, id) = (files.clone(), self.current_master_key().await?);
        on_thread(move || MasterKey::settle(&paths, &id)).await??;
        if !is_replaced {
            // The file of the new key stays: nothing here deletes a key.
            return Err(StoreError::Stale { table: "master_keys" });
        }
        Ok(RotatedMasterKey { old_file: files.path_of(&current), old: current, new: new.id() })
    }

    /// Returns the master keys of the database, the current one first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub async fn master_keys(&self) -> Result<Vec<MasterKeyRecord>, StoreError> {
        self.read(|reader| reader.master_keys().list()).await
    }

    /// Opens the current master key from its file, as the next start will. Does nothing if the store is in memory.
    ///
    /// # Errors
    ///
    /// [`StoreError::WrongMasterKey`] if another node has rotated the key, and this one has the old file only. Otherwise the
    /// error of the start.
    pub async fn check_master_key(&self) -> Result<(), StoreError> {
        let Some(files) = self.keys().files.clone() else { return Ok(()) };
        let root = self.read(|reader| reader.master_keys().root()).await?.ok_or(StoreError::Closed)?;
        on_thread(move || MasterKey::find(&files, &root.master_id)?.unwrap(&root.wrapped).map(drop)).await?
    }

    async fn current_master_key(&self) -> Result<String, StoreError> {
        let root = self.read(|reader| reader.master_keys().root()).await?;
        Ok(root.ok_or(StoreError::Closed)?.master_id)
    }
}
