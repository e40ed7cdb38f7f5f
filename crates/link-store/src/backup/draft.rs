//! A file that gets its name only when it is complete and on disk.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, TempPath};

use super::error::BackupError;

const PREFIX: &str = ".linchpin-backup-";
/// A draft that was not written to for this long is of a killed process.
pub(super) const OLD: Duration = Duration::from_secs(3_600);

/// A backup that is being written.
pub(super) struct Draft {
    file: NamedTempFile,
    folder: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// Creates a hidden file in the folder of the target, and removes those of killed processes.
    pub(super) fn create(target: &Path) -> Result<Draft, BackupError> {
        if target.symlink_metadata().is_ok() {
            return Err(BackupError::Exists { path: target.to_owned() });
        }
        let folder = target.parent().ok_or_else(|| unwritable(target, &"it is a folder"))?;
        let file = create(folder).map_err(|error| unwritable(target, &error))?;
        Ok(Draft { file, folder: folder.to_owned(), target: target.to_owned() })
    }

    /// Refuses a file system on which this many bytes do not fit.
    pub(super) fn check_space(&self, needed: u64) -> Result<(), BackupError> {
        check_space(&self.folder, needed)
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Returns the error of a write.
    pub(super) fn unwritable(&self, fault: &dyn std::fmt::Display) -> BackupError {
        unwritable(&self.target, fault)
    }

    /// Flushes the file and gives it its name.
    pub(super) fn keep(self) -> Result<(), BackupError> {
        let Draft { file, target, .. } = self;
        file.as_file().sync_all().map_err(|error| unwritable(&target, &error))?;
        name(file.into_temp_path(), &target)
    }
}

/// Creates a hidden file in a folder, and removes those of killed processes.
pub(super) fn create(folder: &Path) -> std::io::Result<NamedTempFile> {
    let file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)?;
    let now = file.as_file().metadata()?.modified()?;
    remove_before(folder, now.checked_sub(OLD).unwrap_or(SystemTime::UNIX_EPOCH));
    Ok(file)
}

/// Returns a hidden path in a folder. The file does not exist yet.
pub(super) fn reserve(folder: &Path) -> Result<TempPath, BackupError> {
    // The path is removed on drop, if it exists by then.
    let reserved = tempfile::Builder::new().prefix(PREFIX).make_in(folder, |path| {
        if path.symlink_metadata().is_ok() { Err(ErrorKind::AlreadyExists.into()) } else { Ok(()) }
    });
    reserved.map(NamedTempFile::into_temp_path).map_err(|error| unwritable(folder, &error))
}

/// Gives a file its name in the same folder. An existing file is not replaced.
pub(super) fn name(draft: TempPath, target: &Path) -> Result<(), BackupError> {
    draft.persist_noclobber(target).map_err(|error| {
        if error.error.kind() == ErrorKind::AlreadyExists {
            BackupError::Exists { path: target.to_owned() }
        } else {
            unwritable(target, &error.error)
        }
    })?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| unwritable(target, &error))
}

/// Refuses a folder in which this many bytes do not fit.
pub(super) fn check_space(folder: &Path, needed: u64) -> Result<(), BackupError> {
    let found = rustix::fs::statvfs(folder).map_err(|error| unwritable(folder, &error))?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    if free < needed {
        return Err(BackupError::NoSpace { folder: folder.to_owned(), needed, free });
    }
    Ok(())
}

/// Removes drafts that were not written to since a time. What cannot be removed is tried again with the next backup.
fn remove_before(folder: &Path, before: SystemTime) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_draft = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_old =
            || entry.metadata().is_ok_and(|it| it.is_file() && it.modified().is_ok_and(|at| at < before));
        if is_draft && is_old() && std::fs::remove_file(entry.path()).is_ok() {
            tracing::info!(file = %entry.path().display(), "Removed what an interrupted backup left");
        }
    }
}

pub(super) fn unwritable(target: &Path, fault: &dyn std::fmt::Display) -> BackupError {
    BackupError::Unwritable { path: target.to_owned(), fault: fault.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_without_enough_space_is_refused_before_a_write() {
        let folder = tempfile::tempdir().unwrap();
        let draft = Draft::create(&folder.path().join("backup")).unwrap();
        draft.check_space(0).unwrap();
        let refused = draft.check_space(u64::MAX).unwrap_err();
        assert_eq!(refused.code(), "ENOSPC");
        assert!(refused.to_string().contains("bytes free"), "{refused}");
        drop(draft);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
