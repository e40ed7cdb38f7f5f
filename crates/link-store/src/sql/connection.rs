//! A PostgreSQL connection: its prepared statements, and the statements that wait for the next round trip.

use std::cell::Cell;
use std::collections::HashMap;

use futures_util::future::{join, join_all};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Statement};

use super::session::dynamic;
use super::statement::{Sql, render_postgres};
use super::value::{OwnedParam, Param};
use crate::StoreError;
use crate::engine::PgClient;

/// The maximum number of statements that wait. Up to 30 futures, [`join_all`] polls in their order, so that the server gets
/// the statements in the order of the unit of work.
const MAX_WAITING: usize = 30;
/// The maximum size in bytes of the values that wait, so that files are not held twice.
const MAX_WAITING_BYTES: usize = 1 << 20;

/// A statement that is sent with the next one.
struct Waiting {
    statement: Statement,
    values: Vec<OwnedParam>,
    /// Whether the unit of work must run again if the statement affects no row.
    is_required: bool,
}

/// A PostgreSQL connection and its prepared statements.
pub(crate) struct PgConnection {
    pub(crate) client: PgClient,
    statements: HashMap<String, Statement>,
    /// Whether `BEGIN` is sent with the next statement.
    begins: bool,
    /// Whether the unit of work has run before.
    is_rerun: bool,
    waiting: Vec<Waiting>,
    waiting_bytes: usize,
}

impl PgConnection {
    pub(crate) fn new(client: PgClient) -> Self {
        PgConnection {
            client,
            statements: HashMap::new(),
            begins: false,
            is_rerun: false,
            waiting: Vec::new(),
            waiting_bytes: 0,
        }
    }

    /// Begins a transaction with the next statement.
    pub(crate) fn begin(&mut self, is_rerun: bool) {
        self.take_waiting();
        self.begins = true;
        self.is_rerun = is_rerun;
    }

    /// Returns whether the unit of work has run before, so that what it assumed without looking may have been wrong.
    pub(crate) const fn is_rerun(&self) -> bool {
        self.is_rerun
    }

    /// Commits the transaction, and sends the waiting statements before.
    ///
    /// # Errors
    ///
    /// Of the first statement that failed, and of the commit. Nothing is committed then, unless the connection was lost or the
    /// deadline passed meanwhile.
    pub(crate) fn commit(&mut self) -> Result<(), StoreError> {
        if self.waiting.is_empty() {
            let is_empty = std::mem::take(&mut self.begins);
            return if is_empty { Ok(()) } else { self.client.confirm(|client| client.frame("COMMIT")) };
        }
        if self.waiting.iter().any(|it| it.is_required) {
            // After the commit, it would be too late to find out.
            if let Err(error) = self.send_waiting() {
                self.client.check()?;
                self.rollback()?;
                return Err(error);
            }
            return self.client.confirm(|client| client.frame("COMMIT"));
        }
        self.send_begin()?;
        let waiting = self.take_waiting();
        let commit = async |client: &Client| {
            let is_unsent = Cell::new(false);
            let end = async {
                // A statement that could not be encoded was not sent, and the server does not know that it failed.
                client.batch_execute(if is_unsent.get() { "ROLLBACK" } else { "COMMIT" }).await
            };
            let (written, ended) = join(execute_all(client, &waiting, &is_unsent), end).await;
            ended.map(|()| written)
        };
        match self.client.confirm(|client| client.run(commit)) {
            Ok(written) => written.map(drop).map_err(|error| postgres_error(self.client.note_error(error))),
            Err(error) => {
                self.client.discard();
                Err(error)
            }
        }
    }

    /// Rolls the transaction back. The waiting statements are not sent.
    ///
    /// # Errors
    ///
    /// See [`PgClient::frame`].
    pub(crate) fn rollback(&mut self) -> Result<(), StoreError> {
        self.take_waiting();
        if std::mem::take(&mut self.begins) { Ok(()) } else { self.client.frame("ROLLBACK") }
    }

    /// Runs a query.
    pub(crate) fn query(
        &mut self,
        sql: &Sql,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let statement = self.prepare(sql)?;
        self.send(is_read(sql), async |client| client.query(&statement, values).await)
    }

