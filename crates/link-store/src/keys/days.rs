//! The key folder: one random key per day, outside the database and its backups, destroyed when the day ends.
//!
//! A scope's key is wrapped by the key of the scope's last day. When that day is over, its key file is deleted, and
//! every copy of the wrapped keys (backups, WAL archives, replicas) becomes useless. Nodes that share a PostgreSQL
//! database also share this folder.

use std::collections::HashMap;
use std::io::{Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use super::master::decode_hex;
use super::seal::Key;
use super::tree::KeyTree;
use crate::StoreError;

const MICROSECONDS_A_DAY: i64 = 86_400_000_000;

/// A day, counted from 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

impl Day {
    /// Returns the day of a time in microseconds since 1970.
    #[must_use]
    pub fn from_micros(micros: i64) -> Day {
        Day(micros.div_euclid(MICROSECONDS_A_DAY))
    }
}

/// The key folder and the keys read from it so far. Without a folder the keys exist only in memory.
#[derive(Debug)]
pub(crate) struct DayKeys {
    folder: Option<PathBuf>,
    known: Mutex<HashMap<Day, Key>>,
    /// The keys derived from them.
    wrapping: RwLock<HashMap<Day, Key>>,
}

impl DayKeys {
    pub(crate) fn open(folder: &Path) -> Result<DayKeys, StoreError> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(StoreError::file("cannot create the key folder", folder))?;
        Ok(DayKeys::at(folder))
    }

    /// Returns the keys of a folder that may be missing.
    pub(super) fn at(folder: &Path) -> DayKeys {
        DayKeys { folder: Some(folder.to_owned()), known: Mutex::default(), wrapping: RwLock::default() }
    }

    /// Returns whether the folder holds any day key.
    pub(crate) fn are_in(folder: &Path) -> Result<bool, StoreError> {
        let failed = || StoreError::file("cannot read the key folder", folder);
        match std::fs::read_dir(folder) {
            Ok(entries) => {
                for entry in entries {
                    if day_of(&entry.map_err(failed())?.path()).is_some() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed()(error)),
        }
    }

    /// Creates keys for a store that writes nothing to disk.
    pub(crate) fn in_memory() -> DayKeys {
        DayKeys { folder: None, known: Mutex::default(), wrapping: RwLock::default() }
    }

    /// Returns the key of a day and creates it if needed.
    #[cfg(test)]
    pub(crate) fn get_or_create(&self, day: Day) -> Result<Key, StoreError> {
        match self.get(day)? {
            Some(key) => Ok(key),
            None => self.create(day),
        }
    }

    /// Returns the key that wraps the scope keys of a day, or `None` if the day's key was destroyed.
    pub(crate) fn wrapping(&self, day: Day, tree: &KeyTree) -> Result<Option<Key>, StoreError> {
        let derived = self.wrapping.read().unwrap_or_else(PoisonError::into_inner).get(&day).cloned();
        if derived.is_some() {
            return Ok(derived);
        }
        // Locked while the day's key is read, so that a concurrent destruction also removes the key derived from it.
        let mut wrapping = self.wrapping.write().unwrap_or_else(PoisonError::into_inner);
        let Some(day_key) = self.get(day)? else { return Ok(None) };
        let derived = tree.wrapping_key(&day_key);
        wrapping.insert(day, derived.clone());
        Ok(Some(derived))
    }

    /// Returns the key that wraps the scope keys of a day. Creates the day's key if needed.
    pub(crate) fn wrapping_or_create(&self, day: Day, tree: &KeyTree) -> Result<Key, StoreError> {
        match self.wrapping(day, tree)? {
            Some(wrapping) => Ok(wrapping),
            None => self.create(day).map(|day_key| tree.wrapping_key(&day_key)),
        }
    }

    /// Returns the key of a day, or `None` if it was destroyed.
    pub(crate) fn get(&self, day: Day) -> Result<Option<Key>, StoreError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = known.get(&day) {
            return Ok(Some(key.clone()));
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = path_of(folder, day);
        let text = match std::fs::read_to_string(&path).map(zeroize::Zeroizing::new) {
            Ok(text) => text,
            Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::file("cannot read the day key", &path)(error)),
        };
        let bytes = decode_hex(text.trim())
            .ok_or(StoreError::KeyFile { path, fault: "does not hold 64 hexadecimal digits" })?;
        let key = Key::from_bytes(*bytes);
        known.insert(day, key.clone());
        Ok(Some(key))
    }

    /// Writes the key to a temporary file and links it to its path. If two nodes try, one wins and both read its key.
    fn create(&self, day: Day) -> Result<Key, StoreError> {
        let Some(folder) = &self.folder else {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(known.entry(day).or_insert(Key::random()?).clone());
        };
        let path = path_of(folder, day);
        let mut suffix = [0; 8];
        getrandom::fill(&mut suffix).map_err(|_| StoreError::NoEntropy)?;
        let draft = folder.join(format!(".{}", base16ct::lower::encode_string(&suffix)));
        let written = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&draft)
            .and_then(|mut file| {
                let text = zeroize::Zeroizing::new(base16ct::lower::encode_string(
                    Key::random().map_err(std::io::Error::other)?.as_bytes(),
                ));
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                match std::fs::hard_link(&draft, &path) {
                    Err(taken) if taken.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
                    linked => linked,
                }
            })
            .and_then(|()| std::fs::File::open(folder)?.sync_all());
        let removed = std::fs::remove_file(&draft);
        written.and(removed).map_err(StoreError::file("cannot create the day key", &path))?;
        self.get(day)?.ok_or(StoreError::KeyFile { path, fault: "vanished while it was made" })
    }

    /// Destroys the keys of all days before `today`, except those still needed, and returns how many.
    pub(crate) fn destroy_before(&self, today: Day, needed: &[Day]) -> Result<usize, StoreError> {
        let is_over = |day: Day| day < today && !needed.contains(&day);
        let failed = |path: &Path| StoreError::file("cannot destroy the day key", path);
        let Some(folder) = &self.folder else {
            let count = {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                let before = known.len();
                known.retain(|day, _| !is_over(*day));
                before - known.len()
            };
            self.forget_wrapping(is_over);
            return Ok(count);
        };
        let (mut destroyed, mut fault) = (0, None);
        for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
            let path = entry.map_err(failed(folder))?.path();
            let Some(day) = day_of(&path) else { continue };
            if !is_over(day) {
                continue;
            }
            match overwrite(&path).and_then(|()| std::fs::remove_file(&path)) {
                Ok(()) => destroyed += 1,
                // One file that cannot be deleted must not prevent deleting the others.
                Err(error) => fault = Some(failed(&path)(error)),
            }
        }
        // Another node may have deleted the files. This node must forget those keys too.
        self.known.lock().unwrap_or_else(PoisonError::into_inner).retain(|day, _| !is_over(*day));
        self.forget_wrapping(is_over);
        fault.map_or(Ok(destroyed), Err)
    }

    fn forget_wrapping(&self, is_over: impl Fn(Day) -> bool) {
        let mut wrapping = self.wrapping.write().unwrap_or_else(PoisonError::into_inner);
        wrapping.retain(|day, _| !is_over(*day));
    }
}

