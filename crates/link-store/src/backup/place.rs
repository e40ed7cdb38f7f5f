//! Places in which a service keeps its backups: a folder, or a part of a bucket.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_types::Timestamp;
use tempfile::TempPath;

use super::bucket;
use super::draft::{self, unwritable};
use super::error::BackupError;
use super::format::{FIRST_LINE, PortableReader};
use super::thread::on_thread;
use crate::files::{FileSettings, ObjectFiles, has_marker, mark};
use crate::keys::{KeyFiles, MasterKey};

const PREFIX: &str = "linchpin-";
const SUFFIX: &str = ".backup";
/// The length of the time at the end of a name.
const STAMP_CHARS: usize = "2026-11-27T03-00-00Z".len();
/// How long a bucket may take to respond. A part is larger than most files.
const TIMEOUT: Duration = Duration::from_secs(60);
/// A file in a folder of scheduled backups, so that an empty mount point in its place is noticed.
const MARKER: &str = "linchpin-backups";

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

/// A place that holds the backups of a service, and perhaps other things.
///
/// The name of a backup contains the id of the master key that opens it and, if a schedule wrote it, the random id of the
/// database. Only backups with the same ids are listed and removed, and those of the earlier master keys of the database.
#[derive(Clone)]
pub struct BackupPlace {
    place: Place,
    key: String,
    earlier_keys: Vec<String>,
    series: Option<String>,
}

#[derive(Clone)]
enum Place {
    Folder(PathBuf),
    Bucket { files: ObjectFiles, prefix: String },
}

impl BackupPlace {
    /// Opens a place, and reads the id of the master key. `series` is the id of the database, or `None` for backups on
    /// demand.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the master key cannot be read, or the settings of the bucket are not valid.
    pub fn open(target: &BackupTarget, keys: &KeyFiles, series: Option<&str>) -> Result<Self, BackupError> {
        let key = MasterKey::open(keys)?.id();
        let place = match target {
            BackupTarget::Folder(folder) => Place::Folder(folder.clone()),
            BackupTarget::Bucket { files, prefix } => {
                Place::Bucket { files: open_bucket(files, prefix)?, prefix: prefix.clone() }
            }
        };
        Ok(Self { place, key, earlier_keys: Vec::new(), series: series.map(str::to_owned) })
    }

    /// Lists backups too that need one of these master keys, which the database had before.
    #[must_use]
    pub fn with_earlier_keys(self, earlier_keys: Vec<String>) -> Self {
        Self { earlier_keys, ..self }
    }

    /// Marks a folder at its first scheduled backup. If it has some (`is_used`), its mark must be there: otherwise its
    /// volume is away.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the mark is missing, or cannot be written.
    pub async fn mark(&self, is_used: bool) -> Result<(), BackupError> {
        let Place::Folder(folder) = self.place.clone() else { return Ok(()) };
        on_thread(move || {
            if is_used && !has_marker(&folder, MARKER) {
                return Err(BackupError::NoMarker { folder, marker: MARKER });
            }
            mark(&folder, MARKER).map_err(|error| unwritable(&folder, &error))
        })
        .await?
    }

    /// Returns the path of a draft, which does not exist yet: next to the backups, or in the data folder for a bucket.
    ///
    /// # Errors
    ///
    /// [`BackupError::Unwritable`] if the folder cannot be written.
    pub async fn draft(&self, data_dir: &Path) -> Result<TempPath, BackupError> {
        let folder = match &self.place {
            Place::Folder(folder) => folder.clone(),
            Place::Bucket { .. } => data_dir.to_owned(),
        };
        on_thread(move || draft::reserve(&folder)).await?
    }

    /// Returns the beginning of the names of backups that a master key opens.
    fn start(&self, key: &str) -> String {
        let series = self.series.as_ref().map(|it| format!("{it}-")).unwrap_or_default();
        format!("{PREFIX}{key}-{series}")
    }

    /// Returns the master key in the name of a backup, if this place may list it.
    fn key_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (key, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
        (key == self.key || self.earlier_keys.iter().any(|it| it == key)).then_some(key)
    }

    /// Gives a complete draft that needs a master key its name, or uploads it. Returns the backup.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the place refuses it. Then it has no backup of this name.
    pub async fn keep(
        &self,
        draft: TempPath,
        master_key: &str,
        began_at: Wall,
    ) -> Result<StoredBackup, BackupError> {
        let began_at = Wall::from_micros(began_at.micros() - began_at.micros().rem_euclid(1_000_000));
        let name = self.start(master_key) + &stamp(began_at);
        match &self.place {
            Place::Folder(folder) => {
                let name = name + SUFFIX;
                let path = folder.join(&name);
                on_thread(move || draft::name(draft, &path)).await??;
                Ok(StoredBackup { began_at, name })
            }
            Place::Bucket { files, prefix } => {
                bucket::upload(files, &format!("{prefix}/{name}"), draft).await?;
                Ok(StoredBackup { began_at, name })
            }
        }
    }

