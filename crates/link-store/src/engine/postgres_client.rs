//! A blocking PostgreSQL client whose calls end by a deadline.
//!
//! Our own: the `postgres` crate waits without a limit, so a server that falls silent holds its thread forever (ADR 235).

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use rustls_tokio_postgres::MakeRustlsConnect;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, NoTls, Row, SimpleQueryMessage, Statement};

use super::postgres_login::{LoggedIn, log_in_at_first};
use super::postgres_notices::Warnings;
use crate::StoreError;
use crate::error::sql_state::{self, Consequence};

/// How long the server may take to accept a request to cancel, and then to respond on the connection again.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(750);

/// Further uses that a connection allows. The worst fault of its calls counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConnectionState {
    /// The next unit of work may use it.
    Usable,
    /// It must be closed. Others to the same server may be good.
    Spoiled,
    /// It must be closed, and so must all that were opened before this fault: the server is silent, stopping, or no longer
    /// the primary.
    ServerLost,
}

/// The part of a connection that sends and receives.
pub(super) type Driver = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// A connection that is used by one thread.
pub(crate) struct PgClient {
    client: Client,
    /// `None` after the connection ended.
    driver: Option<Driver>,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    tls: Option<MakeRustlsConnect>,
    warnings: Warnings,
    deadline: Option<Instant>,
    is_committing: bool,
    state: ConnectionState,
    #[cfg(test)]
    pub(crate) round_trips: usize,
}

