//! The data folder of SQLite: mode 0700, one process at a time.

use std::fs::{File, Permissions};
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The name of SQLite's database in the data folder.
pub const DATABASE_FILE: &str = "linchpin.db";

const LOCK_FILE: &str = "linchpin.lock";

/// The beginning of the names of databases that are being restored.
pub(crate) const RESTORED_PREFIX: &str = "linchpin.db-restored-";

/// A data folder that this process owns until the value is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    lock: File,
}

/// Takes the lock of a data folder until the file is closed.
fn take(lock: &mut File, folder: &Path) -> Result<(), StoreError> {
    match lock.try_lock() {
        Ok(()) => Ok(()),
        Err(std::fs::TryLockError::WouldBlock) => {
            let mut owner = String::new();
            let read = lock.read_to_string(&mut owner);
            let owner = match read {
                Ok(_) if !owner.trim().is_empty() => owner.trim().to_owned(),
                Ok(_) | Err(_) => "unknown process".to_owned(),
            };
            Err(StoreError::FolderInUse { folder: folder.to_owned(), owner })
        }
        Err(std::fs::TryLockError::Error(error)) => {
            Err(StoreError::file("cannot lock", &folder.join(LOCK_FILE))(error))
        }
    }
}

impl Folder {
    /// Checks that no process owns the folder. Creates nothing.
    pub(crate) fn check_free(path: &Path) -> Result<(), StoreError> {
        let lock_path = path.join(LOCK_FILE);
        match File::open(&lock_path) {
            Ok(mut lock) => take(&mut lock, path),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StoreError::file("cannot open the lock file", &lock_path)(error)),
        }
    }

    /// Creates the folder if needed and locks it.
    pub(crate) fn open(path: &Path) -> Result<Folder, StoreError> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(StoreError::file("cannot create the data folder", path))?;
        let lock_path = path.join(LOCK_FILE);
        let mut lock = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&lock_path)
            .map_err(StoreError::file("cannot open the lock file", &lock_path))?;
        take(&mut lock, path)?;
        lock.set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| writeln!(lock, "process {}", std::process::id()))
            .map_err(StoreError::file("cannot write the lock file", &lock_path))?;
        let folder = Folder { path: path.to_owned(), lock };
        folder.remove_drafts()?;
        Ok(folder)
    }

    /// Removes what restores left that were killed: each is a copy of the whole database.
    fn remove_drafts(&self) -> Result<(), StoreError> {
        let unread = || StoreError::file("cannot read the data folder", &self.path);
        for entry in std::fs::read_dir(&self.path).map_err(unread())? {
            let entry = entry.map_err(unread())?;
            if entry.file_name().to_string_lossy().starts_with(RESTORED_PREFIX) {
                let path = entry.path();
                std::fs::remove_file(&path).map_err(StoreError::file("cannot remove", &path))?;
            }
        }
        Ok(())
    }

    /// Creates the database file if needed and sets its mode to 0600. SQLite's files next to it get the same mode.
    pub(crate) fn close_database(&self) -> Result<(), StoreError> {
        let path = self.database();
        let file = std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
        file.and_then(|file| file.set_permissions(Permissions::from_mode(0o600)))
            .map_err(StoreError::file("cannot open the database", &path))
    }

    /// Replaces the database with a complete file in the same folder.
    ///
    /// If this is interrupted, the folder has no database and the service does not start. If the log of the replaced database
    /// stayed next to another one, SQLite would apply it and damage that one.
    pub(crate) fn replace_database(&self, by: &Path) -> Result<(), StoreError> {
        let database = self.database();
        for suffix in ["", "-wal", "-shm"] {
            let path = with_suffix(&database, suffix);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::file("cannot remove", &path)(error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        let sync = || File::open(&self.path)?.sync_all();
        sync()
            .and_then(|()| std::fs::rename(by, &database))
            .and_then(|()| sync())
            .map_err(StoreError::file("cannot replace the database", &database))
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join(DATABASE_FILE)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A program that is being started has a copy of the file between fork and exec, so closing it is not enough.
        drop(self.lock.unlock());
    }
}

/// Returns the path of a file that SQLite keeps next to a database.
pub(crate) fn with_suffix(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn folder_is_rejected_while_another_process_owns_it() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("data");
        let first = Folder::open(&path).unwrap();
        let refusal = Folder::open(&path).unwrap_err().to_string();
        assert!(refusal.contains(&format!("process {}", std::process::id())), "{refusal}");
        assert!(refusal.contains("in use"), "{refusal}");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        drop(first);
        Folder::open(&path).unwrap();
    }

    #[test]
    fn database_of_a_killed_restore_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (left, other) = (format!("{RESTORED_PREFIX}a1B2c3"), DATABASE_FILE.to_owned());
        for name in [&left, &other] {
            std::fs::write(folder.path().join(name), "pages").unwrap();
        }
        drop(Folder::open(folder.path()).unwrap());
        assert!(!folder.path().join(left).exists() && folder.path().join(other).exists());
    }
}
