//! Places in which a service keeps its backups: a folder, or a part of a bucket.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_domain::documents::file_store::FileStore;
use link_domain::kernel::clock::Wall;
use link_types::Timestamp;
use tempfile::TempPath;

use super::bucket;
use super::draft::{self, unwritable};
use super::error::BackupError;
use super::format::{FIRST_LINE, PortableReader};
use crate::files::{FileSettings, ObjectFiles};
use crate::keys::{KeyFiles, Keys};

const PREFIX: &str = "linchpin-";
const SUFFIX: &str = ".backup";

/// Where backups are written.
#[derive(Debug, Clone)]
pub enum BackupTarget {
    /// A folder that exists.
    Folder(PathBuf),
    /// A bucket.
    Bucket {
        /// The bucket and its credentials.
        files: FileSettings,
        /// The beginning of the names of all objects, without a slash at its end.
        prefix: String,
    },
}

/// A complete backup in a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredBackup {
    /// When it was begun.
    pub began_at: Wall,
    /// The name of its file, or of its part of the bucket.
    pub name: String,
}

/// A place that holds the backups of a service, and perhaps other things. The name of a backup contains the id of the
/// service's master key, so others are never listed or removed.
pub struct BackupPlace {
    place: Place,
    key: String,
}

enum Place {
    Folder(PathBuf),
    Bucket { files: Arc<dyn FileStore>, prefix: String },
}

impl BackupPlace {
    /// Opens a place, and reads the id of the master key.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the master key cannot be read, or the settings of the bucket are not valid.
    pub fn open(target: &BackupTarget, keys: &KeyFiles) -> Result<Self, BackupError> {
        let key = Keys::check(keys, false)?.unwrap_or_default();
        let place = match target {
            BackupTarget::Folder(folder) => Place::Folder(folder.clone()),
            BackupTarget::Bucket { files, prefix } => {
                let opened = ObjectFiles::open(files.clone());
                let files = opened.map_err(|source| BackupError::Place { place: prefix.clone(), source })?;
                Place::Bucket { files: Arc::new(files), prefix: prefix.clone() }
            }
        };
        Ok(Self { place, key })
    }

    /// Returns the path of a draft, which does not exist yet: next to the backups, or in the data folder for a bucket.
    ///
    /// # Errors
    ///
    /// [`BackupError::Unwritable`] if the folder cannot be written.
    pub fn draft(&self, data_dir: &Path) -> Result<TempPath, BackupError> {
        match &self.place {
            Place::Folder(folder) => draft::reserve(folder),
            Place::Bucket { .. } => draft::reserve(data_dir),
        }
    }

    /// Gives a complete draft its name, or uploads it. Returns the backup.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the place refuses it. Then it has no backup of this name.
    pub async fn keep(&self, draft: TempPath, began_at: Wall) -> Result<StoredBackup, BackupError> {
        let began_at = Wall::from_micros(began_at.micros() - began_at.micros().rem_euclid(1_000_000));
        let name = format!("{PREFIX}{}-{}", self.key, stamp(began_at));
        match &self.place {
            Place::Folder(folder) => {
                let name = name + SUFFIX;
                draft::name(draft, &folder.join(&name))?;
                Ok(StoredBackup { began_at, name })
            }
            Place::Bucket { files, prefix } => {
                bucket::upload(files.as_ref(), &format!("{prefix}/{name}"), draft).await?;
                Ok(StoredBackup { began_at, name })
            }
        }
    }

    /// Lists the complete backups of this service, the oldest first.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the place cannot be read.
    pub async fn list(&self) -> Result<Vec<StoredBackup>, BackupError> {
        let names = match &self.place {
            Place::Folder(folder) => self.files_in(folder)?,
            Place::Bucket { files, prefix } => bucket::complete(files.as_ref(), prefix).await?,
        };
        let backup = |name: String| self.time_of(&name).map(|began_at| StoredBackup { began_at, name });
        let mut found: Vec<_> = names.into_iter().filter_map(backup).collect();
        found.sort();
        Ok(found)
    }

