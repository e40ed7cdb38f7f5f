//! The master key: it wraps the root key, from which all others are derived (ADR 273). Its file has mode 0600 and is never
//! part of a backup.
//!
//! `master.key` holds the current key, as it is or wrapped by a program. A replacement first writes the new key to
//! `master-{id}.key`, and the old one too. A file with an id in its name is only written once, so that no order of kills and
//! of nodes loses a key that a database needs.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use link_domain::kernel::master_key_source::{MasterKeyBytes, MasterKeySource};
use zeroize::Zeroizing;

use super::KeyFiles;
use super::key_file::{place, sync_folder_of, write_new};
use super::seal::{Key, Location};
use crate::StoreError;

/// The location of the wrapped root key, in the row of its master key.
const TABLE: &str = "master_keys";
/// The maximum size of a file in bytes. A key that a program wrapped is shorter.
const MAX_FILE_BYTES: u64 = 64 * 1024;
/// The key that wraps the root key.
#[derive(Debug)]
pub(crate) struct MasterKey(Key);

impl MasterKey {
    /// Reads the key in `master.key`. If a start was killed before [`MasterKey::keep`], reads its draft.
    pub(crate) fn open(files: &KeyFiles) -> Result<MasterKey, StoreError> {
        match std::fs::read(&files.master) {
            Err(missing) if missing.kind() == ErrorKind::NotFound => {
                let draft = draft_of(&files.master);
                if draft.exists() {
                    read(&draft, files.source.as_ref())
                } else {
                    Err(missing_at(&files.master))
                }
            }
            Ok(_) | Err(_) => read(&files.master, files.source.as_ref()),
        }
    }

    /// Reads the key with this id: `master.key`, or the file with the id in its name if another key has replaced it or must
    /// still do so.
    ///
    /// # Errors
    ///
    /// [`StoreError::WrongMasterKey`] if the folder has another key only.
    pub(crate) fn find(files: &KeyFiles, id: &str) -> Result<MasterKey, StoreError> {
        let current = match Self::open(files) {
            Ok(key) if key.id() == id => return Ok(key),
            other => other,
        };
        let named = files.path_of(id);
        if named.exists() {
            let key = read(&named, files.source.as_ref())?;
            if key.id() == id {
                return Ok(key);
            }
        }
        let found = current?.id();
        Err(StoreError::WrongMasterKey { path: files.master.clone(), found, expected: id.to_owned() })
    }

