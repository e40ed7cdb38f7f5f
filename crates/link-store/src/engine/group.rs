//! Commits several units in one transaction. Each can be rolled back separately.

use rusqlite::Connection;

use super::unit::{Unit, Verdict, attempt_guarded};
use crate::sql::Session;

/// Whether each unit of a group gets a savepoint. A savepoint copies every page that the unit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Savepoints {
    /// Every unit gets one, in every group.
    Always,
    /// No savepoints. If a unit of a group fails, the whole group is rolled back and runs again with savepoints.
    Spared,
    /// Use savepoints for this number of groups, because a unit that failed once often fails again.
    For(u32),
}

impl Savepoints {
    /// The number of groups with savepoints after a group that was rolled back.
    const AFTER_A_FAILURE: Savepoints = Savepoints::For(32);

    /// Returns whether the next group uses savepoints.
    fn next(&mut self) -> bool {
        let next = *self;
        if let Savepoints::For(groups) = next {
            *self = if groups > 1 { Savepoints::For(groups - 1) } else { Savepoints::Spared };
        }
        next != Savepoints::Spared
    }
}

/// Runs a group in one transaction and returns one verdict per unit. They are valid only if the commit succeeds.
pub(super) fn attempt_group(
    connection: &Connection,
    group: &mut [Box<dyn Unit>],
    savepoints: &mut Savepoints,
) -> Result<Vec<Verdict>, rusqlite::Error> {
    if savepoints.next() {
        return attempt_apart(connection, group, None);
    }
    let Some(Undone { unit, verdict }) = attempt_together(connection, group)? else {
        return Ok(vec![Verdict::Keep; group.len()]);
    };
    if group.len() == 1 {
        return Ok(vec![verdict]);
    }
    *savepoints = Savepoints::AFTER_A_FAILURE;
    let panicked = (verdict == Verdict::Panicked).then_some(unit);
    attempt_apart(connection, group, panicked)
}

/// The unit that caused a group's rollback.
struct Undone {
    unit: usize,
    verdict: Verdict,
}

/// Commits all units or none.
fn attempt_together(
    connection: &Connection,
    group: &mut [Box<dyn Unit>],
) -> Result<Option<Undone>, rusqlite::Error> {
    run(connection, "BEGIN IMMEDIATE")?;
    for (unit, attempted) in group.iter_mut().enumerate() {
        match attempt_guarded(attempted.as_mut(), Session::Sqlite(connection)) {
            // Some errors, such as a full disk, make SQLite roll back the whole transaction even if the unit ignores
            // them. Later statements would then commit one by one. The commit fails, and each unit runs alone.
            Verdict::Keep if connection.is_autocommit() => break,
            Verdict::Keep => {}
            verdict @ (Verdict::Discard | Verdict::Again | Verdict::Panicked) => {
                // Some errors, such as a full disk, have already rolled it back.
                if !connection.is_autocommit() {
                    run(connection, "ROLLBACK")?;
                }
                return Ok(Some(Undone { unit, verdict }));
            }
        }
    }
    run(connection, "COMMIT")?;
    Ok(None)
}

/// Runs each unit in its own savepoint. A unit that panicked does not run again.
fn attempt_apart(
    connection: &Connection,
    group: &mut [Box<dyn Unit>],
    panicked: Option<usize>,
) -> Result<Vec<Verdict>, rusqlite::Error> {
    run(connection, "BEGIN IMMEDIATE")?;
    let mut verdicts = Vec::with_capacity(group.len());
    for (number, unit) in group.iter_mut().enumerate() {
        if Some(number) == panicked {
            verdicts.push(Verdict::Panicked);
            continue;
        }
        run(connection, "SAVEPOINT unit")?;
        let verdict = attempt_guarded(unit.as_mut(), Session::Sqlite(connection));
        match verdict {
            Verdict::Keep => {}
            Verdict::Discard | Verdict::Again | Verdict::Panicked => run(connection, "ROLLBACK TO unit")?,
        }
        run(connection, "RELEASE unit")?;
        verdicts.push(verdict);
    }
    run(connection, "COMMIT")?;
    Ok(verdicts)
}

