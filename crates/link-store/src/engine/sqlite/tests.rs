//! Tests for truncating the log after erasures, and for the statement cache.

use link_test_support::wait;
use rusqlite::StatementStatus;

use super::*;

fn writer(path: &Path, lengths: Lengths) -> Writer {
    let mut connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").unwrap();
    let checkpoints = Checkpoints::start(path, &mut connection, lengths).unwrap();
    Writer::new(connection, Log::Clean, Some(checkpoints), Default::default())
}

#[test]
fn log_held_by_a_reader_keeps_its_erased_pages_flag() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.db");
    let mut writer = writer(&path, Lengths::USUAL);
    let reader = open_reader(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT a FROM t").unwrap();
    writer.connection.execute_batch("DELETE FROM t").unwrap();
    writer.empty_log(Duration::ZERO);
    assert!(matches!(writer.log, Log::HoldsErased { .. }));
    reader.execute_batch("COMMIT").unwrap();
    writer.empty_log(Duration::ZERO);
    assert_eq!(writer.log, Log::Clean);
}

#[test]
fn log_that_was_not_truncated_is_removed_on_close() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.db");
    let mut writer = writer(&path, Lengths::USUAL);
    writer.log = Log::HoldsErased { since: Instant::now() };
    let (queue, units) = channel();
    drop(queue);
    writer.write_groups(&units);
    writer.close();
    assert!(!folder.path().join("linchpin.db-wal").exists());
}

#[test]
fn log_of_a_killed_process_is_truncated_on_start() {
    let (killed, next) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let writer = writer(&killed.path().join("linchpin.db"), Lengths::USUAL);
    for file in ["linchpin.db", "linchpin.db-wal"] {
        std::fs::copy(killed.path().join(file), next.path().join(file)).unwrap();
    }
    drop(writer);
    let length = || std::fs::metadata(next.path().join("linchpin.db-wal")).unwrap().len();
    assert_ne!(length(), 0);
    let engine = SqliteEngine::open(Folder::open(next.path()).unwrap(), |_| Ok(())).unwrap();
    wait::blocking::until("the log is truncated", || length() == 0);
    engine.close();
}

/// Reports how long the log is when it runs, and that it was settled.
struct Measure {
    log: PathBuf,
    length: u64,
    settled: Sender<u64>,
}

impl Unit for Measure {
    fn attempt(&mut self, _: Session<'_>) -> Verdict {
        self.length = std::fs::metadata(&self.log).unwrap().len();
        Verdict::Keep
    }

    fn erases(&self) -> bool {
        false
    }

    fn on_commit(&self) {}

    fn settle(self: Box<Self>, _: Result<(), StoreError>) {
        self.settled.send(self.length).unwrap();
    }
}

#[test]
fn truncating_the_log_is_retried_between_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.db");
    let mut writer = writer(&path, Lengths::USUAL);
    writer.log = Log::HoldsErased { since: Instant::now() - LOG_AGAIN };
    let (queue, units) = channel::<Box<dyn Unit>>();
    let (settled, lengths) = channel();
    let writing = std::thread::spawn(move || writer.write_groups(&units));
    let measured = || {
        let log = folder.path().join("linchpin.db-wal");
        queue.send(Box::new(Measure { log, length: 0, settled: settled.clone() })).unwrap();
        lengths.recv().unwrap()
    };
    assert_ne!(measured(), 0);
    assert_eq!(measured(), 0);
    drop(queue);
    writing.join().unwrap();
}

/// A unit that erases.
struct Erase(Sender<()>);

impl Unit for Erase {
    fn attempt(&mut self, session: Session<'_>) -> Verdict {
        let Session::Sqlite(connection) = session else { panic!() };
        connection.execute_batch("INSERT INTO t VALUES (2)").unwrap();
        Verdict::Keep
    }

    fn erases(&self) -> bool {
        true
    }

    fn on_commit(&self) {}

    fn settle(self: Box<Self>, _: Result<(), StoreError>) {
        self.0.send(()).unwrap();
    }
}

#[test]
fn erasures_do_not_wait_for_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.db");
    let mut writer = writer(&path, Lengths::USUAL);
    let backup = LongRead(Arc::clone(&writer.long_reads));
    writer.long_reads.fetch_add(1, Ordering::SeqCst);
    let reader = open_reader(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT a FROM t").unwrap();
    let (settled, erased) = channel();
    let began = Instant::now();
    for _ in 0..3 {
        writer.write_group(vec![Box::new(Erase(settled.clone()))]);
        erased.recv().unwrap();
    }
    assert!(began.elapsed() < BUSY, "{:?}", began.elapsed());
    assert!(matches!(writer.log, Log::HoldsErased { .. }));
    reader.execute_batch("COMMIT").unwrap();
    drop(backup);
    writer.empty_log(BUSY);
    assert_eq!(writer.log, Log::Clean);
}

#[test]
fn foreign_reader_delays_only_the_first_erasure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.db");
    let mut writer = writer(&path, Lengths::USUAL);
    let reader = open_reader(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT a FROM t").unwrap();
    let (settled, erased) = channel();
    let began = Instant::now();
    for _ in 0..5 {
        writer.write_group(vec![Box::new(Erase(settled.clone()))]);
        erased.recv().unwrap();
    }
    assert!(began.elapsed() < 2 * ERASURE_WAIT + BUSY / 2, "{:?}", began.elapsed());
    assert!(writer.held.lasts().is_some());
    reader.execute_batch("COMMIT").unwrap();
    writer.empty_log(BUSY);
    assert_eq!(writer.held.lasts(), None);
}

#[test]
fn erasure_waits_for_a_running_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("linchpin.db");
    let mut writer = writer(&path, Lengths { copied_at: 1, ended_at: i32::MAX });
    let mut met = 0;
    for _ in 0..30 {
        let length = || std::fs::metadata(&path).unwrap().len();
        let before = length();
        writer.connection.execute("INSERT INTO t VALUES (zeroblob(4000000))", []).unwrap();
        let checkpoints = writer.checkpoints.as_mut().unwrap();
        checkpoints.after_commit(&writer.connection);
        let until = Instant::now() + Duration::from_secs(10);
        // A pause would miss the checkpoint, which takes less than a millisecond.
        while length() == before && Instant::now() < until {
            std::thread::yield_now();
        }
        met += usize::from(checkpoints.is_copying());
        writer.empty_log(Duration::ZERO);
        assert_eq!(writer.log, Log::Clean);
    }
    assert!(met > 0, "no checkpoint was running");
}

#[test]
fn statement_is_planned_once_for_all_parameters() {
    let connection = Connection::open_in_memory().unwrap();
    keep_statements(&connection).unwrap();
    connection.execute_batch("CREATE TABLE t (a, gone); CREATE INDEX here ON t (a) WHERE gone = 0").unwrap();
    let mut statement = connection.prepare_cached("SELECT a FROM t WHERE a = ?1 AND gone = ?2").unwrap();
    for gone in 0..5 {
        statement.query((1, gone)).unwrap().next().unwrap();
    }
    assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
}
