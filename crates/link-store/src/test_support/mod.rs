//! Databases for tests: SQLite in a temporary folder, PostgreSQL in a cluster of the test process.
//!
//! ```no_run
//! # async fn check(_: link_store::Store) {}
//! # async fn test() {
//! use link_store::test_support::{Backend, TestDatabase};
//! let database = TestDatabase::new(Backend::Postgres);
//! check(database.open().await).await;
//! # }
//! ```

pub mod accounts;
pub mod deliveries;
pub mod lists;
pub mod pooler;
mod postgres_cluster;
pub mod sqlite;
pub mod tenants;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use link_test_support::wait;
use secrecy::ExposeSecret;
use tempfile::TempDir;

use self::postgres_cluster::{PostgresCluster, ServerCertificate};
use crate::{KeyFiles, Store, StoreSettings};

/// Disables group commit on SQLite in this process, so that a benchmark can compare.
pub fn one_commit_a_unit() {
    crate::engine::sqlite::MAX_GROUP.store(1, std::sync::atomic::Ordering::Relaxed);
}

/// Makes the PostgreSQL server of this process wait for its disk, so that a benchmark measures commits.
pub fn durable_postgres() {
    postgres_cluster::IS_DURABLE.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// The database that a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite in a folder.
    Sqlite,
    /// PostgreSQL, in a separate database of the process's cluster.
    Postgres,
}

impl Backend {
    /// Both databases.
    pub const ALL: [Backend; 2] = [Backend::Sqlite, Backend::Postgres];
}

/// An empty database with its own keys. It is deleted when the value is dropped.
pub struct TestDatabase {
    settings: StoreSettings,
    folder: TempDir,
    // Keeps the cluster running.
    cluster: Option<Arc<PostgresCluster>>,
}

impl TestDatabase {
    /// Creates an empty database.
    ///
    /// # Panics
    ///
    /// If there is no temporary folder, or PostgreSQL does not start.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test cannot run without its database")]
    pub fn new(backend: Backend) -> TestDatabase {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (settings, cluster) = match backend {
            Backend::Sqlite => (StoreSettings::in_folder(folder.path().join("data")), None),
            Backend::Postgres => {
                let cluster = PostgresCluster::get_or_start();
                let keys = KeyFiles::in_folder(folder.path());
                let address = cluster.create_database().into();
                (StoreSettings::Postgres { address, connections: 4, keys }, Some(cluster))
            }
        };
        TestDatabase { settings, folder, cluster }
    }

    /// Returns the Unix socket of the PostgreSQL server, and the name of the database.
    ///
    /// # Panics
    ///
    /// On SQLite.
    #[must_use]
    #[expect(clippy::expect_used, reason = "SQLite has no server")]
    pub fn socket(&self) -> (PathBuf, String) {
        let cluster = self.cluster.as_ref().expect("PostgreSQL");
        let StoreSettings::Postgres { address, .. } = &self.settings else { return Default::default() };
        let name = address.expose_secret().rsplit_once("dbname=").map(|(_, name)| name.to_owned());
        (cluster.socket(), name.unwrap_or_default())
    }

    /// Changes the address of the PostgreSQL server.
    pub fn set_address(&mut self, new: String) {
        if let StoreSettings::Postgres { address, .. } = &mut self.settings {
            *address = new.into();
        }
    }

    /// Runs a statement as the owner of the PostgreSQL server, outside of any transaction.
    ///
    /// # Panics
    ///
    /// On SQLite, or if the statement fails.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn administer(&self, statement: &str) {
        self.cluster.as_ref().expect("PostgreSQL").run(statement.to_owned());
    }

    /// Runs a statement in the database, past the store. Returns the number of rows that it changed.
    ///
    /// # Panics
    ///
    /// If the statement fails, or the database is in memory.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn change(&self, statement: &str) -> usize {
        match self.settings() {
            StoreSettings::Postgres { address, .. } => {
                // The PostgreSQL client must not be driven from within an async runtime, so it gets its own thread.
                let statement = statement.to_owned();
                let change = move || {
                    let mut raw = postgres::Client::connect(address.expose_secret(), postgres::NoTls)
                        .expect("a connection");
                    raw.execute(&statement, &[]).expect("the statement runs")
                };
                let changed = std::thread::spawn(change).join().expect("the statement runs");
                changed.try_into().expect("few rows")
            }
            StoreSettings::Sqlite { folder, .. } => {
                let raw = rusqlite::Connection::open(folder.join("linchpin.db")).expect("the database opens");
                raw.execute(statement, []).expect("the statement runs")
            }
            StoreSettings::Ephemeral => panic!("an ephemeral store cannot be changed from outside"),
        }
    }

    /// Returns the settings that open the database. A second process would use the same.
    #[must_use]
    pub fn settings(&self) -> StoreSettings {
        self.settings.clone()
    }

    /// Returns the folder with the key files and, on SQLite, the database.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the folder of the database's own files. On PostgreSQL it does not contain the WAL.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        match &self.cluster {
            None => self.folder.path().join("data"),
            Some(cluster) => cluster.files(),
        }
    }

    /// Opens the database.
    ///
    /// # Panics
    ///
    /// If it cannot be opened.
    #[expect(clippy::expect_used, reason = "a test cannot run without its database")]
    pub async fn open(&self) -> Store {
        Store::open(self.settings()).await.expect("the test's database opens")
    }

    /// Waits until a unit of work waits for a row lock of another. Does nothing on SQLite, which runs one unit at a
    /// time.
    ///
    /// # Panics
    ///
    /// If no unit waits within a minute, or the database does not respond.
    #[expect(clippy::expect_used, reason = "a test cannot run without its database")]
    pub async fn until_a_unit_waits(&self) {
        const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity \
                               WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let StoreSettings::Postgres { address, .. } = self.settings() else { return };
        // The PostgreSQL client must not be driven from within an async runtime.
        let looking = tokio::task::spawn_blocking(move || {
            let mut client =
                postgres::Client::connect(address.expose_secret(), postgres::NoTls).expect("a connection");
            wait::blocking::until("a unit waits for another", || {
                client.query_one(WAITING, &[]).expect("an answer").get::<_, i64>(0) > 0
            });
        });
        looking.await.expect("a unit waits for another");
    }
}

/// A separate PostgreSQL server that accepts network connections only with TLS and a password.
pub struct TlsServer {
    cluster: PostgresCluster,
    port: u16,
}

impl TlsServer {
    /// The password of the user `linchpin`.
    pub const PASSWORD: &str = "canary-of-the-database";

    /// Starts the server with a certificate and its key in PEM format.
    ///
    /// # Panics
    ///
    /// If it does not start.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test cannot run without its database")]
    pub fn start(certificate: &str, key: &str) -> TlsServer {
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = free.expect("a free port").port();
        let cluster = PostgresCluster::start(Some(&ServerCertificate { certificate, key, port }));
        cluster.run(format!("ALTER ROLE linchpin PASSWORD '{}'", Self::PASSWORD));
        TlsServer { cluster, port }
    }

    /// Returns its address for a host name, with these parameters at the end.
    #[must_use]
    pub fn address(&self, host: &str, parameters: &str) -> String {
        let (port, password) = (self.port, Self::PASSWORD);
        format!("postgres://linchpin:{password}@{host}:{port}/postgres?{parameters}")
    }

    /// Returns its address on the Unix socket, with these parameters at the end.
    #[must_use]
    pub fn socket_address(&self, parameters: &str) -> String {
        format!("{} {parameters}", self.cluster.address("postgres"))
    }
}