    /// Removes a backup that [`Self::list`] returned.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if some of it may still exist.
    pub async fn remove(&self, backup: &StoredBackup) -> Result<(), BackupError> {
        match &self.place {
            Place::Folder(folder) => {
                let path = folder.join(&backup.name);
                std::fs::remove_file(&path).map_err(|error| unwritable(&path, &error))
            }
            Place::Bucket { files, prefix } => {
                bucket::remove(files.as_ref(), &format!("{prefix}/{}", backup.name)).await
            }
        }
    }

    /// Removes what a killed process left in a bucket more than an hour ago. In a folder, the next backup does so.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the place cannot be read or written.
    pub async fn remove_drafts(&self, now: Wall) -> Result<(), BackupError> {
        match &self.place {
            Place::Folder(_) => Ok(()),
            Place::Bucket { files, prefix } => {
                let is_own = |name: &str| self.time_of(name).is_some();
                bucket::remove_drafts(files.as_ref(), prefix, now - draft::OLD, is_own).await
            }
        }
    }

    /// Returns the time in the name of a backup of this service.
    fn time_of(&self, name: &str) -> Option<Wall> {
        let text = name.strip_prefix(PREFIX)?.strip_prefix(&self.key)?.strip_prefix('-')?;
        let text = match &self.place {
            Place::Folder(_) => text.strip_suffix(SUFFIX)?,
            Place::Bucket { .. } => text,
        };
        let (day, time) = text.split_once('T')?;
        let at: Timestamp = format!("{day}T{}", time.replace('-', ":")).parse().ok()?;
        let at = Wall::from_micros(at.as_micros());
        (stamp(at) == text).then_some(at)
    }

    /// Returns the names of the files in a folder that are portable backups of this service.
    fn files_in(&self, folder: &Path) -> Result<Vec<String>, BackupError> {
        let unreadable = |source| BackupError::Unreadable { path: folder.to_owned(), source };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            if entry.file_type().is_ok_and(|it| it.is_file())
                && let Ok(name) = entry.file_name().into_string()
                && self.time_of(&name).is_some()
                && self.is_backup(&entry.path())
            {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn is_backup(&self, path: &Path) -> bool {
        let Ok(mut file) = File::open(path) else { return false };
        let mut first = [0; FIRST_LINE.len()];
        file.read_exact(&mut first).is_ok()
            && first == *FIRST_LINE
            && PortableReader::new(file).is_ok_and(|it| it.header.master_key == self.key)
    }
}

/// Returns a time as part of a name, such as `2026-11-27T03-00-00Z`.
fn stamp(at: Wall) -> String {
    let text = Timestamp::from_micros(at.micros()).to_string().replace(':', "-");
    text.split('.').next().unwrap_or_default().to_owned() + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> BackupPlace {
        BackupPlace { place: Place::Folder(PathBuf::new()), key: "00ff".to_owned() }
    }

    #[test]
    fn name_of_a_backup_has_its_time() {
        let at = Wall::from_micros(1_795_748_400_000_000);
        let name = format!("linchpin-00ff-{}.backup", stamp(at));
        assert_eq!(name, "linchpin-00ff-2026-11-27T03-00-00Z.backup");
        assert_eq!(place().time_of(&name), Some(at));
    }

    #[test]
    fn other_names_are_not_backups() {
        for name in [
            "linchpin-00fe-2026-11-27T03-00-00Z.backup",
            "linchpin-00ff-2026-11-27T03-00-00Z",
            "linchpin-00ff-2026-13-27T03-00-00Z.backup",
            "linchpin-00ff-2026-11-27T03-00-00.0Z.backup",
            "linchpin-00ff-yesterday.backup",
            "linchpin.db",
        ] {
            assert_eq!(place().time_of(name), None, "{name}");
        }
    }
}