    /// Runs a statement and returns the number of affected rows.
    pub(crate) fn execute(&mut self, sql: &Sql, values: &[Param<'_>]) -> Result<u64, StoreError> {
        let statement = self.prepare(sql)?;
        self.send(is_read(sql), async |client| client.execute(&statement, &dynamic(values)).await)
    }

    /// Runs a statement with the next one or before the commit. If `is_required`, the unit of work runs again if the statement
    /// affects no row.
    pub(crate) fn execute_later(
        &mut self,
        sql: &Sql,
        values: &[Param<'_>],
        is_required: bool,
    ) -> Result<(), StoreError> {
        let statement = self.prepare(sql)?;
        if !is_read(sql) {
            self.send_begin()?;
        }
        let bytes: usize = values.iter().map(Param::size).sum();
        if self.waiting.len() >= MAX_WAITING || self.waiting_bytes + bytes > MAX_WAITING_BYTES {
            self.send_waiting()?;
        }
        let values = values.iter().copied().map(Param::to_owned).collect();
        self.waiting.push(Waiting { statement, values, is_required });
        self.waiting_bytes += bytes;
        Ok(())
    }

    /// Runs statements without parameters.
    pub(crate) fn script(&mut self, text: &str) -> Result<(), StoreError> {
        self.send_begin()?;
        self.send_waiting()?;
        match text {
            "COMMIT" => self.client.confirm(|client| client.batch_execute(text)),
            _ => self.client.batch_execute(text),
        }
    }

    /// Returns a prepared statement.
    pub(crate) fn prepare(&mut self, sql: &Sql) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.get(sql.text.as_ref()) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&render_postgres(&sql.text))?;
        self.statements.insert(sql.text.clone().into_owned(), statement.clone());
        Ok(statement)
    }

    /// Sends `BEGIN` alone. If it failed in one round trip with a write, the server would commit the write by itself.
    fn send_begin(&mut self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.begins) { self.client.frame("BEGIN") } else { Ok(()) }
    }

    fn send_waiting(&mut self) -> Result<(), StoreError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.send(true, async |_| Ok(()))
    }

    /// Sends `BEGIN` if it is due, the waiting statements and `call` in one round trip. Returns the first error.
    fn send<T>(
        &mut self,
        is_read: bool,
        call: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        if !is_read {
            self.send_begin()?;
        }
        let begins = std::mem::take(&mut self.begins);
        let waiting = self.take_waiting();
        let sent = self.client.run(async |client| {
            let begin = async { if begins { client.batch_execute("BEGIN").await } else { Ok(()) } };
            let (begun, (written, result)) =
                join(begin, join(execute_all(client, &waiting, &Cell::new(false)), call(client))).await;
            begun.map(|()| written.and_then(|written| result.map(|result| (written, result))))
        });
        match sent {
            Ok(Ok((Written::NotAll, _))) => Err(StoreError::Duplicate("a required row".to_owned())),
            Ok(result) => result
                .map(|(_, result)| result)
                .map_err(|error| postgres_error(self.client.note_error(error))),
            Err(error) => {
                if begins {
                    // It is not known whether the transaction has begun.
                    self.client.discard();
                }
                Err(error)
            }
        }
    }

    fn take_waiting(&mut self) -> Vec<Waiting> {
        self.waiting_bytes = 0;
        std::mem::take(&mut self.waiting)
    }
}

/// Returns whether the statement changes nothing, so that it may also run outside of a transaction.
pub(crate) fn is_read(sql: &Sql) -> bool {
    sql.text.starts_with("SELECT ")
}

/// Whether each statement has affected the rows that its unit of work requires.
enum Written {
    All,
    NotAll,
}

/// Sends the statements in their order at the first poll, which also sets `is_unsent` if one could not be encoded.
async fn execute_all(client: &Client, waiting: &[Waiting], is_unsent: &Cell<bool>) -> Result<Written, Error> {
    let all = waiting.iter().map(async |it| {
        let values: Vec<Param<'_>> = it.values.iter().map(OwnedParam::borrow).collect();
        let result = client.execute(&it.statement, &dynamic(&values)).await;
        is_unsent.set(is_unsent.get() || result.is_err());
        result.map(|affected| affected > 0 || !it.is_required)
    });
    // All are awaited before the first error is returned, so that none is still on its way.
    let written: Vec<bool> = join_all(all).await.into_iter().collect::<Result<_, Error>>()?;
    Ok(if written.contains(&false) { Written::NotAll } else { Written::All })
}

