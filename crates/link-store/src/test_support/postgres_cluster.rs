//! A PostgreSQL cluster of the test process: its own folder, a Unix socket, no port. It stops with the process.

#![expect(clippy::expect_used, reason = "a test cannot run without its database")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;

use link_test_support::wait;
use tempfile::TempDir;

static SHARED: Mutex<Weak<PostgresCluster>> = Mutex::new(Weak::new());
static NEXT_DATABASE: AtomicU64 = AtomicU64::new(0);
/// Whether the server waits for its disk.
pub(super) static IS_DURABLE: AtomicBool = AtomicBool::new(false);

/// The arguments of `initdb`. The ICU locale makes sure that text which must sort byte by byte says so.
const CLUSTER: [&str; 10] = [
    "-U",
    "linchpin",
    "--auth=trust",
    "-N",
    "-E",
    "UTF8",
    "--wal-segsize=1",
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=en",
];

/// The certificate and key of a server with TLS, both in PEM format.
pub(super) struct ServerCertificate<'a> {
    pub(super) certificate: &'a str,
    pub(super) key: &'a str,
    pub(super) port: u16,
}

/// A running cluster.
pub(super) struct PostgresCluster {
    folder: TempDir,
    port: u16,
    stop: Option<Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

impl PostgresCluster {
    /// Returns the process's cluster. The first caller starts it, and dropping the last handle stops it.
    pub(super) fn get_or_start() -> Arc<PostgresCluster> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = shared.upgrade() {
            return running;
        }
        let started = Arc::new(PostgresCluster::start(None));
        *shared = Arc::downgrade(&started);
        started
    }

    /// Creates an empty database and returns its address.
    pub(super) fn create_database(&self) -> String {
        let name = format!("test_{}", NEXT_DATABASE.fetch_add(1, Ordering::Relaxed));
        self.run(format!("CREATE DATABASE {name}"));
        self.address(&name)
    }

    /// Runs a statement.
    pub(super) fn run(&self, statement: String) {
        // The tests limit the time of the service's statements, not of these.
        let address = format!("{} options='-c statement_timeout=0'", self.address("postgres"));
        // The PostgreSQL client must not be driven from within an async runtime, so it gets its own thread.
        std::thread::spawn(move || {
            let mut client = postgres::Client::connect(&address, postgres::NoTls).expect("the test cluster");
            client.batch_execute(&statement).expect("a statement of the tests");
        })
        .join()
        .expect("a statement of the tests");
    }

    /// Returns the Unix socket.
    pub(super) fn socket(&self) -> PathBuf {
        self.folder.path().join(format!(".s.PGSQL.{}", self.port))
    }

    /// Returns the folder of the tables' files.
    pub(super) fn files(&self) -> PathBuf {
        self.folder.path().join("data").join("base")
    }

    /// Returns the address of a database on the cluster's socket.
    pub(super) fn address(&self, database: &str) -> String {
        socket_address(self.folder.path(), self.port, database)
    }