impl PgClient {
    /// Opens a connection to the first of these hosts that accepts it within `timeout`, which includes TLS and the login.
    ///
    /// # Errors
    ///
    /// `Ok(Err(_))` if the servers or the network refuse, and `Err(_)` if none responds in time.
    pub(crate) fn connect(
        hosts: &[Config],
        tls: Option<&MakeRustlsConnect>,
        timeout: Duration,
    ) -> Result<Result<PgClient, Error>, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(
            StoreError::file("cannot start a connection to", std::path::Path::new("the database")),
        )?;
        let LoggedIn { client, driver, warnings } = match runtime
            .block_on(log_in_at_first(hosts, tls, timeout))
        {
            Ok(connected) => connected,
            Err(refusal) => {
                // A name is still being resolved, perhaps.
                runtime.shutdown_background();
                return refusal.map(Err).ok_or_else(|| {
                    StoreError::Unreachable(format!(
                        "no response to a login within {} s. Check that the server is running, and check host and \
                         port in the database address",
                        timeout.as_secs()
                    ))
                });
            }
        };
        Ok(Ok(PgClient {
            client,
            driver: Some(driver),
            warnings,
            runtime: Some(runtime),
            tls: tls.cloned(),
            deadline: None,
            is_committing: false,
            state: ConnectionState::Usable,
            #[cfg(test)]
            round_trips: 0,
        }))
    }

    /// Sets the time by which all further calls must have ended. `None`: no limit.
    pub(crate) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Returns what may still be done with the connection.
    pub(crate) fn state(&self) -> ConnectionState {
        if self.driver.is_none() || self.client.is_closed() {
            return self.state.max(ConnectionState::ServerLost);
        }
        self.state
    }

    /// Returns an error if the connection may not be used again.
    ///
    /// # Errors
    ///
    /// [`StoreError::Overdue`] or [`StoreError::Unreachable`].
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match self.state() {
            ConnectionState::Usable => Ok(()),
            ConnectionState::Spoiled => Err(StoreError::Overdue),
            ConnectionState::ServerLost => Err(StoreError::Unreachable(
                "the connection was lost, or its server is not the primary".to_owned(),
            )),
        }
    }

    /// Requires that the connection is closed, because the state of its transaction is not known.
    pub(crate) fn discard(&mut self) {
        self.state = self.state.max(ConnectionState::Spoiled);
    }

    /// Runs a query.
    ///
    /// # Errors
    ///
    /// [`StoreError::Postgres`], and [`StoreError::Unreachable`] after the deadline.
    pub(crate) fn query<S>(
        &mut self,
        statement: &S,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError>
    where
        S: ?Sized + tokio_postgres::ToStatement + Sync,
    {
        self.run(async |client| client.query(statement, values).await)
    }

    /// Runs a query whose result has one row at most.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn query_opt(
        &mut self,
        statement: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, StoreError> {
        self.run(async |client| client.query_opt(statement, values).await)
    }

    /// Runs a query whose result has one row.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn query_one(
        &mut self,
        statement: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, StoreError> {
        self.run(async |client| client.query_one(statement, values).await)
    }

    /// Runs a statement and returns the number of affected rows.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn execute<S>(
        &mut self,
        statement: &S,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, StoreError>
    where
        S: ?Sized + tokio_postgres::ToStatement + Sync,
    {
        self.run(async |client| client.execute(statement, values).await)
    }

    /// Prepares a statement.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn prepare(&mut self, text: &str) -> Result<Statement, StoreError> {
        self.run(async |client| client.prepare(text).await)
    }

    /// Runs statements without parameters.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn batch_execute(&mut self, text: &str) -> Result<(), StoreError> {
        self.run(async |client| client.batch_execute(text).await)
    }

    /// Runs a statement without preparing it, and returns the first value of the first row.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn find_text(&mut self, text: &str) -> Result<Option<String>, StoreError> {
        let found = self.run(async |client| client.simple_query(text).await)?;
        let first = found
            .iter()
            .find_map(|message| if let SimpleQueryMessage::Row(row) = message { row.get(0) } else { None });
        Ok(first.map(str::to_owned))
    }

    /// Passes the pieces of a `COPY … TO STDOUT` to `take` until it breaks.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn copy_out(
        &mut self,
        text: &str,
        take: &mut dyn FnMut(Bytes) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.run(async |client| {
            let mut pieces = pin!(client.copy_out(text).await?);
            while let Some(piece) = pieces.next().await {
                if take(piece?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Runs a `COPY … FROM STDIN` with the pieces that `next` returns.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn copy_in(
        &mut self,
        text: &str,
        next: &mut dyn FnMut() -> Option<Bytes>,
    ) -> Result<u64, StoreError> {
        self.run(async |client| {
            let mut sink = pin!(client.copy_in(text).await?);
            while let Some(piece) = next() {
                sink.send(piece).await?;
            }
            sink.as_mut().finish().await
        })
    }

    /// Runs a part of a transaction's frame: `BEGIN`, `COMMIT` or `ROLLBACK`. If it fails, the connection may be in an
    /// aborted transaction, so it is not used again.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn frame(&mut self, text: &str) -> Result<(), StoreError> {
        self.batch_execute(text).inspect_err(|_| self.discard())
    }

    /// Runs `commit`, and reports a commit that no standby has confirmed as failed.
    ///
    /// PostgreSQL reports it as a success with a warning if an administrator has cancelled the wait. A failover could lose it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unconfirmed`], and those of `commit`.
    pub(crate) fn confirm<T>(
        &mut self,
        commit: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.warnings.take();
        self.is_committing = true;
        let committed = commit(self);
        self.is_committing = false;
        let committed = committed?;
        if self.warnings.take() { Err(StoreError::Unconfirmed) } else { Ok(committed) }
    }

    /// Runs calls, and moves the connection's bytes meanwhile.
    ///
    /// # Errors
    ///
    /// See [`PgClient::query`].
    pub(crate) fn run<T>(
        &mut self,
        call: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let Some(runtime) = &self.runtime else { return Err(StoreError::Closed) };
        #[cfg(test)]
        {
            self.round_trips += 1;
        }
        let deadline = self.deadline;
        if deadline.is_some_and(|at| at <= Instant::now()) {
            // Nothing is sent: the first poll would send a commit that is then reported as cancelled.
            self.discard();
            return Err(StoreError::Overdue);
        }
        let ended = wait(runtime, &self.client, &mut self.driver, deadline, call);
        match ended {
            Some(Ok(found)) => Ok(found),
            Some(Err(error)) => Err(self.note_error(error)),
            None => Err(self.give_up()),
        }
    }

    /// Decides by an error of a call whether the connection may be used again.
    pub(crate) fn note_error(&mut self, error: Error) -> StoreError {
        self.state = self.state.max(match sql_state::consequence_of(&error) {
            Consequence::None | Consequence::RunAgain | Consequence::ComeBack => ConnectionState::Usable,
            Consequence::ServerLost => ConnectionState::ServerLost,
        });
        StoreError::Postgres(error)
    }

    /// Cancels the statement that is over its deadline, and finds out whether the server still responds.
    ///
    /// A commit is not cancelled: PostgreSQL would end its wait for the standby, and show others what a failover can undo.
    fn give_up(&mut self) -> StoreError {
        if self.is_committing {
            self.discard();
            return StoreError::Overdue;
        }
        self.state = ConnectionState::ServerLost;
        let Some(runtime) = &self.runtime else { return StoreError::Closed };
        let (token, tls) = (self.client.cancel_token(), self.tls.clone());
        let cancelled = runtime.block_on(async {
            tokio::time::timeout(CANCEL_TIMEOUT, async {
                match tls {
                    Some(tls) => token.cancel_query(tls).await,
                    None => token.cancel_query(NoTls).await,
                }
            })
            .await
        });
        let until = Some(Instant::now() + CANCEL_TIMEOUT);
        let responds = matches!(cancelled, Ok(Ok(())))
            && wait(runtime, &self.client, &mut self.driver, until, async |client| {
                client.batch_execute("").await
            })
            .is_some_and(|it| it.is_ok());
        if responds {
            self.state = ConnectionState::Spoiled;
            return StoreError::Overdue;
        }
        StoreError::Unreachable("the server does not respond".to_owned())
    }
}

impl Drop for PgClient {
    fn drop(&mut self) {
        // The socket closes with the driver. Nothing waits for the server, which may be silent.
        drop(self.driver.take());
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Waits for a call and moves the connection's bytes meanwhile. Returns `None` if the deadline passed.
fn wait<T>(
    runtime: &Runtime,
    client: &Client,
    driver: &mut Option<Driver>,
    deadline: Option<Instant>,
    call: impl AsyncFnOnce(&Client) -> Result<T, Error>,
) -> Option<Result<T, Error>> {
    runtime.block_on(async {
        let mut call = pin!(call(client));
        let both = poll_fn(|context| {
            if let Some(connection) = driver
                && let Poll::Ready(ended) = connection.as_mut().poll(context)
            {
                *driver = None;
                if let Err(error) = ended {
                    return Poll::Ready(Err(error));
                }
            }
            call.as_mut().poll(context)
        });
        match deadline {
            Some(at) => tokio::time::timeout_at(at.into(), both).await.ok(),
            None => Some(both.await),
        }
    })
}
