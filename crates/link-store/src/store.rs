//! The store: reads, and units of work that commit as a whole.

mod call;
mod master_key;
mod replay;
mod tenant_move;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use opentelemetry::Context;
use opentelemetry::global::{self, BoxedSpan};
use opentelemetry::trace::{TraceContextExt as _, Tracer as _};
use secrecy::ExposeSecret;
use tokio::sync::{broadcast, oneshot};

use self::call::{Call, Closure, PendingCall};
pub use self::master_key::RotatedMasterKey;
use crate::backup::{self, BackupError, BackupForm};
use crate::callers::{Caller, Callers};
use crate::commit_notice::CommitNotice;
use crate::engine::folder::Folder;
use crate::engine::{Engine, PoolHealth, PostgresEngine, PostgresServer, SqliteEngine};
use crate::keys::{Day, Keys};
use crate::migrations::SchemaVersion;
use crate::reader::Reader;
use crate::settings::StoreSettings;
use crate::sql::Session;
use crate::tables::jobs;
use crate::tables::kernel::scopes::LostDay;
use crate::tables::notifications::delivery::deliveries;
use crate::tx::Tx;
use crate::{StoreError, migrations};

/// The number of signals a slow listener may lag behind. Beyond that, it loses some, gets an error, and must query the
/// database itself.
const SIGNALS_KEPT: usize = 1024;

/// How long closing waits for PostgreSQL, which includes the vacuum of rows that were erased last.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(60);

/// The database, its keys and the subscribers to its commits. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Engine,
    keys: Arc<Keys>,
    callers: Arc<Callers>,
    signals: broadcast::Sender<CommitNotice>,
    /// The schema of a newer program, once this one cannot serve it.
    too_new: OnceLock<SchemaVersion>,
}

/// Begins a span of a unit of work. `None` if the work that needs it is not traced.
fn trace_unit() -> Option<BoxedSpan> {
    let parent = Context::map_current(|it| it.has_active_span().then(|| it.clone()))?;
    Some(global::tracer("linchpin").start_with_context("unit of work", &parent))
}

impl Store {
    pub(crate) fn keys(&self) -> &Keys {
        &self.shared.keys
    }

    /// Opens the database, brings its schema up to date and checks that the master key belongs to it.
    ///
    /// # Errors
    ///
    /// If the folder is in use, the master key is missing or does not match, the schema is newer than this program, or
    /// the database cannot be reached.
    pub async fn open(settings: StoreSettings) -> Result<Store, StoreError> {
        // The PostgreSQL client must not be driven from within an async runtime, so it gets its own thread.
        let (sender, opened) = oneshot::channel();
        std::thread::Builder::new()
            .name("store-open".to_owned())
            .spawn(move || drop(sender.send(Store::open_blocking(settings))))
            .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
        opened.await.map_err(|_| StoreError::Panicked)?
    }

    /// Does the same as [`Store::open`] for a caller without an async runtime. Never call it from within one.
    ///
    /// # Errors
    ///
    /// See [`Store::open`].
    pub fn open_blocking(settings: StoreSettings) -> Result<Store, StoreError> {
        let (engine, keys) = match settings {
            StoreSettings::Sqlite { folder, keys } => {
                let folder = Folder::open(&folder)?;
                let mut opened = None;
                let engine = SqliteEngine::open(folder, |connection| {
                    let mut session = Session::Sqlite(connection);
                    let keys = migrations::prepare(&mut session, |root| Keys::open(&keys, root))?;
                    opened = Some(Arc::new(keys));
                    // This process owns the folder, so no worker of an earlier process is alive.
                    jobs::void_leases(&mut session)?;
                    deliveries::void_leases(&mut session)
                })?;
                (Engine::Sqlite(engine), opened)
            }
            StoreSettings::Ephemeral => {
                let mut opened = None;
                let engine = SqliteEngine::in_memory(|connection| {
                    let mut session = Session::Sqlite(connection);
                    opened = Some(Arc::new(migrations::prepare(&mut session, |_| Keys::in_memory())?));
                    Ok(())
                })?;
                (Engine::Sqlite(engine), opened)
            }
            StoreSettings::Postgres { address, connections, keys } => {
                let server = PostgresServer::parse(address.expose_secret())?;
                server.warn();
                let mut opened = None;
                let engine = PostgresEngine::open(&server, connections, |connection| {
                    let mut session = Session::Postgres { connection, fault: None };
                    let keys = migrations::prepare(&mut session, |root| Keys::open(&keys, root))?;
                    Ok(Arc::clone(opened.insert(Arc::new(keys))))
                })?;
                (Engine::Postgres(engine), opened)
            }
        };
        let keys = keys.ok_or(StoreError::Closed)?;
        let (signals, _) = broadcast::channel(SIGNALS_KEPT);
        let too_new = OnceLock::new();
        Ok(Store { shared: Arc::new(Shared { engine, keys, callers: Arc::default(), signals, too_new }) })
    }

