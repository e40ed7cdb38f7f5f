//! A PostgreSQL cluster of the test process: its own folder, a Unix socket, no port; it dies with the process.

#![expect(clippy::expect_used, reason = "a test without its database has nothing to say")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use tempfile::TempDir;

static SHARED: Mutex<Weak<PostgresCluster>> = Mutex::new(Weak::new());
static NEXT_DATABASE: AtomicU64 = AtomicU64::new(0);

/// A running cluster.
pub(super) struct PostgresCluster {
    folder: TempDir,
    stop: Option<Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

impl PostgresCluster {
    /// The process's cluster; started by the first who asks, stopped by the last who lets go.
    pub(super) fn shared() -> Arc<PostgresCluster> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = shared.upgrade() {
            return running;
        }
        let started = Arc::new(PostgresCluster::start());
        *shared = Arc::downgrade(&started);
        started
    }

    /// An empty database; gives its address.
    pub(super) fn create_database(&self) -> String {
        let name = format!("test_{}", NEXT_DATABASE.fetch_add(1, Ordering::Relaxed));
        let address = self.address("postgres");
        // A thread of its own: the client must not be driven from within an async runtime.
        let create = format!("CREATE DATABASE {name}");
        std::thread::spawn(move || {
            let mut client = postgres::Client::connect(&address, postgres::NoTls).expect("the test cluster");
            client.batch_execute(&create).expect("a new database");
        })
        .join()
        .expect("a new database");
        self.address(&name)
    }

    /// Where the tables' files lie.
    pub(super) fn files(&self) -> PathBuf {
        self.folder.path().join("data").join("base")
    }

    fn address(&self, database: &str) -> String {
        format!("host={} user=linchpin dbname={database}", self.folder.path().display())
    }

    fn start() -> PostgresCluster {
        let folder = tempfile::Builder::new().prefix("linchpin-pg").tempdir().expect("a temporary folder");
        let account = ServerAccount::current();
        account.give(folder.path());
        let data = folder.path().join("data");
        let made = account
            .command("initdb")
            .args(["-U", "linchpin", "--auth=trust", "-N", "-E", "UTF8", "-D"])
            .arg(&data)
            // A language's own order: what must sort byte by byte has to say so.
            .args(["--locale=C", "--locale-provider=icu", "--icu-locale=en"])
            .output()
            .expect("initdb is on PATH");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));

        let (stop, stopped) = channel::<()>();
        let (tell, running) = channel();
        let socket_folder = folder.path().to_owned();
        // The server's parent is this thread, and the server is told to end when its parent does.
        let keeper = std::thread::spawn(move || {
            let mut server = spawn_server(&account, &data, &socket_folder);
            let ready = wait_until_ready(&socket_folder, &mut server);
            let told = tell.send(ready).is_ok();
            if told && ready {
                // Ends when the last holder lets go.
                let _ = stopped.recv();
            }
            account.interrupt(&server);
            drop(server.wait());
        });
        assert!(running.recv().unwrap_or(false), "the PostgreSQL server did not start");
        PostgresCluster { folder, stop: Some(stop), keeper: Some(keeper) }
    }
}

impl Drop for PostgresCluster {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(keeper) = self.keeper.take() {
            drop(keeper.join());
        }
    }
}

fn spawn_server(account: &ServerAccount, data: &Path, socket_folder: &Path) -> Child {
    account
        .command("postgres")
        .arg("-D")
        .arg(data)
        .arg("-k")
        .arg(socket_folder)
        // Tests need no safety against a power cut.
        .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=300"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("postgres is on PATH")
}

fn wait_until_ready(socket_folder: &Path, server: &mut Child) -> bool {
    let address = format!("host={} user=linchpin dbname=postgres", socket_folder.display());
    for _ in 0..600 {
        if postgres::Client::connect(&address, postgres::NoTls).is_ok() {
            return true;
        }
        if !matches!(server.try_wait(), Ok(None)) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// Who runs the server: it refuses root, so root hands it to the user `postgres`.
enum ServerAccount {
    /// This user.
    Own,
    /// The user `postgres`.
    Postgres { uid: u32, gid: u32 },
}

impl ServerAccount {
    fn current() -> ServerAccount {
        use std::os::unix::fs::MetadataExt;
        let own = std::fs::metadata("/proc/self").map_or(u32::MAX, |process| process.uid());
        if own != 0 {
            return ServerAccount::Own;
        }
        let users = std::fs::read_to_string("/etc/passwd").expect("/etc/passwd");
        let mut fields = users
            .lines()
            .find_map(|line| line.strip_prefix("postgres:"))
            .expect("root needs a user `postgres` to run the server as")
            .split(':')
            .skip(1)
            .map(|field| field.parse().expect("ids are numbers"));
        let (uid, gid) = (fields.next().expect("a user id"), fields.next().expect("a group id"));
        ServerAccount::Postgres { uid, gid }
    }

    fn give(&self, folder: &Path) {
        if let ServerAccount::Postgres { uid, gid } = self {
            std::os::unix::fs::chown(folder, Some(*uid), Some(*gid)).expect("root may give folders away");
        }
    }

    /// A command of the server's account that gets SIGINT (a fast shutdown) when its parent ends.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        if let ServerAccount::Postgres { uid, gid } = self {
            command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".to_owned()]);
        }
        command.args(["--pdeathsig", "INT", program]).current_dir("/");
        command
    }

    fn interrupt(&self, server: &Child) {
        let told = Command::new("kill").args(["-INT", &server.id().to_string()]).status();
        debug_assert!(told.is_ok_and(|status| status.success()));
    }
}
