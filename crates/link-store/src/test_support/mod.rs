//! Databases for tests: SQLite in a folder that vanishes, PostgreSQL in a cluster of the test process.
//!
//! ```no_run
//! # async fn story(_: link_store::Store) {}
//! # async fn test() {
//! use link_store::test_support::{Backend, TestDatabase};
//! for backend in Backend::ALL {
//!     let database = TestDatabase::new(backend);
//!     story(database.open().await).await;
//! }
//! # }
//! ```

pub mod lists;
mod postgres_cluster;
pub mod sqlite;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use secrecy::ExposeSecret;
use tempfile::TempDir;

use self::postgres_cluster::{PostgresCluster, ServerCertificate};
use crate::{KeyFiles, Store, StoreSettings};

/// From now on SQLite commits each unit of this process by itself: what a bench compares the groups with.
pub fn one_commit_a_unit() {
    crate::engine::sqlite::LARGEST_GROUP.store(1, std::sync::atomic::Ordering::Relaxed);
}

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite in a folder.
    Sqlite,
    /// PostgreSQL, a database of its own in the process's cluster.
    Postgres,
}

impl Backend {
    /// Both.
    pub const ALL: [Backend; 2] = [Backend::Sqlite, Backend::Postgres];
}

/// An empty database with keys of its own, gone when the value is dropped.
pub struct TestDatabase {
    settings: StoreSettings,
    folder: TempDir,
    // Keeps the cluster running.
    cluster: Option<Arc<PostgresCluster>>,
}

impl TestDatabase {
    /// Makes an empty database.
    ///
    /// # Panics
    ///
    /// When there is no temporary folder, or no PostgreSQL to start.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test without its database has nothing to say")]
    pub fn new(backend: Backend) -> TestDatabase {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (settings, cluster) = match backend {
            Backend::Sqlite => (StoreSettings::in_folder(folder.path().join("data")), None),
            Backend::Postgres => {
                let cluster = PostgresCluster::shared();
                let keys =
                    KeyFiles { master: folder.path().join("master.key"), days: folder.path().join("keys") };
                let address = cluster.create_database().into();
                (StoreSettings::Postgres { address, connections: 4, keys }, Some(cluster))
            }
        };
        TestDatabase { settings, folder, cluster }
    }

    /// What opens the database; a second process would use the same.
    #[must_use]
    pub fn settings(&self) -> StoreSettings {
        self.settings.clone()
    }

    /// The folder with the key files, and with the database on SQLite.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the database's own files lie. PostgreSQL's log is not among them.
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
    /// When it cannot be opened.
    #[expect(clippy::expect_used, reason = "a test without its database has nothing to say")]
    pub async fn open(&self) -> Store {
        Store::open(self.settings()).await.expect("the test's database opens")
    }

    /// Waits until a unit of work waits for a row that another has locked. On SQLite one unit runs at a time, and
    /// there is nothing to wait for.
    ///
    /// # Panics
    ///
    /// When none does for ten seconds, or the database does not answer.
    #[expect(clippy::expect_used, reason = "a test without its database has nothing to say")]
    pub async fn until_a_unit_waits(&self) {
        const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity \
                               WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let StoreSettings::Postgres { address, .. } = self.settings() else { return };
        // The client must not be driven from within an async runtime.
        let looking = tokio::task::spawn_blocking(move || {
            let mut client =
                postgres::Client::connect(address.expose_secret(), postgres::NoTls).expect("a connection");
            for _ in 0..1_000 {
                if client.query_one(WAITING, &[]).expect("an answer").get::<_, i64>(0) > 0 {
                    return true;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            false
        });
        assert!(looking.await.expect("a look at the database"), "no unit waits for another");
    }
}

/// A PostgreSQL server of its own that lets nobody in over the network without TLS and a password.
pub struct TlsServer {
    cluster: PostgresCluster,
    port: u16,
}

impl TlsServer {
    /// The password of its user `linchpin`.
    pub const PASSWORD: &str = "canary-of-the-database";

    /// Starts it with a certificate and its key, PEM.
    ///
    /// # Panics
    ///
    /// When it does not start.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test without its database has nothing to say")]
    pub fn start(certificate: &str, key: &str) -> TlsServer {
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = free.expect("a free port").port();
        let cluster = PostgresCluster::start(Some(&ServerCertificate { certificate, key, port }));
        cluster.run(format!("ALTER ROLE linchpin PASSWORD '{}'", Self::PASSWORD));
        TlsServer { cluster, port }
    }

    /// Its address under a host's name, with these parameters at the end.
    #[must_use]
    pub fn address(&self, host: &str, parameters: &str) -> String {
        let (port, password) = (self.port, Self::PASSWORD);
        format!("postgres://linchpin:{password}@{host}:{port}/postgres?{parameters}")
    }

    /// Its address on the socket, with these parameters at the end.
    #[must_use]
    pub fn socket_address(&self, parameters: &str) -> String {
        format!("{} {parameters}", self.cluster.address("postgres"))
    }
}
