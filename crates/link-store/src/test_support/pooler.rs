//! PgBouncer in front of a test's database.

#![expect(clippy::expect_used, reason = "a test cannot run without its pooler")]

use std::process::{Child, Stdio};

use link_test_support::wait;
use tempfile::TempDir;

use super::TestDatabase;
use super::postgres_cluster::ServerAccount;

/// The owner of a connection of the server: one session of a client, or one transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolMode {
    /// A client keeps its connection until it disconnects.
    Session,
    /// A client may get another connection for each transaction.
    Transaction,
}

impl PoolMode {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Transaction => "transaction",
        }
    }
}

/// A running PgBouncer. It ends when it is dropped.
pub struct Pooler {
    process: Child,
    account: ServerAccount,
    port: u16,
    database: String,
    _folder: TempDir,
}

impl Pooler {
    /// Starts PgBouncer with the settings of Debian's package, apart from the mode and the database.
    ///
    /// # Panics
    ///
    /// On SQLite, and if PgBouncer is not installed or does not start.
    #[must_use]
    pub fn start(database: &TestDatabase, mode: PoolMode) -> Self {
        let (socket, name) = database.socket();
        let folder = tempfile::Builder::new().prefix("linchpin-pool").tempdir().expect("a temporary folder");
        let account = ServerAccount::current();
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        let port = free.expect("a free port").port();
        let (users, settings) = (folder.path().join("users.txt"), folder.path().join("pooler.ini"));
        std::fs::write(&users, "\"linchpin\" \"\"\n").expect("a file of the pooler");
        let server = socket.parent().expect("the socket's folder").display();
        let text = format!(
            "[databases]\n{name} = host={server} port=5432\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = {}\n",
            users.display(),
            mode.as_str()
        );
        std::fs::write(&settings, text).expect("a file of the pooler");
        for path in [folder.path(), &users, &settings] {
            account.give(path);
        }
        let process = account
            .command("pgbouncer")
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("setpriv is on PATH");
        let mut pooler = Self { process, account, port, database: name, _folder: folder };
        wait::blocking::until("PgBouncer accepts connections", || {
            let ended = pooler.process.try_wait().expect("a child of this process");
            assert!(ended.is_none(), "PgBouncer ended: {ended:?}. `cargo xtask setup` installs it");
            std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        pooler
    }

    /// Returns the address of the database through the pooler.
    #[must_use]
    pub fn address(&self) -> String {
        let Self { port, database, .. } = self;
        format!("host=127.0.0.1 port={port} user=linchpin dbname={database} sslmode=disable")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.account.stop(&self.process);
        drop(self.process.wait());
    }
}