fn postgres_error(error: StoreError) -> StoreError {
    let StoreError::Postgres(error) = error else { return error };
    match error.as_db_error() {
        Some(refusal) if *refusal.code() == SqlState::UNIQUE_VIOLATION => {
            StoreError::Duplicate(refusal.constraint().unwrap_or("unique").to_owned())
        }
        Some(refusal) if *refusal.code() == SqlState::LOCK_NOT_AVAILABLE => StoreError::Busy,
        Some(_) | None => StoreError::Postgres(error),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio_postgres::error::SqlState;

    use super::MAX_WAITING_BYTES;
    use crate::sql::{Sql, params};
    use crate::test_support::{Backend, TestDatabase};
    use crate::{Store, StoreError};

    const INSERT: Sql = Sql::from_static("insert", "INSERT INTO notes (id) VALUES (?1)");
    const COUNT: Sql = Sql::from_static("count", "SELECT COUNT(*) FROM notes");
    const IN_ORDER: Sql = Sql::from_static("in order", "SELECT id FROM notes ORDER BY place");

    async fn open() -> (TestDatabase, Store) {
        let database = TestDatabase::new(Backend::Postgres);
        let store = database.open().await;
        let table = "CREATE TABLE notes (id BIGINT PRIMARY KEY, place BIGINT GENERATED ALWAYS AS IDENTITY)";
        let created: Result<(), StoreError> = store.write(|tx| tx.session.script(table)).await;
        created.unwrap();
        (database, store)
    }

    async fn read_ids(store: &Store) -> Vec<i64> {
        let read: Result<_, StoreError> =
            store.read(|reader| reader.session.query(&IN_ORDER, params![], |row| row.int(0))).await;
        read.unwrap()
    }

    #[tokio::test]
    async fn writes_share_a_round_trip_with_begin_and_the_next_read() {
        let (_database, store) = open().await;
        let unit = store.write(|tx| {
            tx.session.prepare(&INSERT)?;
            tx.session.prepare(&COUNT)?;
            let start = tx.session.round_trips();
            tx.session.find(&COUNT, params![], |row| row.int(0))?;
            let begun = tx.session.round_trips();
            for id in 0..10 {
                tx.session.execute_later(&INSERT, params![id])?;
            }
            let counted = tx.session.find(&COUNT, params![], |row| row.int(0))?;
            Ok::<_, StoreError>((counted, begun - start, tx.session.round_trips() - begun))
        });
        assert_eq!(unit.await.unwrap(), (Some(10), 1, 1));
    }

    #[tokio::test]
    async fn waiting_statements_run_in_order_before_the_commit() {
        let (_database, store) = open().await;
        let written: Result<(), StoreError> = store
            .write(|tx| (0..100).try_for_each(|id| tx.session.execute_later(&INSERT, params![99 - id])))
            .await;
        written.unwrap();
        assert_eq!(read_ids(&store).await, (0..100).rev().collect::<Vec<i64>>());
    }

    #[tokio::test]
    async fn statement_that_fails_with_the_commit_undoes_the_unit() {
        let (_database, store) = open().await;
        let first: Result<u64, StoreError> = store.write(|tx| tx.session.execute(&INSERT, params![7])).await;
        first.unwrap();
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&runs);
        let second: Result<(), StoreError> = store
            .write(move |tx| {
                counted.fetch_add(1, Ordering::Relaxed);
                tx.session.execute_later(&INSERT, params![6])?;
                tx.session.execute_later(&INSERT, params![7])
            })
            .await;
        assert!(matches!(second, Err(StoreError::Duplicate(_))), "{second:?}");
        // A second run of a unit may find the row that was in its way.
        assert!(runs.load(Ordering::Relaxed) > 1);
        assert_eq!(read_ids(&store).await, [7]);
    }

    #[tokio::test]
    async fn statement_that_cannot_be_encoded_undoes_the_unit() {
        let (_database, store) = open().await;
        let written: Result<(), StoreError> = store
            .write(|tx| {
                tx.session.execute_later(&INSERT, params![1])?;
                tx.session.execute_later(&INSERT, params!["text"])
            })
            .await;
        assert!(matches!(written, Err(StoreError::Postgres(_))), "{written:?}");
        assert!(read_ids(&store).await.is_empty());
    }

    #[tokio::test]
    async fn refused_first_read_keeps_its_error() {
        const DIVIDE: Sql = Sql::from_static("divide", "SELECT 1 / COUNT(*) FROM notes");
        let (_database, store) = open().await;
        let failed: Result<Option<i64>, StoreError> =
            store.write(|tx| tx.session.find(&DIVIDE, params![], |row| row.int(0))).await;
        let Err(StoreError::Postgres(error)) = failed else { panic!("{failed:?}") };
        assert_eq!(error.code(), Some(&SqlState::DIVISION_BY_ZERO));
    }

    #[tokio::test]
    async fn large_values_do_not_wait() {
        const LENGTH: Sql = Sql::from_static("length", "SELECT OCTET_LENGTH(CAST(?1 AS BYTEA))");
        let (_database, store) = open().await;
        let unit = store.write(|tx| {
            tx.session.prepare(&LENGTH)?;
            tx.session.find(&COUNT, params![], |row| row.int(0))?;
            let start = tx.session.round_trips();
            let large = vec![0_u8; MAX_WAITING_BYTES / 2];
            for _ in 0..4 {
                tx.session.execute_later(&LENGTH, params![&large])?;
            }
            Ok::<_, StoreError>(tx.session.round_trips() - start)
        });
        assert_eq!(unit.await.unwrap(), 1);
    }

    #[tokio::test]
    async fn waiting_statements_of_a_failed_unit_are_not_sent() {
        let (_database, store) = open().await;
        let failed: Result<(), StoreError> = store
            .write(|tx| {
                tx.session.execute_later(&INSERT, params![1])?;
                Err(StoreError::Aborted)
            })
            .await;
        assert!(matches!(failed, Err(StoreError::Aborted)));
        let next: Result<(), StoreError> =
            store.write(|tx| tx.session.execute_later(&INSERT, params![2])).await;
        next.unwrap();
        assert_eq!(read_ids(&store).await, [2]);
    }
}
