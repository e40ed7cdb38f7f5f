//! A file that gets its name only when it is complete and on disk.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::BackupError;

/// A backup that is being written.
pub(super) struct Draft {
    file: NamedTempFile,
    folder: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// Creates a hidden file in the folder of the target.
    pub(super) fn create(target: &Path) -> Result<Draft, BackupError> {
        if target.symlink_metadata().is_ok() {
            return Err(BackupError::Exists { path: target.to_owned() });
        }
        let folder = target.parent().ok_or_else(|| unwritable(target, &"it is a folder"))?;
        let file = tempfile::Builder::new().prefix(".linchpin-backup-").tempfile_in(folder);
        let file = file.map_err(|error| unwritable(target, &error))?;
        Ok(Draft { file, folder: folder.to_owned(), target: target.to_owned() })
    }

    /// Refuses a file system on which this many bytes do not fit.
    pub(super) fn check_space(&self, needed: u64) -> Result<(), BackupError> {
        let found = rustix::fs::statvfs(&self.folder).map_err(|error| self.unwritable(&error))?;
        let free = found.f_bavail.saturating_mul(found.f_frsize);
        if free < needed {
            return Err(BackupError::NoSpace { folder: self.folder.clone(), needed, free });
        }
        Ok(())
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
        let Draft { file, folder, target } = self;
        file.as_file().sync_all().map_err(|error| unwritable(&target, &error))?;
        file.persist_noclobber(&target).map_err(|error| {
            if error.error.kind() == ErrorKind::AlreadyExists {
                BackupError::Exists { path: target.clone() }
            } else {
                unwritable(&target, &error.error)
            }
        })?;
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| unwritable(&target, &error))
    }
}

fn unwritable(target: &Path, fault: &dyn std::fmt::Display) -> BackupError {
    BackupError::Unwritable { path: target.to_owned(), fault: fault.to_string() }
}