fn run(connection: &Connection, text: &str) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(text)?.execute([]).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::StoreError;

    /// A test unit's action after it has inserted its name.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Then {
        Keep,
        Fail,
        Panic,
        /// Continues although SQLite rolled back the transaction.
        Overlook,
    }

    struct Named {
        name: &'static str,
        then: Then,
        runs: Arc<Mutex<Vec<&'static str>>>,
    }

    impl Unit for Named {
        fn attempt(&mut self, session: Session<'_>) -> Verdict {
            let Session::Sqlite(connection) = session else { panic!("this is SQLite") };
            self.runs.lock().unwrap().push(self.name);
            connection.execute("INSERT INTO t VALUES (?1)", [self.name]).unwrap();
            match self.then {
                Then::Keep => Verdict::Keep,
                Then::Fail => Verdict::Discard,
                Then::Panic => panic!("expected"),
                Then::Overlook => {
                    connection.execute_batch("ROLLBACK").unwrap();
                    Verdict::Keep
                }
            }
        }

        fn erases(&self) -> bool {
            false
        }

        fn on_commit(&self) {}

        fn settle(self: Box<Self>, _: Result<(), StoreError>) {}
    }

    struct Group {
        connection: Connection,
        savepoints: Savepoints,
        runs: Arc<Mutex<Vec<&'static str>>>,
    }

    impl Group {
        fn new(savepoints: Savepoints) -> Group {
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch("CREATE TABLE t (name)").unwrap();
            Group { connection, savepoints, runs: Arc::default() }
        }

        /// Runs a group. Returns the verdicts and the units that ran, in order.
        fn attempt(&mut self, units: &[(&'static str, Then)]) -> (Vec<Verdict>, Vec<&'static str>) {
            let (verdicts, ran) = self.try_attempt(units);
            (verdicts.unwrap(), ran)
        }

        fn try_attempt(
            &mut self,
            units: &[(&'static str, Then)],
        ) -> (Result<Vec<Verdict>, rusqlite::Error>, Vec<&'static str>) {
            let unit = |(name, then): &(&'static str, Then)| -> Box<dyn Unit> {
                Box::new(Named { name, then: *then, runs: Arc::clone(&self.runs) })
            };
            let mut group: Vec<_> = units.iter().map(unit).collect();
            let verdicts = attempt_group(&self.connection, &mut group, &mut self.savepoints);
            (verdicts, std::mem::take(&mut *self.runs.lock().unwrap()))
        }

        fn names(&self) -> String {
            let names =
                "SELECT COALESCE(group_concat(name, ' '), '') FROM (SELECT name FROM t ORDER BY rowid)";
            self.connection.query_row(names, [], |row| row.get(0)).unwrap()
        }
    }

    #[test]
    fn committed_units_run_once() {
        let mut group = Group::new(Savepoints::Spared);
        let (verdicts, ran) = group.attempt(&[("a", Then::Keep), ("b", Then::Keep)]);
        assert_eq!((verdicts, ran), (vec![Verdict::Keep; 2], vec!["a", "b"]));
        assert_eq!(group.names(), "a b");
    }

    #[test]
    fn single_failing_unit_runs_once_and_writes_nothing() {
        let mut group = Group::new(Savepoints::Spared);
        assert_eq!(group.attempt(&[("a", Then::Fail)]), (vec![Verdict::Discard], vec!["a"]));
        assert_eq!((group.names().as_str(), group.savepoints), ("", Savepoints::Spared));
    }

    #[test]
    fn failing_unit_reruns_its_group_with_savepoints() {
        let mut group = Group::new(Savepoints::Spared);
        let units = [("a", Then::Keep), ("b", Then::Fail), ("c", Then::Keep)];
        let (verdicts, ran) = group.attempt(&units);
        assert_eq!(verdicts, [Verdict::Keep, Verdict::Discard, Verdict::Keep]);
        assert_eq!(ran, ["a", "b", "a", "b", "c"]);
        assert_eq!(group.names(), "a c");
        // The next groups use savepoints right away.
        let (verdicts, ran) = group.attempt(&units);
        assert_eq!(verdicts, [Verdict::Keep, Verdict::Discard, Verdict::Keep]);
        assert_eq!(ran, ["a", "b", "c"]);
    }

    #[test]
    fn panicking_unit_does_not_run_again() {
        let mut group = Group::new(Savepoints::Spared);
        let (verdicts, ran) = group.attempt(&[("a", Then::Keep), ("b", Then::Panic), ("c", Then::Keep)]);
        assert_eq!(verdicts, [Verdict::Keep, Verdict::Panicked, Verdict::Keep]);
        assert_eq!(ran, ["a", "b", "a", "c"]);
        assert_eq!(group.names(), "a c");
    }

    #[test]
    fn group_stops_after_sqlite_rolled_back() {
        let mut group = Group::new(Savepoints::Spared);
        let units = [("a", Then::Keep), ("b", Then::Overlook), ("c", Then::Keep)];
        let (verdicts, ran) = group.try_attempt(&units);
        assert!(verdicts.is_err());
        assert_eq!((ran, group.names().as_str()), (vec!["a", "b"], ""));
    }

    #[test]
    fn savepoints_end_after_their_number_of_groups() {
        let mut group = Group::new(Savepoints::For(2));
        let units = [("a", Then::Keep), ("b", Then::Fail)];
        for _ in 0..2 {
            assert_eq!(group.attempt(&units).1, ["a", "b"]);
        }
        assert_eq!(group.attempt(&units).1, ["a", "b", "a", "b"]);
        group.savepoints = Savepoints::Always;
        assert_eq!((group.attempt(&units).1, group.savepoints), (vec!["a", "b"], Savepoints::Always));
    }
}