    /// Runs a unit of work: commits all of it before it returns, or nothing.
    ///
    /// The closure decides based on rows that it reads itself. It does no other I/O, takes time and ids from outside,
    /// and **may run more than once**. An `Err` rolls the unit back. A unit finishes even if its caller is dropped.
    ///
    /// # Errors
    ///
    /// The error of the closure, and [`StoreError`] if the unit cannot be committed, or the schema is too new by now.
    pub async fn write<T, E>(
        &self,
        unit: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.check_served()?;
        // The span ends with the unit.
        let _span = trace_unit();
        let (sender, result) = oneshot::channel();
        self.submit(Box::new(PendingCall { closure: unit, result: None, sender }));
        match result.await {
            Ok(result) => result,
            Err(_) => Err(StoreError::Closed.into()),
        }
    }

    fn submit(&self, closure: Box<dyn Closure>) {
        let Shared { engine, keys, callers, signals, .. } = &*self.shared;
        let call = Call::new(closure, Arc::clone(keys), Arc::clone(callers), signals.clone());
        match engine {
            Engine::Sqlite(engine) => engine.submit(Box::new(call)),
            Engine::Postgres(engine) => engine.submit(Box::new(call)),
        }
    }

    /// Reads from the database.
    ///
    /// On SQLite the closure runs immediately, on this thread's own connection. On PostgreSQL it runs on a thread of
    /// the pool. Each statement sees what was committed before it.
    ///
    /// # Errors
    ///
    /// The error of the closure, and [`StoreError`] if the database cannot be reached, or the schema is too new by now.
    pub async fn read<T, E>(
        &self,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.check_served()?;
        match &self.shared.engine {
            Engine::Sqlite(engine) if engine.reads_on_writer() => {
                let mut read = Some(read);
                self.write(move |tx| match read.take() {
                    Some(read) => read(tx),
                    None => Err(StoreError::Closed.into()),
                })
                .await
            }
            Engine::Sqlite(engine) => {
                engine.read(|session| Ok(read(&mut Reader::new(session, &self.shared.keys))))?
            }
            Engine::Postgres(engine) => {
                let (sender, result) = oneshot::channel();
                let keys = Arc::clone(&self.shared.keys);
                engine.read(Box::new(move |session| {
                    let result = match session {
                        Ok(session) => read(&mut Reader::new(session, &keys)),
                        Err(error) => Err(error.into()),
                    };
                    drop(sender.send(result));
                }));
                match result.await {
                    Ok(result) => result,
                    Err(_) => Err(StoreError::Panicked.into()),
                }
            }
        }
    }

    /// Checks that the database responds, and that this program still serves its schema. If a newer node has removed what this
    /// program needs, all later units and reads are refused: a worker that goes on could do half of something.
    ///
    /// # Errors
    ///
    /// [`StoreError::SchemaTooNew`], and the errors of [`Reader::probe`].
    pub async fn probe(&self) -> Result<(), StoreError> {
        let probed = self.read(|reader| reader.probe()).await;
        if let Err(StoreError::SchemaTooNew { found: newest, serves_from, .. }) = probed {
            self.shared.too_new.get_or_init(|| SchemaVersion { newest, serves_from });
        }
        probed
    }

    fn check_served(&self) -> Result<(), StoreError> {
        self.shared.too_new.get().map_or(Ok(()), |it| it.check_served().map(drop))
    }

    /// Returns the API key with this digest and its tenant, or `None` if there is no such key. Revoked keys are
    /// included: [`ApiKey::accepts`] decides.
    ///
    /// [`ApiKey::accepts`]: link_domain::tenancy::tenant::ApiKey::accepts
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub async fn caller(&self, key_hash: Digest32) -> Result<Option<Arc<Caller>>, StoreError> {
        let callers = match &self.shared.engine {
            Engine::Sqlite(_) => Some(&self.shared.callers),
            Engine::Postgres(_) => None,
        };
        let changes = match callers.map(|callers| callers.get(&key_hash)) {
            Some(Ok(caller)) => return Ok(Some(caller)),
            Some(Err(changes)) => changes,
            None => 0,
        };
        let read = self.read(move |reader| reader.api_keys().caller(&key_hash)).await?.map(Arc::new);
        if let (Some(callers), Some(caller)) = (callers, &read) {
            callers.remember(changes, caller);
        }
        Ok(read)
    }