    /// Creates the first key of a new database as a draft. [`MasterKey::keep`] moves it to its path.
    pub(crate) fn create(files: &KeyFiles) -> Result<MasterKey, StoreError> {
        match std::fs::symlink_metadata(&files.master) {
            Ok(_) => return Self::open(files),
            Err(missing) if missing.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::file("cannot read the master key", &files.master)(error)),
        }
        let draft = draft_of(&files.master);
        // An earlier draft belongs to a start that did not get as far as creating a database.
        drop(std::fs::remove_file(&draft));
        let key = MasterKey(Key::random()?);
        write_new(&draft, &key.content(files)?).map_err(describe_uncreated(&files.master))?;
        Ok(key)
    }

    /// Moves the draft to the key file's path, if there is a draft and no key file.
    pub(crate) fn keep(path: &Path) -> Result<(), StoreError> {
        let draft = draft_of(path);
        if path.exists() || !draft.exists() {
            return Ok(());
        }
        let placed = match std::fs::rename(&draft, path) {
            // Another node that shares the folder already moved it.
            Err(missing) if missing.kind() == ErrorKind::NotFound && path.exists() => Ok(()),
            renamed => renamed,
        };
        placed.and_then(|()| sync_folder_of(path)).map_err(describe_uncreated(path))
    }

    /// Creates a key that will replace another, in the file with its id. The database does not know it yet.
    pub(crate) fn add(files: &KeyFiles) -> Result<MasterKey, StoreError> {
        let key = MasterKey(Key::random()?);
        let path = files.path_of(&key.id());
        place(files, &path, &key.content(files)?).map_err(describe_uncreated(&path))?;
        Ok(key)
    }

    /// Copies `master.key` to the file with its id, if that file is missing. Returns the id.
    pub(crate) fn name_current(files: &KeyFiles) -> Result<String, StoreError> {
        let id = Self::open(files)?.id();
        let named = files.path_of(&id);
        if !named.exists() {
            let content = read_content(&files.master)?;
            place(files, &named, &content).map_err(describe_uncreated(&named))?;
        }
        Ok(id)
    }

    /// Makes `master.key` the key with this id. Does nothing if it is, or if the file with the id is missing.
    pub(crate) fn settle(files: &KeyFiles, id: &str) -> Result<(), StoreError> {
        let named = files.path_of(id);
        if !named.exists() {
            return Ok(());
        }
        let wanted = read_content(&named)?;
        if read_content(&files.master).is_ok_and(|it| *it == *wanted)
            || Self::open(files).is_ok_and(|it| it.id() == id)
        {
            return Ok(());
        }
        // The key that is replaced may open a backup.
        if files.master.exists() {
            Self::name_current(files)?;
        }
        place(files, &files.master, &wanted).map_err(describe_uncreated(&files.master))
    }

    /// Creates a key that exists only in memory.
    pub(crate) fn in_memory() -> Result<MasterKey, StoreError> {
        Ok(MasterKey(Key::random()?))
    }

    fn content(&self, files: &KeyFiles) -> Result<Zeroizing<Vec<u8>>, StoreError> {
        let bytes = MasterKeyBytes::new(*self.0.as_bytes());
        let content = files.source.protect(&bytes);
        content.map_err(|source| StoreError::KeySource { path: files.master.clone(), source })
    }

    /// Returns an identifier of the key that does not reveal it.
    pub(crate) fn id(&self) -> String {
        base16ct::lower::encode_string(&self.0.derive("id").as_bytes()[..8])
    }

    /// Wraps the root key for the row of this master key.
    pub(crate) fn wrap(&self, root: &Key) -> Result<Vec<u8>, StoreError> {
        self.0.derive("root").seal(Location { table: TABLE, id: &self.id() }, root.as_bytes())
    }

    /// Unwraps the root key of the row of this master key.
    pub(crate) fn unwrap(&self, wrapped: &[u8]) -> Result<Key, StoreError> {
        self.0.derive("root").open_key(Location { table: TABLE, id: &self.id() }, wrapped)
    }
}

/// Returns the path of a new key that the database does not know yet.
fn draft_of(path: &Path) -> PathBuf {
    path.with_extension("key.new")
}

fn missing_at(path: &Path) -> StoreError {
    StoreError::KeyFile {
        path: path.to_owned(),
        fault: "is missing, and the database was created with it: restore it",
    }
}

fn describe_uncreated(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError + use<> {
    StoreError::file("cannot create the master key", path)
}

fn read(path: &Path, source: &dyn MasterKeySource) -> Result<MasterKey, StoreError> {
    let content = read_content(path)?;
    let metadata =
        std::fs::metadata(path).map_err(StoreError::file("cannot look at the master key", path))?;
    if metadata.permissions().mode() & 0o077 != 0 {
        let fault = "can be read by other users than its owner: run chmod 600 on it";
        return Err(StoreError::KeyFile { path: path.to_owned(), fault });
    }
    let opened = source.open(&content);
    let bytes = opened.map_err(|source| StoreError::KeySource { path: path.to_owned(), source })?;
    Ok(MasterKey(Key::from_bytes(*bytes.as_bytes())))
}

fn read_content(path: &Path) -> Result<Zeroizing<Vec<u8>>, StoreError> {
    use std::io::Read as _;
    // Not enlarged, because the old place would keep a key.
    let mut content =
        Zeroizing::new(Vec::with_capacity(usize::try_from(MAX_FILE_BYTES).unwrap_or_default() + 1));
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut content));
    read.map_err(StoreError::file("cannot read the master key", path))?;
    if content.len() as u64 > MAX_FILE_BYTES {
        return Err(StoreError::KeyFile { path: path.to_owned(), fault: "is longer than a master key" });
    }
    Ok(content)
}