    /// Lists the complete backups with the ids of this place, the oldest first.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the place cannot be read.
    pub async fn list(&self) -> Result<Vec<StoredBackup>, BackupError> {
        let names = match &self.place {
            Place::Folder(folder) => {
                let (place, folder) = (self.clone(), folder.clone());
                on_thread(move || place.files_in(&folder)).await??
            }
            Place::Bucket { files, prefix } => bucket::complete(files, prefix).await?,
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
                on_thread(move || std::fs::remove_file(&path).map_err(|error| unwritable(&path, &error)))
                    .await?
            }
            Place::Bucket { files, prefix } => {
                bucket::remove(files, &format!("{prefix}/{}", backup.name)).await
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
                // Of every database with this key: after an hour, none of them writes it any more.
                let is_own = |name: &str| self.key_of(name).is_some() && time_at_end(name).is_some();
                bucket::remove_drafts(files, prefix, now - draft::OLD, is_own).await
            }
        }
    }

    /// Returns the time in the name of a backup with the ids of this place.
    fn time_of(&self, name: &str) -> Option<Wall> {
        let text = name.strip_prefix(&self.start(self.key_of(name)?))?;
        let text = match &self.place {
            Place::Folder(_) => text.strip_suffix(SUFFIX)?,
            Place::Bucket { .. } => text,
        };
        time_at_end(text).filter(|_| text.len() == STAMP_CHARS)
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
                && self.key_of(&name).is_some_and(|key| is_backup(&entry.path(), key))
            {
                names.push(name);
            }
        }
        Ok(names)
    }
}

/// Returns whether a file is a portable backup that needs this master key.
fn is_backup(path: &Path, key: &str) -> bool {
    let Ok(mut file) = File::open(path) else { return false };
    let mut first = [0; FIRST_LINE.len()];
    file.read_exact(&mut first).is_ok()
        && first == *FIRST_LINE
        && PortableReader::new(file).is_ok_and(|it| it.header.master_key == key)
}

/// Returns whether a folder has the mark of scheduled backups, so that its volume is mounted.
#[must_use]
pub fn is_marked(folder: &Path) -> bool {
    has_marker(folder, MARKER)
}

/// Opens a bucket with more patience than for files.
pub(super) fn open_bucket(files: &FileSettings, prefix: &str) -> Result<ObjectFiles, BackupError> {
    let opened = ObjectFiles::open_with(files.clone(), TIMEOUT);
    opened.map_err(|source| BackupError::Place { place: prefix.to_owned(), source })
}

/// Returns the time at the end of the name of a backup in a bucket.
pub(super) fn time_at_end(name: &str) -> Option<Wall> {
    let text = name.get(name.len().checked_sub(STAMP_CHARS)?..)?;
    let (day, time) = text.split_once('T')?;
    let at: Timestamp = format!("{day}T{}", time.replace('-', ":")).parse().ok()?;
    let at = Wall::from_micros(at.as_micros());
    (stamp(at) == text).then_some(at)
}

/// Returns a time as part of a name, such as `2026-11-27T03-00-00Z`.
fn stamp(at: Wall) -> String {
    let text = Timestamp::from_micros(at.micros()).to_string().replace(':', "-");
    text.split('.').next().unwrap_or_default().to_owned() + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(series: Option<&str>) -> BackupPlace {
        let (place, series) = (Place::Folder(PathBuf::new()), series.map(str::to_owned));
        BackupPlace { place, key: "00ff".to_owned(), earlier_keys: Vec::new(), series }
    }

    #[test]
    fn name_of_a_backup_has_its_time() {
        let at = Wall::from_micros(1_795_748_400_000_000);
        for (series, name) in [
            (None, "linchpin-00ff-2026-11-27T03-00-00Z.backup"),
            (Some("1a"), "linchpin-00ff-1a-2026-11-27T03-00-00Z.backup"),
        ] {
            assert_eq!(place(series).start("00ff") + &stamp(at) + SUFFIX, name);
            assert_eq!(place(series).time_of(name), Some(at));
        }
    }

    #[test]
    fn backups_of_earlier_master_keys_are_listed() {
        let before = "linchpin-00fe-1a-2026-11-27T03-00-00Z.backup";
        assert_eq!(place(Some("1a")).time_of(before), None);
        let rotated = place(Some("1a")).with_earlier_keys(vec!["00fe".to_owned()]);
        assert!(rotated.time_of(before).is_some());
        assert_eq!(rotated.time_of("linchpin-00fe-1b-2026-11-27T03-00-00Z.backup"), None);
    }

    #[test]
    fn other_names_are_not_backups() {
        for name in [
            "linchpin-00ff-2026-11-27T03-00-00Z.backup",
            "linchpin-00ff-1b-2026-11-27T03-00-00Z.backup",
            "linchpin-00ff-1a-1a-2026-11-27T03-00-00Z.backup",
            "linchpin-00ff-1a-2026-11-27T03-00-00Z",
            "linchpin-00ff-1a-2026-13-27T03-00-00Z.backup",
            "linchpin-00ff-1a-2026-11-27T03-00-00.0Z.backup",
            "linchpin-00ff-1a-yesterday.backup",
            "linchpin.db",
        ] {
            assert_eq!(place(Some("1a")).time_of(name), None, "{name}");
        }
    }
}
