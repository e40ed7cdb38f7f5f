//! The store: units of work that commit as one, and reads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_domain::digest::Digest32;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{broadcast, oneshot};

use crate::StoreError;
use crate::callers::{Caller, Callers};
use crate::engine::folder::Folder;
use crate::engine::{Engine, PostgresEngine, PostgresServer, SqliteEngine, Unit, Verdict};
use crate::keys::{Day, KeyFiles, Keys, OpenBucket};
use crate::migrations;
use crate::reader::Reader;
use crate::signal::Signal;
use crate::sql::Session;
use crate::sql::session::Fault;
use crate::tables::scopes::LostDay;
use crate::tx::Tx;

/// Signals that a slow listener may be behind before it loses some (it is told so, and looks for itself).
const SIGNALS_KEPT: usize = 1024;

/// Which database, and where its keys are.
#[derive(Debug, Clone)]
pub enum StoreSettings {
    /// SQLite in a folder that this process owns alone.
    Sqlite {
        /// The data folder, made 0700 if it is missing.
        folder: PathBuf,
        /// Where the keys live.
        keys: KeyFiles,
    },
    /// A PostgreSQL server, which several nodes may share; they share the key files too.
    Postgres {
        /// `postgres://user:password@host/database`.
        address: SecretString,
        /// Connections for writing, and as many again for reading.
        connections: usize,
        /// Where the keys live.
        keys: KeyFiles,
    },
    /// SQLite in memory, keys in memory: nothing on disk, nothing left.
    Ephemeral,
}

impl StoreSettings {
    /// SQLite with everything at its usual place in one data folder.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> StoreSettings {
        let folder = folder.into();
        let keys = KeyFiles { master: folder.join("master.key"), days: folder.join("keys") };
        StoreSettings::Sqlite { folder, keys }
    }
}

/// Checks a PostgreSQL address without connecting.
///
/// # Errors
///
/// [`StoreError::Address`], which shows no part of the address.
pub fn check_address(address: &str) -> Result<(), StoreError> {
    PostgresServer::parse(address).map(drop)
}

/// The database, its keys, and who waits for news of it. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    engine: Engine,
    keys: Arc<Keys>,
    callers: Arc<Callers>,
    signals: broadcast::Sender<Signal>,
}

impl Store {
    pub(crate) fn keys(&self) -> &Keys {
        &self.shared.keys
    }

    /// Opens the database, brings its schema up to date and checks that the master key belongs to it.
    ///
    /// # Errors
    ///
    /// When the folder is in use, the master key is missing or another one, the schema is newer than this
    /// program, or the database cannot be reached.
    pub async fn open(settings: StoreSettings) -> Result<Store, StoreError> {
        // A thread of its own: the PostgreSQL client must not be driven from within an async runtime.
        let (answer, opened) = oneshot::channel();
        std::thread::Builder::new()
            .name("store-open".to_owned())
            .spawn(move || drop(answer.send(Store::open_blocking(settings))))
            .map_err(StoreError::file("cannot start a thread for", Path::new("the database")))?;
        opened.await.map_err(|_| StoreError::Panicked)?
    }

