//! Writes the files of master keys: complete, synced, and for the user that runs the service.

use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::Path;
use std::time::Duration;

use super::KeyFiles;
use crate::StoreError;

/// The name of a file that is not complete yet.
const DRAFT_PREFIX: &str = ".master-";
const DRAFT_SUFFIX: &str = ".new";
/// How often a file is written if other nodes remove its draft.
const MAX_PLACES: u32 = 3;

/// Writes a file completely before it has its name, for the owner of `master.key`. Replaces an existing one.
pub(super) fn place(files: &KeyFiles, path: &Path, content: &[u8]) -> std::io::Result<()> {
    for _ in 1..MAX_PLACES {
        match place_once(files, path, content) {
            // Another node that starts removed the draft.
            Err(missing) if missing.kind() == ErrorKind::NotFound => {}
            placed => return placed,
        }
    }
    place_once(files, path, content)
}

fn place_once(files: &KeyFiles, path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut suffix = [0; 8];
    getrandom::fill(&mut suffix).map_err(std::io::Error::other)?;
    let suffix = base16ct::lower::encode_string(&suffix);
    let draft = path.with_file_name(format!("{DRAFT_PREFIX}{suffix}{DRAFT_SUFFIX}"));
    let written = write_new(&draft, content).and_then(|()| give_to_owner(files, &draft));
    written.and_then(|()| std::fs::rename(&draft, path)).inspect_err(|_| {
        drop(std::fs::remove_file(&draft));
    })?;
    sync_folder_of(path)
}

/// Gives a file the owner of `master.key`: an administrator may rotate it for the user that runs the service.
fn give_to_owner(files: &KeyFiles, path: &Path) -> std::io::Result<()> {
    let owner = match std::fs::metadata(&files.master) {
        Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    let own = std::fs::metadata(path)?;
    if (own.uid(), own.gid()) == (owner.uid(), owner.gid()) {
        return Ok(());
    }
    let given = chown(path, Some(owner.uid()), Some(owner.gid()));
    // With the right user, another group does not matter: the group may not read the file.
    if own.uid() == owner.uid() { Ok(()) } else { given }
}

/// Syncs the folder of a file, so that its name is on disk.
pub(super) fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => std::fs::File::open(folder)?.sync_all(),
        Some(_) | None => Ok(()),
    }
}

/// Creates a file that only its owner can read, and syncs it to disk. Fails if the file exists.
pub(super) fn write_new(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Removes the drafts that killed processes left: each holds a key. With `age`, only those that are older.
pub(crate) fn remove_drafts(files: &KeyFiles, age: Option<Duration>) -> Result<(), StoreError> {
    let folder = files.master.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = || StoreError::file("cannot remove the drafts of master keys in", folder);
    for entry in std::fs::read_dir(folder).map_err(failed())? {
        let entry = entry.map_err(failed())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !(name.starts_with(DRAFT_PREFIX) && name.ends_with(DRAFT_SUFFIX)) {
            continue;
        }
        let written = entry.metadata().and_then(|it| it.modified());
        let is_old = |least| written.is_ok_and(|it| it.elapsed().is_ok_and(|age| age > least));
        if age.is_none_or(is_old) {
            match std::fs::remove_file(entry.path()) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed()(error)),
                // Another node removed it.
                Ok(()) | Err(_) => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = KeyFiles::in_folder(folder.path());
        place(&files, &files.master, b"00").unwrap();
        let draft = folder.path().join(".master-00ff.new");
        std::fs::write(&draft, "00").unwrap();
        remove_drafts(&files, Some(Duration::from_secs(60))).unwrap();
        assert!(draft.exists(), "another node may be writing it");
        remove_drafts(&files, None).unwrap();
        assert!(!draft.exists() && files.master.exists());
    }
}
