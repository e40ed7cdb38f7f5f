//! The ledger of erasures: files next to the day keys, outside the database and its backups.
//!
//! A backup still holds what was erased after it was made. The start that follows its restore reads the ledger and erases that
//! again. A file has the ids of the scopes that one process erased on one day, one a line, and no process writes to the file of
//! another, so nodes can share the folder.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::days::Day;
use crate::StoreError;

/// The number of days for which erasures are kept. After 90 days no backup can be decrypted (ADR 104), and the clocks of nodes
/// may differ by one.
pub(crate) const KEPT_DAYS: i64 = 92;

/// An erasure of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErasedScope {
    pub(crate) scope: String,
    pub(crate) day: Day,
}

/// The ledger of a key folder. Without a folder, nothing is kept.
#[derive(Debug)]
pub(crate) struct ErasureLedger {
    folder: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The file that this process writes to.
    file: Option<(Day, File)>,
    /// Committed erasures that are not on disk yet.
    pending: Vec<ErasedScope>,
}

impl ErasureLedger {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, state: Mutex::default() }
    }

    /// Notes erasures that were committed. [`ErasureLedger::flush`] writes them.
    pub(crate) fn note(&self, erased: Vec<ErasedScope>) {
        if self.folder.is_some() {
            self.state().pending.extend(erased);
        }
    }

    /// Writes the noted erasures to disk, also those that an earlier flush could not write.
    pub(crate) fn flush(&self) -> Result<(), StoreError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut state = self.state();
        let Some(day) = state.pending.iter().map(|it| it.day).max() else { return Ok(()) };
        let is_open = state.file.as_ref().is_some_and(|(of, _)| *of >= day);
        let day = if is_open {
            day
        } else {
            // The clock may have been wrong: a replay does not read the files of earlier days.
            self.files()?.into_iter().map(|(of, _)| of).fold(day, Day::max)
        };
        let lines: String = state.pending.iter().map(|it| line(&it.scope)).collect();
        if let Err(error) = append(folder, &mut state.file, day, lines.as_bytes()) {
            // A part may be written, so the next flush begins a new file.
            state.file = None;
            return Err(error);
        }
        state.pending.clear();
        Ok(())
    }

    /// Returns the scopes that any process erased since a day.
    pub(crate) fn list_erased_since(&self, first: Day) -> Result<HashSet<String>, StoreError> {
        let mut found = HashSet::new();
        for (day, path) in self.files()? {
            if day < first {
                continue;
            }
            let text = match std::fs::read_to_string(&path) {
                // Another node removed it.
                Err(missing) if missing.kind() == ErrorKind::NotFound => continue,
                read => read.map_err(StoreError::file("cannot read the erasures in", &path))?,
            };
            // A line without an end was not acknowledged.
            let lines = text.split_inclusive('\n').filter_map(|it| it.strip_suffix('\n'));
            found.extend(lines.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        Ok(found)
    }

    /// Removes the files of days so long ago that no backup of them can be decrypted.
    pub(crate) fn prune(&self, today: Day) -> Result<(), StoreError> {
        for (day, path) in self.files()? {
            if day.0 < today.0 - KEPT_DAYS {
                match std::fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(StoreError::file("cannot remove the erasures in", &path)(error));
                    }
                    Ok(()) | Err(_) => {}
                }
            }
        }
        Ok(())
    }

    fn files(&self) -> Result<Vec<(Day, PathBuf)>, StoreError> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let failed = || StoreError::file("cannot read the key folder", folder);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            if let Some(day) = day_of(&path) {
                found.push((day, path));
            }
        }
        Ok(found)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn line(scope: &str) -> String {
    format!("{scope}\n")
}

fn day_of(path: &Path) -> Option<Day> {
    let (day, _) = path.file_name()?.to_str()?.strip_suffix(".erased")?.split_once('-')?;
    day.parse().ok().map(Day)
}