    /// Starts a separate cluster. With a certificate it also listens on a port, with TLS and a password.
    pub(super) fn start(tls: Option<&ServerCertificate<'_>>) -> PostgresCluster {
        let folder = tempfile::Builder::new().prefix("linchpin-pg").tempdir().expect("a temporary folder");
        let account = ServerAccount::current();
        account.give(folder.path());
        let data = folder.path().join("data");
        account.copy_new_cluster(folder.path(), &data);

        let port = tls.map_or(5432, |tls| tls.port);
        let settings = tls.map(|tls| account.set_up_tls(&data, tls)).unwrap_or_default();
        let (stop, stopped) = channel::<()>();
        let (report, running) = channel();
        let socket_folder = folder.path().to_owned();
        // This thread is the server's parent, and the server gets a signal when its parent ends.
        let keeper = std::thread::spawn(move || {
            let mut server = spawn_server(&account, &data, &socket_folder, &settings);
            let ready = wait_until_ready(&socket_folder, port, &mut server);
            let is_awaited = report.send(ready).is_ok();
            if is_awaited && ready {
                // Ends when the last handle is dropped.
                let _ = stopped.recv();
            }
            account.stop(&server);
            drop(server.wait());
        });
        assert!(running.recv().unwrap_or(false), "the PostgreSQL server did not start");
        PostgresCluster { folder, port, stop: Some(stop), keeper: Some(keeper) }
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

/// Returns the path of a cached new cluster of this version, for the user that owns the folder. It is next to the test
/// programs, where no other user may write.
fn cluster_path(folder: &Path) -> PathBuf {
    use std::os::unix::fs::MetadataExt;
    let version = Command::new("postgres").arg("--version").output().expect("postgres is on PATH").stdout;
    let account = std::fs::metadata(folder).expect("the cluster's folder").uid();
    let made_by = format!("{} {} {account}", String::from_utf8_lossy(&version), CLUSTER.join(" "));
    let words: Vec<&str> =
        made_by.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let program = std::env::current_exe().expect("the path of the test program");
    program.with_file_name(format!("cluster-{}", words.join("-")))
}

/// Copies a folder with its owner.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).output().expect("cp is on PATH");
    assert!(copied.status.success(), "cp: {}", String::from_utf8_lossy(&copied.stderr));
}

fn spawn_server(account: &ServerAccount, data: &Path, socket_folder: &Path, settings: &[String]) -> Child {
    // Tests need no protection against power failures.
    // Small segments make a new cluster small, but also lower the size at which the server begins a checkpoint.
    let durability: &[&str] = match IS_DURABLE.load(Ordering::Relaxed) {
        true => &["-c", "fsync=on", "-c", "max_wal_size=1GB"],
        false => &["-c", "fsync=off"],
    };
    account
        .command("postgres")
        .arg("-D")
        .arg(data)
        .arg("-k")
        .arg(socket_folder)
        .args(["-c", "listen_addresses=", "-c", "max_connections=300"])
        .args(durability)
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("postgres is on PATH")
}

fn socket_address(folder: &Path, port: u16, database: &str) -> String {
    format!("host={} port={port} user=linchpin dbname={database}", folder.display())
}

fn wait_until_ready(socket_folder: &Path, port: u16, server: &mut Child) -> bool {
    let address = socket_address(socket_folder, port, "postgres");
    wait::blocking::until_some("the PostgreSQL server accepts connections", || {
        let has_ended = !matches!(server.try_wait(), Ok(None));
        let is_ready = postgres::Client::connect(&address, postgres::NoTls).is_ok();
        (is_ready || has_ended).then_some(is_ready)
    })
}

/// The user that runs the server. PostgreSQL refuses to run as root, so root uses the user `postgres`.
pub(super) enum ServerAccount {
    /// This user.
    Own,
    /// The user `postgres`.
    Postgres { uid: u32, gid: u32 },
}

impl ServerAccount {
    pub(super) fn current() -> ServerAccount {
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

    pub(super) fn give(&self, folder: &Path) {
        if let ServerAccount::Postgres { uid, gid } = self {
            std::os::unix::fs::chown(folder, Some(*uid), Some(*gid)).expect("root may change owners");
        }
    }

    /// Copies a new cluster to `data`, in a folder of the user. Creating one takes a second, and most test processes
    /// need one, so it is created once and cached next to the test programs.
    fn copy_new_cluster(&self, folder: &Path, data: &Path) {
        let kept = cluster_path(folder);
        if !kept.is_dir() {
            let made = folder.join("new");
            self.make_cluster(&made);
            let parent = kept.parent().unwrap_or(folder);
            let draft = tempfile::tempdir_in(parent).expect("a folder next to the test programs");
            copy(&made, &draft.path().join("data"));
            // If two processes created one, the first one's is used.
            let renamed = std::fs::rename(draft.path().join("data"), &kept);
            assert!(renamed.is_ok() || kept.is_dir(), "the cluster cannot be kept: {renamed:?}");
            std::fs::remove_dir_all(&made).expect("the cluster that was made");
        }
        copy(&kept, data);
    }

    fn make_cluster(&self, data: &Path) {
        let made =
            self.command("initdb").args(CLUSTER).arg("-D").arg(data).output().expect("initdb is on PATH");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
    }

    /// Writes the certificate and access rules to the data folder. Returns the settings for them.
    fn set_up_tls(&self, data: &Path, tls: &ServerCertificate<'_>) -> Vec<String> {
        use std::os::unix::fs::PermissionsExt;
        let rules = "local all all trust\nhostssl all all all scram-sha-256\n";
        for (name, text) in [("server.crt", tls.certificate), ("server.key", tls.key), ("pg_hba.conf", rules)]
        {
            let path = data.join(name);
            std::fs::write(&path, text).expect("a file of the cluster");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("its mode");
            self.give(&path);
        }
        let port = tls.port;
        vec!["ssl=on".to_owned(), "listen_addresses=127.0.0.1".to_owned(), format!("port={port}")]
    }

    /// Returns a command that runs as the server's user and gets SIGINT (a fast shutdown) when its parent ends.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        if let ServerAccount::Postgres { uid, gid } = self {
            command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".to_owned()]);
        }
        command.args(["--pdeathsig", "INT", program]).current_dir("/");
        command
    }

    /// Stops the server without a final checkpoint, which nothing needs.
    pub(super) fn stop(&self, server: &Child) {
        let killed = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
        debug_assert!(killed.is_ok_and(|status| status.success()));
    }
}
