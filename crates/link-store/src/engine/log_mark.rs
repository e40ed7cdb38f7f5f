//! Checks that the write-ahead log belongs to the database file next to it.
//!
//! SQLite applies any log that it finds next to a database file. If a backup was restored over the file and the log of
//! a killed process is still there, applying it damages the backup or undoes the restore. The two files contain nothing
//! that distinguishes these cases. Therefore a third file records the database's size and modification time after each
//! checkpoint: any other writer changes them.

use std::fs::{File, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::Connection;

use crate::StoreError;

/// How long after its start a checkpoint may still write, in seconds. Longer checkpoints are allowed. The limit applies
/// only if the process is killed during one.
const COPY_SECONDS: i128 = 60;
/// File system clocks have a coarse resolution, and tools that copy a folder write its files in any order.
const CLOCK_STEP_SECONDS: i128 = 2;
const NANOS: i128 = 1_000_000_000;
/// The fixed length of the record. It is always overwritten in place, which also works on a full disk.
const RECORD: usize = 64;

/// The size and modification time of a database file, as last recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: i128,
}

impl Stamp {
    fn of(file: &Metadata) -> Stamp {
        Stamp { size: file.len(), modified: modified(file) }
    }
}

fn modified(file: &Metadata) -> i128 {
    i128::from(file.mtime()) * NANOS + i128::from(file.mtime_nsec())
}

/// The recorded state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Record {
    /// Nothing was written to the database file since then.
    Settled(Stamp),
    /// A checkpoint began when the file had this stamp.
    Copying(Stamp),
}

impl Record {
    fn line(self) -> [u8; RECORD] {
        let (state, stamp) = match self {
            Record::Settled(stamp) => ("settled", stamp),
            Record::Copying(stamp) => ("copying", stamp),
        };
        let text = format!("{state} {} {}", stamp.size, stamp.modified);
        let mut line = [b' '; RECORD];
        line[RECORD - 1] = b'\n';
        for (place, byte) in line.iter_mut().zip(text.into_bytes()) {
            *place = byte;
        }
        line
    }

    fn parse(text: &str) -> Option<Record> {
        let mut words = text.split_whitespace();
        let (state, size, modified) = (words.next()?, words.next()?, words.next()?);
        let stamp = Stamp { size: size.parse().ok()?, modified: modified.parse().ok()? };
        match state {
            "settled" => Some(Record::Settled(stamp)),
            "copying" => Some(Record::Copying(stamp)),
            _ => None,
        }
    }
}

/// The result of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copied {
    /// Every page of the log is in the database.
    All,
    /// Some pages are not, because of a reader or another checkpoint.
    Part,
}

/// The record of a database that this process owns.
#[derive(Debug)]
pub(super) struct LogMark {
    /// The path of the record.
    path: PathBuf,
    /// Locked during a checkpoint.
    record: Mutex<File>,
    /// For `fsync` only. It must outlive all connections of the process: closing any descriptor of a file drops the
    /// locks that SQLite holds on it.
    database: File,
}

impl LogMark {
    /// Opens the record of an existing database. Call it before SQLite opens the database.
    pub(super) fn open(database: &Path) -> Result<LogMark, StoreError> {
        let path = with_suffix(database, "-mark");
        let record = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(StoreError::file("cannot open", &path))?;
        let database =
            File::open(database).map_err(StoreError::file("cannot open the database", database))?;
        Ok(LogMark { path, record: Mutex::new(record), database })
    }

    /// Runs a checkpoint and records its start and its end. Does nothing if another one is running.
    pub(super) fn around(
        &self,
        checkpoint: impl FnOnce() -> rusqlite::Result<Copied>,
    ) -> Result<Copied, StoreError> {
        let Ok(record) = self.record.try_lock() else { return Ok(Copied::Part) };
        let begun = self.database.metadata().and_then(|before| {
            record.write_all_at(&Record::Copying(Stamp::of(&before)).line(), 0)?;
            // After a power failure the database must not be newer than its record.
            record.sync_all()
        });
        begun.map_err(StoreError::file("cannot write", &self.path))?;
        let copied = checkpoint()?;
        if copied == Copied::All {
            // SQLite skips this sync if another commit arrived during the checkpoint.
            let settled = self.database.sync_all().and_then(|()| self.database.metadata());
            settled
                .and_then(|after| record.write_all_at(&Record::Settled(Stamp::of(&after)).line(), 0))
                .map_err(StoreError::file("cannot write", &self.path))?;
        }
        Ok(copied)
    }
}