    /// [`Store::open`] for a caller without an async runtime; never call it from within one.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn open_blocking(settings: StoreSettings) -> Result<Store, StoreError> {
        let (engine, keys) = match settings {
            StoreSettings::Sqlite { folder, keys } => {
                let folder = Folder::open(&folder)?;
                let mut opened = None;
                let engine = SqliteEngine::open(folder, |connection| {
                    let mut session = Session::Sqlite(connection);
                    let keys = migrations::prepare(&mut session, |fresh| Keys::open(&keys, fresh))?;
                    opened = Some(Arc::new(keys));
                    // No worker of an earlier process lives: this one owns the folder.
                    crate::tables::lease::void_all(&mut session)
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
                    let keys = migrations::prepare(&mut session, |fresh| Keys::open(&keys, fresh))?;
                    Ok(Arc::clone(opened.insert(Arc::new(keys))))
                })?;
                (Engine::Postgres(engine), opened)
            }
        };
        let keys = keys.ok_or(StoreError::Closed)?;
        let (signals, _) = broadcast::channel(SIGNALS_KEPT);
        Ok(Store { shared: Arc::new(Shared { engine, keys, callers: Arc::default(), signals }) })
    }

    /// Runs a unit of work: all of it is committed before the answer, or nothing of it is kept.
    ///
    /// The closure decides on rows it reads inside, does no I/O of its own, takes time and ids from outside, and
    /// **may run again**. An `Err` undoes the unit. A caller that goes away does not stop its unit.
    ///
    /// # Errors
    ///
    /// Whatever the closure answers, and [`StoreError`] when the unit cannot be committed.
    pub async fn write<T, E>(
        &self,
        unit: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let call = Box::new(Call {
            closure: unit,
            keys: Arc::clone(&self.shared.keys),
            callers: Arc::clone(&self.shared.callers),
            signals: self.shared.signals.clone(),
            answer: None,
            news: Vec::new(),
            erases: false,
            changes_callers: false,
            opened: Vec::new(),
            sender,
        });
        match &self.shared.engine {
            Engine::Sqlite(engine) => engine.submit(call),
            Engine::Postgres(engine) => engine.submit(call),
        }
        match answer.await {
            Ok(answer) => answer,
            Err(_) => Err(StoreError::Closed.into()),
        }
    }

    /// Reads. On SQLite the closure runs here and now, on this thread's own connection; on PostgreSQL on a
    /// thread of the pool. Each statement sees what was committed before it.
    ///
    /// # Errors
    ///
    /// Whatever the closure answers, and [`StoreError`] when the database cannot be reached.
    pub async fn read<T, E>(
        &self,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
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
                let (sender, answer) = oneshot::channel();
                let keys = Arc::clone(&self.shared.keys);
                engine.read(Box::new(move |session| {
                    let answer = match session {
                        Ok(session) => read(&mut Reader::new(session, &keys)),
                        Err(error) => Err(error.into()),
                    };
                    drop(sender.send(answer));
                }));
                match answer.await {
                    Ok(answer) => answer,
                    Err(_) => Err(StoreError::Panicked.into()),
                }
            }
        }
    }

    /// The key with this digest and its tenant, revoked keys included: [`ApiKey::accepts`] decides. `None` where there is
    /// no such key.
    ///
    /// [`ApiKey::accepts`]: link_domain::tenant::ApiKey::accepts
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
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
        let read = self.read(move |reader| reader.caller(&key_hash)).await?.map(Arc::new);
        if let (Some(callers), Some(caller)) = (callers, &read) {
            callers.remember(changes, caller);
        }
        Ok(read)
    }

    /// News of every commit of this process from now on: what is due, which account changed.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.shared.signals.subscribe()
    }

    /// Destroys the wrapping keys of all days before `today`: whatever was erased by then is unreadable in every
    /// copy of the database. A day that something living is still sealed until (an erasure is late, because the
    /// service was down) keeps its key until that is erased. Gives how many days went.
    ///
    /// # Errors
    ///
    /// When a key file cannot be removed, or the database not be read.
    pub async fn destroy_day_keys_before(&self, today: Day) -> Result<usize, StoreError> {
        let needed = self.read(move |reader| reader.days_needed_before(today)).await?;
        self.shared.keys.buckets.forget_before(today, &needed);
        self.shared.keys.days.destroy_before(today, &needed)
    }

    /// Whether [`Store::subscribe`] reports every commit there is. On PostgreSQL other nodes commit, too.
    #[must_use]
    pub fn hears_every_commit(&self) -> bool {
        match &self.shared.engine {
            Engine::Sqlite(_) => true,
            Engine::Postgres(_) => false,
        }
    }

    /// The days from `today` on that wrap keys in the database and whose own key files are missing. Those of earlier days
    /// may have been destroyed on purpose.
    ///
    /// # Errors
    ///
    /// When a key file cannot be read, or the database not be read.
    pub async fn lost_days(&self, today: Day) -> Result<Vec<LostDay>, StoreError> {
        let keys = Arc::clone(&self.shared.keys);
        self.read(move |reader| {
            let mut lost = Vec::new();
            for day in reader.days_needed_from(today)? {
                if keys.days.get(day)?.is_none() {
                    lost.push(LostDay { day, things: reader.keys_of_day(day)? });
                }
            }
            Ok(lost)
        })
        .await
    }

    /// Finishes what is queued and lets the database go; later units and reads are refused.
    pub async fn close(&self) {
        let store = self.clone();
        let (done, closed) = oneshot::channel();
        let spawned = std::thread::Builder::new().name("store-close".to_owned()).spawn(move || {
            match &store.shared.engine {
                Engine::Sqlite(engine) => engine.close(),
                Engine::Postgres(engine) => engine.close(),
            }
            let _ = done.send(());
        });
        if spawned.is_ok() {
            // An error means that the closing thread panicked; there is nothing left to wait for then.
            drop(closed.await);
        }
    }
}

/// A closure on its way through an engine.
struct Call<F, T, E> {
    closure: F,
    keys: Arc<Keys>,
    callers: Arc<Callers>,
    signals: broadcast::Sender<Signal>,
    answer: Option<Result<T, E>>,
    news: Vec<Signal>,
    erases: bool,
    changes_callers: bool,
    opened: Vec<OpenBucket>,
    sender: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> Unit for Call<F, T, E>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn attempt(&mut self, session: Session<'_>) -> Verdict {
        let mut tx = Tx::new(session, &self.keys);
        let mut answer = (self.closure)(&mut tx);
        let done = tx.finish();
        if done.fault.is_some() && answer.is_ok() {
            answer = Err(StoreError::Aborted.into());
        }
        let verdict = match (&answer, done.fault) {
            (_, Some(Fault::Transient)) => Verdict::Again,
            (Ok(_), Some(Fault::Final) | None) => Verdict::Keep,
            (Err(_), Some(Fault::Final) | None) => Verdict::Discard,
        };
        let kept = verdict == Verdict::Keep;
        self.news = if kept { done.news } else { Vec::new() };
        self.erases = kept && done.erases;
        self.changes_callers = kept && done.changes_callers;
        if kept {
            self.opened = done.opened;
        } else {
            self.keys.buckets.give_back(done.opened, false);
        }
        self.answer = Some(answer);
        verdict
    }

    fn erases(&self) -> bool {
        self.erases
    }

    fn committed(&self) {
        if self.changes_callers {
            self.callers.changed();
        }
    }

    fn settle(self: Box<Self>, outcome: Result<(), StoreError>) {
        // Whether it is committed is not always known where it failed.
        self.committed();
        self.keys.buckets.give_back(self.opened, outcome.is_ok());
        let answer = match (outcome, self.answer) {
            (Ok(()), Some(answer)) => {
                for signal in self.news {
                    // Nobody may be listening.
                    drop(self.signals.send(signal));
                }
                answer
            }
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(StoreError::Panicked.into()),
        };
        // The caller may have gone away.
        drop(self.sender.send(answer));
    }
}
