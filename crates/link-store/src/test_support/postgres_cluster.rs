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

/// How a cluster is made. In a language's own order: what must sort byte by byte has to say so.
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

/// What a server that speaks TLS shows, and the key to it: PEM, both.
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
    /// The process's cluster; started by the first who asks, stopped by the last who lets go.
    pub(super) fn shared() -> Arc<PostgresCluster> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = shared.upgrade() {
            return running;
        }
        let started = Arc::new(PostgresCluster::start(None));
        *shared = Arc::downgrade(&started);
        started
    }

    /// An empty database; gives its address.
    pub(super) fn create_database(&self) -> String {
        let name = format!("test_{}", NEXT_DATABASE.fetch_add(1, Ordering::Relaxed));
        self.run(format!("CREATE DATABASE {name}"));
        self.address(&name)
    }

    /// Runs a statement.
    pub(super) fn run(&self, statement: String) {
        let address = self.address("postgres");
        // A thread of its own: the client must not be driven from within an async runtime.
        std::thread::spawn(move || {
            let mut client = postgres::Client::connect(&address, postgres::NoTls).expect("the test cluster");
            client.batch_execute(&statement).expect("a statement of the tests");
        })
        .join()
        .expect("a statement of the tests");
    }

    /// Where the tables' files lie.
    pub(super) fn files(&self) -> PathBuf {
        self.folder.path().join("data").join("base")
    }

    /// The address of one of its databases, on its socket.
    pub(super) fn address(&self, database: &str) -> String {
        socket_address(self.folder.path(), self.port, database)
    }

    /// A cluster of its own; with a certificate it listens on a port too, and there to nobody without TLS and password.
    pub(super) fn start(tls: Option<&ServerCertificate<'_>>) -> PostgresCluster {
        let folder = tempfile::Builder::new().prefix("linchpin-pg").tempdir().expect("a temporary folder");
        let account = ServerAccount::current();
        account.give(folder.path());
        let data = folder.path().join("data");
        account.copy_new_cluster(folder.path(), &data);

        let port = tls.map_or(5432, |tls| tls.port);
        let settings = tls.map(|tls| account.set_up_tls(&data, tls)).unwrap_or_default();
        let (stop, stopped) = channel::<()>();
        let (tell, running) = channel();
        let socket_folder = folder.path().to_owned();
        // The server's parent is this thread, and the server is told to end when its parent does.
        let keeper = std::thread::spawn(move || {
            let mut server = spawn_server(&account, &data, &socket_folder, &settings);
            let ready = wait_until_ready(&socket_folder, port, &mut server);
            let told = tell.send(ready).is_ok();
            if told && ready {
                // Ends when the last holder lets go.
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

/// Where a new cluster of this version, and of the account that this folder was given to, is kept: beside the test programs,
/// where nobody else may write.
fn kept_cluster(folder: &Path) -> PathBuf {
    use std::os::unix::fs::MetadataExt;
    let version = Command::new("postgres").arg("--version").output().expect("postgres is on PATH").stdout;
    let account = std::fs::metadata(folder).expect("the cluster's folder").uid();
    let made_by = format!("{} {} {account}", String::from_utf8_lossy(&version), CLUSTER.join(" "));
    let words: Vec<&str> =
        made_by.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let program = std::env::current_exe().expect("the test program's place");
    program.with_file_name(format!("cluster-{}", words.join("-")))
}

/// A copy of a folder, of the same owner.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).output().expect("cp is on PATH");
    assert!(copied.status.success(), "cp: {}", String::from_utf8_lossy(&copied.stderr));
}

fn spawn_server(account: &ServerAccount, data: &Path, socket_folder: &Path, settings: &[String]) -> Child {
    account
        .command("postgres")
        .arg("-D")
        .arg(data)
        .arg("-k")
        .arg(socket_folder)
        // Tests need no safety against a power cut.
        .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=300"])
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

    /// Puts a new cluster at `data`, in a folder of the account. To make one takes a second, and most test processes want
    /// one: it is made once and kept beside the test programs.
    fn copy_new_cluster(&self, folder: &Path, data: &Path) {
        let kept = kept_cluster(folder);
        if !kept.is_dir() {
            let made = folder.join("new");
            self.make_cluster(&made);
            let beside = kept.parent().unwrap_or(folder);
            let draft = tempfile::tempdir_in(beside).expect("a folder beside the test programs");
            copy(&made, &draft.path().join("data"));
            // Of two that made one, the first has its kept.
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

    /// Puts certificate and rules into the data folder; gives the settings that go with them.
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

    /// A command of the server's account that gets SIGINT (a fast shutdown) when its parent ends.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        if let ServerAccount::Postgres { uid, gid } = self {
            command.args([format!("--reuid={uid}"), format!("--regid={gid}"), "--clear-groups".to_owned()]);
        }
        command.args(["--pdeathsig", "INT", program]).current_dir("/");
        command
    }

    /// Ends it without a last checkpoint, which nobody would read.
    fn stop(&self, server: &Child) {
        let told = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
        debug_assert!(told.is_ok_and(|status| status.success()));
    }
}