fn path_of(folder: &Path, day: Day) -> PathBuf {
    folder.join(format!("{}.day", day.0))
}

fn day_of(path: &Path) -> Option<Day> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".day")?.parse().ok().map(Day)
}

fn overwrite(path: &Path) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.rewind()?;
    std::io::copy(&mut std::io::Read::take(std::io::repeat(b'0'), length), &mut file)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_share_a_folder_get_the_same_day_key() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (DayKeys::open(folder.path()).unwrap(), DayKeys::open(folder.path()).unwrap());
        let key = one.get_or_create(Day(20_000)).unwrap();
        assert_eq!(key.as_bytes(), other.get_or_create(Day(20_000)).unwrap().as_bytes());
        assert_ne!(key.as_bytes(), one.get_or_create(Day(20_001)).unwrap().as_bytes());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn past_day_keys_are_destroyed_unless_needed() {
        let folder = tempfile::tempdir().unwrap();
        let keys = DayKeys::open(folder.path()).unwrap();
        for day in [9, 10, 11, 12] {
            keys.get_or_create(Day(day)).unwrap();
        }
        assert_eq!(keys.destroy_before(Day(12), &[Day(9)]).unwrap(), 2);
        assert!(keys.get(Day(9)).unwrap().is_some(), "this day is still needed");
        assert!(keys.get(Day(10)).unwrap().is_none());
        assert!(keys.get(Day(12)).unwrap().is_some());
    }

    #[test]
    fn undeletable_day_file_does_not_block_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let keys = DayKeys::open(folder.path()).unwrap();
        for day in 1..9 {
            keys.get_or_create(Day(day)).unwrap();
        }
        let stuck = path_of(folder.path(), Day(0));
        std::fs::create_dir(&stuck).unwrap();
        assert!(keys.destroy_before(Day(12), &[]).is_err());
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()).collect();
        assert_eq!(left, [stuck]);
    }

    #[test]
    fn day_key_destroyed_by_another_node_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (DayKeys::open(folder.path()).unwrap(), DayKeys::open(folder.path()).unwrap());
        one.get_or_create(Day(10)).unwrap();
        other.get_or_create(Day(10)).unwrap();
        assert_eq!(one.destroy_before(Day(12), &[]).unwrap(), 1);
        assert_eq!(other.destroy_before(Day(12), &[]).unwrap(), 0);
        assert!(other.get(Day(10)).unwrap().is_none());
    }

    #[test]
    fn wrapping_key_is_destroyed_with_its_day_key() {
        let tree = KeyTree::new(&Key::random().unwrap());
        let folder = tempfile::tempdir().unwrap();
        for keys in [DayKeys::open(folder.path()).unwrap(), DayKeys::in_memory()] {
            keys.get_or_create(Day(10)).unwrap();
            let wrapping = keys.wrapping(Day(10), &tree).unwrap().unwrap();
            assert_eq!(wrapping.as_bytes(), keys.wrapping(Day(10), &tree).unwrap().unwrap().as_bytes());
            keys.destroy_before(Day(11), &[]).unwrap();
            assert!(keys.wrapping(Day(10), &tree).unwrap().is_none());
        }
    }

    #[test]
    fn days_are_counted_in_utc() {
        assert_eq!(Day::from_micros(0), Day(0));
        assert_eq!(Day::from_micros(MICROSECONDS_A_DAY - 1), Day(0));
        assert_eq!(Day::from_micros(-1), Day(-1));
    }
}