/// Decodes 64 hexadecimal digits to 32 bytes.
pub(crate) fn decode_hex(text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let mut bytes = Zeroizing::new([0; 32]);
    let read = base16ct::mixed::decode(text, bytes.as_mut()).ok()?.len();
    (read == bytes.len()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, chown};

    use super::*;

    fn files(folder: &Path) -> KeyFiles {
        KeyFiles::in_folder(folder)
    }

    #[test]
    fn master_key_is_created_once_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        let made = MasterKey::create(&files).unwrap();
        assert!(!files.master.exists(), "the database does not know it yet");
        assert_eq!(made.id(), MasterKey::open(&files).unwrap().id());
        MasterKey::keep(&files.master).unwrap();
        MasterKey::keep(&files.master).unwrap();
        assert_eq!(made.id(), MasterKey::open(&files).unwrap().id());
        assert_eq!(std::fs::metadata(&files.master).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn missing_master_key_of_a_database_is_not_recreated() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = MasterKey::open(&files(folder.path())).unwrap_err();
        assert!(refusal.to_string().contains("restore it"), "{refusal}");
    }

    #[test]
    fn readable_or_invalid_key_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        MasterKey::create(&files).unwrap();
        MasterKey::keep(&files.master).unwrap();
        let allow = |mode| {
            std::fs::set_permissions(&files.master, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        allow(0o644);
        assert!(MasterKey::open(&files).unwrap_err().to_string().contains("chmod 600"));
        allow(0o600);
        for content in ["not a key".to_owned(), "00".repeat(40_000)] {
            std::fs::write(&files.master, content).unwrap();
            assert!(MasterKey::open(&files).is_err());
        }
    }

    #[test]
    fn key_is_found_by_its_id_until_its_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        let old = MasterKey::create(&files).unwrap().id();
        MasterKey::keep(&files.master).unwrap();
        assert_eq!(MasterKey::name_current(&files).unwrap(), old);
        let new = MasterKey::add(&files).unwrap().id();
        // A process was killed before `master.key` became the new key.
        for id in [&old, &new] {
            assert_eq!(MasterKey::find(&files, id).unwrap().id(), *id);
        }
        MasterKey::settle(&files, &new).unwrap();
        assert_eq!(MasterKey::open(&files).unwrap().id(), new);
        std::fs::remove_file(files.path_of(&old)).unwrap();
        let refused = MasterKey::find(&files, &old).unwrap_err();
        assert!(matches!(refused, StoreError::WrongMasterKey { .. }), "{refused}");
    }

    #[test]
    fn settling_in_any_order_keeps_every_key() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        let first = MasterKey::create(&files).unwrap().id();
        MasterKey::keep(&files.master).unwrap();
        let [second, third] = [(); 2].map(|()| MasterKey::add(&files).unwrap().id());
        for id in [&third, &second, &third] {
            MasterKey::settle(&files, id).unwrap();
        }
        for id in [&first, &second, &third] {
            assert_eq!(MasterKey::find(&files, id).unwrap().id(), *id);
        }
        let names = std::fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
        assert!(names.into_iter().all(|it| !it.to_string_lossy().starts_with('.')), "no draft is left");
    }

    #[test]
    fn new_files_have_the_owner_of_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        MasterKey::create(&files).unwrap();
        MasterKey::keep(&files.master).unwrap();
        if chown(&files.master, Some(65_534), Some(65_534)).is_err() {
            eprintln!("skipped: only root may give files to others");
            return;
        }
        MasterKey::name_current(&files).unwrap();
        let new = MasterKey::add(&files).unwrap().id();
        MasterKey::settle(&files, &new).unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            assert_eq!(entry.unwrap().metadata().unwrap().uid(), 65_534);
        }
    }

    #[test]
    fn root_key_opens_with_its_master_key_only() {
        let [one, other] = [(); 2].map(|()| MasterKey::in_memory().unwrap());
        let root = Key::random().unwrap();
        let wrapped = one.wrap(&root).unwrap();
        assert_eq!(one.unwrap(&wrapped).unwrap().as_bytes(), root.as_bytes());
        assert!(other.unwrap(&wrapped).is_err());
    }
}