    /// Subscribes to all later commits of this process: which work is due, which account changed.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<CommitNotice> {
        self.shared.signals.subscribe()
    }

    /// Destroys the wrapping keys of all days before `today`, and returns how many. Removes erasures from the ledger that no
    /// backup can undo any more.
    ///
    /// Data erased before then is unreadable in every copy of the database. A day's key stays as long as something that
    /// is not erased needs it, for example because the service was down and an erasure is late.
    ///
    /// # Errors
    ///
    /// If a key file cannot be removed, or the database cannot be read.
    pub async fn destroy_day_keys_before(&self, today: Day) -> Result<usize, StoreError> {
        let needed = self.read(move |reader| reader.scopes().days_needed_before(today)).await?;
        self.shared.keys.buckets.forget_before(today, &needed);
        let destroyed = self.shared.keys.days.destroy_before(today, &needed)?;
        self.shared.keys.ledger.prune(today)?;
        Ok(destroyed)
    }

    /// Returns whether [`Store::subscribe`] reports every commit. On PostgreSQL other nodes commit too.
    #[must_use]
    pub fn hears_every_commit(&self) -> bool {
        match &self.shared.engine {
            Engine::Sqlite(_) => true,
            Engine::Postgres(_) => false,
        }
    }

    /// Returns the days from `today` on that wrap keys in the database and whose key files are missing.
    ///
    /// Key files of earlier days may have been destroyed on purpose.
    ///
    /// # Errors
    ///
    /// If a key file or the database cannot be read.
    pub async fn find_lost_days(&self, today: Day) -> Result<Vec<LostDay>, StoreError> {
        let keys = Arc::clone(&self.shared.keys);
        self.read(move |reader| {
            let mut lost = Vec::new();
            for day in reader.scopes().days_needed_from(today)? {
                if keys.days.get(day)?.is_none() {
                    lost.push(LostDay { day, things: reader.scopes().keys_of_day(day)? });
                }
            }
            Ok(lost)
        })
        .await
    }

    /// Writes a backup to a new file, while requests continue.
    ///
    /// On SQLite, an erasure of the meantime leaves the write-ahead log only after the backup is written. On PostgreSQL, its
    /// vacuum is finished only after that.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the file exists or cannot be written, or the database is in memory.
    pub async fn back_up(&self, target: PathBuf, form: BackupForm, now: Wall) -> Result<(), BackupError> {
        let store = self.clone();
        let (sender, written) = oneshot::channel();
        // A thread of the runtime would delay a stop until the backup is written.
        std::thread::Builder::new()
            .name("store-backup".to_owned())
            .spawn(move || {
                let Shared { engine, keys, .. } = store.shared.as_ref();
                let written = match engine {
                    Engine::Sqlite(engine) => {
                        engine.path().ok_or(BackupError::InMemory).and_then(|database| {
                            let _long_read = engine.long_read();
                            match form {
                                BackupForm::Usual => backup::write_file(database, &target),
                                BackupForm::Portable => backup::write_sqlite(database, keys, now, &target),
                            }
                        })
                    }
                    Engine::Postgres(engine) => backup::write_postgres(engine.server(), keys, now, &target),
                };
                // A stop does not wait for this thread to end.
                drop(store);
                drop(sender.send(written));
            })
            .map_err(StoreError::file("cannot start a thread for", Path::new("the backup")))?;
        written.await.map_err(|_| StoreError::Panicked)?
    }

    /// Returns for how long another program that reads the SQLite database has kept erased pages in its write-ahead log.
    /// `None` if none does, and for PostgreSQL.
    #[must_use]
    pub fn log_is_held_for(&self) -> Option<Duration> {
        match &self.shared.engine {
            Engine::Sqlite(engine) => engine.log_is_held_for(),
            Engine::Postgres(_) => None,
        }
    }

    /// Returns how many connections to PostgreSQL fail. `None` for SQLite.
    #[must_use]
    pub fn pool_health(&self) -> Option<PoolHealth> {
        match &self.shared.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(engine) => Some(engine.health()),
        }
    }

    /// Finishes the queued work and closes the database. Later units and reads are rejected.
    pub async fn close(&self) {
        self.close_within(CLOSE_TIMEOUT).await;
    }

    /// Does the same as [`Store::close`], but waits at most this long for PostgreSQL.
    pub async fn close_within(&self, timeout: Duration) {
        let store = self.clone();
        let (done, closed) = oneshot::channel();
        let spawned = std::thread::Builder::new().name("store-close".to_owned()).spawn(move || {
            match &store.shared.engine {
                Engine::Sqlite(engine) => engine.close(),
                Engine::Postgres(engine) => engine.close(timeout),
            }
            let _ = done.send(());
        });
        if spawned.is_ok() {
            // The closing thread panicked, so there is nothing left to wait for.
            drop(closed.await);
        }
    }
}