/// Appends lines to the file of this day or a later one, and creates it if needed.
fn append(folder: &Path, file: &mut Option<(Day, File)>, day: Day, lines: &[u8]) -> Result<(), StoreError> {
    if file.as_ref().is_none_or(|(of, _)| *of < day) {
        *file = Some((day, create(folder, day)?));
    }
    let Some((_, file)) = file else { return Ok(()) };
    let written = file.write_all(lines).and_then(|()| file.sync_data());
    written.map_err(StoreError::file("cannot record an erasure in", folder))
}

fn create(folder: &Path, day: Day) -> Result<File, StoreError> {
    let mut suffix = [0; 8];
    getrandom::fill(&mut suffix).map_err(|_| StoreError::NoEntropy)?;
    let path = folder.join(format!("{}-{}.erased", day.0, base16ct::lower::encode_string(&suffix)));
    let made = std::fs::OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path);
    made.and_then(|file| File::open(folder)?.sync_all().map(|()| file))
        .map_err(StoreError::file("cannot record an erasure in", folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn erasure(scope: &str, day: i64) -> ErasedScope {
        ErasedScope { scope: scope.to_owned(), day: Day(day) }
    }

    fn since(ledger: &ErasureLedger, day: i64) -> Vec<String> {
        let mut found: Vec<_> = ledger.list_erased_since(Day(day)).unwrap().into_iter().collect();
        found.sort();
        found
    }

    #[test]
    fn erasures_of_all_nodes_are_found_by_day() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [(); 2].map(|()| ErasureLedger::new(Some(folder.path().to_owned())));
        for erasure in [erasure("a-1", 10), erasure("a-2", 11)] {
            one.note(vec![erasure]);
            one.flush().unwrap();
        }
        other.note(vec![erasure("a-3", 11)]);
        other.flush().unwrap();
        one.note(vec![erasure("a-4", 11)]);
        one.flush().unwrap();
        assert_eq!(since(&other, 11), ["a-2", "a-3", "a-4"]);
        assert_eq!(since(&other, 0), ["a-1", "a-2", "a-3", "a-4"]);
        one.prune(Day(11 + KEPT_DAYS)).unwrap();
        assert_eq!(since(&other, 0), ["a-2", "a-3", "a-4"]);
    }

    #[test]
    fn erasure_of_a_clock_that_went_back_is_in_the_newest_file() {
        let folder = tempfile::tempdir().unwrap();
        for (scope, day) in [("a-1", 20), ("a-2", 10)] {
            let ledger = ErasureLedger::new(Some(folder.path().to_owned()));
            ledger.note(vec![erasure(scope, day)]);
            ledger.flush().unwrap();
            ledger.note(vec![erasure(&format!("{scope}-later"), 5)]);
            ledger.flush().unwrap();
            assert!(since(&ledger, 20).contains(&format!("{scope}-later")));
        }
        assert_eq!(since(&ErasureLedger::new(Some(folder.path().to_owned())), 20).len(), 4);
    }

    #[test]
    fn line_of_a_killed_process_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("10-00.erased"), "a-1\na-2").unwrap();
        let ledger = ErasureLedger::new(Some(folder.path().to_owned()));
        assert_eq!(since(&ledger, 0), ["a-1"]);
    }

    #[test]
    fn failed_flush_is_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let (keys, aside) = (folder.path().join("keys"), folder.path().join("aside"));
        std::fs::create_dir(&keys).unwrap();
        let ledger = ErasureLedger::new(Some(keys.clone()));
        std::fs::rename(&keys, &aside).unwrap();
        ledger.note(vec![erasure("a-1", 10)]);
        assert!(ledger.flush().unwrap_err().is_unwritable());
        std::fs::rename(&aside, &keys).unwrap();
        ledger.note(vec![erasure("a-2", 10)]);
        ledger.flush().unwrap();
        assert_eq!(since(&ledger, 0), ["a-1", "a-2"]);
    }
}