/// Runs `PRAGMA wal_checkpoint` in a mode, and records it if the database has a mark.
pub(super) fn checkpoint(
    connection: &Connection,
    mode: &str,
    mark: Option<&LogMark>,
) -> Result<Copied, StoreError> {
    let run = || {
        let pragma = format!("PRAGMA wal_checkpoint({mode})");
        let (busy, log, copied) = connection.query_row(&pragma, [], |row| {
            Ok((row.get::<_, bool>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        })?;
        Ok(if !busy && log == copied { Copied::All } else { Copied::Part })
    };
    match mark {
        Some(mark) => mark.around(run),
        None => Ok(run()?),
    }
}

/// Checks that a log left next to `database` belongs to it. Looks only at names, sizes and times.
///
/// # Errors
///
/// [`StoreError::StaleLog`] if the database file was replaced, or another program wrote to it, since the log began.
pub(super) fn check_left_log(database: &Path) -> Result<(), StoreError> {
    let log = with_suffix(database, "-wal");
    let looked = |path: &Path| match std::fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(missing) if missing.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::file("cannot look at", path)(error)),
    };
    let Some(left) = looked(&log)?.filter(|left| left.len() > 0) else { return Ok(()) };
    let found = looked(database)?.filter(|found| found.len() > 0);
    let path = with_suffix(database, "-mark");
    let marked = looked(&path)?;
    let record = std::fs::read_to_string(&path).ok().and_then(|text| Record::parse(&text));
    let belongs = found.is_some_and(|found| {
        let stamp = Stamp::of(&found);
        match (record, marked) {
            (Some(Record::Settled(settled)), _) => stamp == settled,
            (Some(Record::Copying(before)), Some(marked)) => {
                let until = modified(&marked) + COPY_SECONDS * NANOS;
                stamp == before || (stamp.modified >= before.modified && stamp.modified <= until)
            }
            // A folder was copied without its mark. The log is newer than the database, unless the database was
            // replaced.
            (Some(Record::Copying(_)) | None, _) => {
                stamp.modified <= modified(&left) + CLOCK_STEP_SECONDS * NANOS
            }
        }
    });
    if belongs { Ok(()) } else { Err(StoreError::StaleLog { log, database: database.to_owned() }) }
}

/// Returns the path of a file that SQLite or this module keeps next to the database.
pub(super) fn with_suffix(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    /// A folder with a database, its log and its mark, as a killed process leaves them.
    struct Left {
        folder: tempfile::TempDir,
    }

    impl Left {
        fn new() -> Left {
            let left = Left { folder: tempfile::tempdir().unwrap() };
            std::fs::write(left.database(), [1; 4096]).unwrap();
            std::fs::write(with_suffix(&left.database(), "-wal"), [2; 4096]).unwrap();
            left
        }

        fn database(&self) -> PathBuf {
            self.folder.path().join("linchpin.db")
        }

        fn touch(&self, suffix: &str, seconds: u64) {
            let file = File::options().write(true).open(with_suffix(&self.database(), suffix)).unwrap();
            let age = SystemTime::UNIX_EPOCH + Duration::from_secs(1_760_000_000 + seconds);
            file.set_modified(age).unwrap();
        }

        fn is_accepted(&self) -> bool {
            match check_left_log(&self.database()) {
                Ok(()) => true,
                Err(StoreError::StaleLog { .. }) => false,
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn log_is_accepted_if_the_database_is_as_recorded() {
        let left = Left::new();
        let mark = LogMark::open(&left.database()).unwrap();
        // Checkpoints after the last commit are recorded too.
        left.touch("-wal", 0);
        let copy = || {
            std::fs::write(left.database(), [3; 8192]).unwrap();
            Ok(Copied::All)
        };
        assert_eq!(mark.around(copy).unwrap(), Copied::All);
        assert!(left.is_accepted());
        // A backup that keeps its own time, and one with the time of the restore.
        for seconds in [0, 4_000_000_000] {
            left.touch("", seconds);
            assert!(!left.is_accepted(), "{seconds}");
        }
    }

    #[test]
    fn log_is_rejected_after_a_restore_of_another_size() {
        let left = Left::new();
        left.touch("", 0);
        LogMark::open(&left.database()).unwrap().around(|| Ok(Copied::All)).unwrap();
        assert!(left.is_accepted());
        std::fs::write(left.database(), [1; 8192]).unwrap();
        left.touch("", 0);
        assert!(!left.is_accepted());
        std::fs::write(left.database(), "").unwrap();
        assert!(!left.is_accepted(), "an empty file has no log");
        std::fs::remove_file(left.database()).unwrap();
        assert!(!left.is_accepted(), "a missing file has no log");
    }

    #[test]
    fn log_is_accepted_after_a_kill_during_a_checkpoint() {
        let left = Left::new();
        left.touch("", 100);
        let mark = LogMark::open(&left.database()).unwrap();
        assert_eq!(mark.around(|| Ok(Copied::Part)).unwrap(), Copied::Part);
        left.touch("-mark", 1_000);
        for (seconds, taken) in [(100, true), (1_030, true), (1_100, false), (50, false)] {
            left.touch("", seconds);
            assert_eq!(left.is_accepted(), taken, "{seconds}");
        }
    }

    #[test]
    fn log_without_a_mark_is_rejected_if_it_is_older() {
        let left = Left::new();
        left.touch("-wal", 100);
        for (seconds, taken) in [(90, true), (101, true), (110, false)] {
            left.touch("", seconds);
            assert_eq!(left.is_accepted(), taken, "{seconds}");
        }
        std::fs::write(with_suffix(&left.database(), "-wal"), "").unwrap();
        assert!(left.is_accepted(), "an empty log changes nothing");
    }
}
