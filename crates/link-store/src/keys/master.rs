//! The master key: one file with mode 0600, created on the first start, never part of a backup.

use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::seal::Key;
use crate::StoreError;

/// The root of all derived keys.
#[derive(Debug)]
pub(crate) struct MasterKey(Key);

impl MasterKey {
    /// Reads the key file. If a start was killed before [`MasterKey::keep`], reads its draft.
    ///
    /// If neither exists and `may_create` is true because no database needs another key, creates a draft.
    pub(crate) fn open(path: &Path, may_create: bool) -> Result<MasterKey, StoreError> {
        match std::fs::read_to_string(path).map(Zeroizing::new) {
            Ok(text) => Self::parse(path, &text),
            Err(missing) if missing.kind() == ErrorKind::NotFound && may_create => {
                // An earlier draft belongs to a start that did not get as far as creating a database.
                drop(std::fs::remove_file(draft_of(path)));
                Self::create(path)
            }
            Err(missing) if missing.kind() == ErrorKind::NotFound => {
                match std::fs::read_to_string(draft_of(path)).map(Zeroizing::new) {
                    Ok(text) => Self::parse(&draft_of(path), &text),
                    Err(_) => Err(StoreError::KeyFile {
                        path: path.to_owned(),
                        fault: "is missing, and the database was created with it: restore it",
                    }),
                }
            }
            Err(error) => Err(StoreError::file("cannot read the master key", path)(error)),
        }
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
        placed
            .and_then(|()| match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => std::fs::File::open(folder)?.sync_all(),
                Some(_) | None => Ok(()),
            })
            .map_err(StoreError::file("cannot create the master key", path))
    }

    /// Creates a key that exists only in memory.
    pub(crate) fn in_memory() -> Result<MasterKey, StoreError> {
        Ok(MasterKey(Key::random()?))
    }

    fn parse(path: &Path, text: &str) -> Result<MasterKey, StoreError> {
        let fault = |fault| StoreError::KeyFile { path: path.to_owned(), fault };
        let mode = std::fs::metadata(path)
            .map_err(StoreError::file("cannot look at the master key", path))?
            .permissions()
            .mode();
        if mode & 0o077 != 0 {
            return Err(fault("can be read by other users than its owner: run chmod 600 on it"));
        }
        let bytes = decode_hex(text.trim()).ok_or_else(|| fault("does not hold 64 hexadecimal digits"))?;
        Ok(MasterKey(Key::from_bytes(*bytes)))
    }

    fn create(path: &Path) -> Result<MasterKey, StoreError> {
        let key = Key::random()?;
        let text = Zeroizing::new(format!("{}\n", base16ct::lower::encode_string(key.as_bytes())));
        write_new(&draft_of(path), text.as_bytes())
            .map_err(StoreError::file("cannot create the master key", path))?;
        Ok(MasterKey(key))
    }

    /// Derives the key for a label.
    pub(crate) fn derive(&self, label: &str) -> Key {
        let mut derived = [0; 32];
        // 32 bytes is far below HKDF's limit of 255 blocks, the only way expand can fail.
        let expanded =
            Hkdf::<Sha256>::new(Some(b"linchpin"), self.0.as_bytes()).expand(label.as_bytes(), &mut derived);
        debug_assert!(expanded.is_ok());
        Key::from_bytes(derived)
    }

    /// Returns an identifier of the key that does not reveal it.
    pub(crate) fn id(&self) -> String {
        base16ct::lower::encode_string(&self.derive("id").as_bytes()[..8])
    }

    /// Returns a value that proves the key: no other key has the same value.
    pub(crate) fn check(&self) -> Vec<u8> {
        self.derive("check").as_bytes().to_vec()
    }
}

/// Returns the path of a new key that the database does not know yet.
fn draft_of(path: &Path) -> PathBuf {
    path.with_extension("key.new")
}

/// Creates a file that only its owner can read, and syncs it to disk. Fails if the file exists.
pub(crate) fn write_new(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Decodes 64 hexadecimal digits to 32 bytes.
pub(crate) fn decode_hex(text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let mut bytes = Zeroizing::new([0; 32]);
    let read = base16ct::mixed::decode(text, bytes.as_mut()).ok()?.len();
    (read == bytes.len()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn master_key_is_created_once_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        let made = MasterKey::open(&path, true).unwrap();
        assert!(!path.exists(), "the database does not know it yet");
        assert_eq!(made.id(), MasterKey::open(&path, false).unwrap().id());
        MasterKey::keep(&path).unwrap();
        MasterKey::keep(&path).unwrap();
        assert_eq!(made.id(), MasterKey::open(&path, false).unwrap().id());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn missing_master_key_of_a_database_is_not_recreated() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = MasterKey::open(&folder.path().join("master.key"), false).unwrap_err();
        assert!(refusal.to_string().contains("restore it"), "{refusal}");
    }

    #[test]
    fn readable_or_invalid_key_file_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        MasterKey::open(&path, true).unwrap();
        MasterKey::keep(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(MasterKey::open(&path, true).unwrap_err().to_string().contains("chmod 600"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&path, "not a key").unwrap();
        assert!(MasterKey::open(&path, true).unwrap_err().to_string().contains("64 hexadecimal"));
    }

    #[test]
    fn labels_give_different_keys() {
        let master = MasterKey(Key::random().unwrap());
        assert_ne!(master.derive("wrap").as_bytes(), master.derive("seal").as_bytes());
    }
}
