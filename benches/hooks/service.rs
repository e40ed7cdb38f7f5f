//! The service as a process, and how fast it drains a backlog.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use link_store::StoreSettings;
use link_store::test_support::{Backend, TestDatabase};
use secrecy::ExposeSecret;

use crate::backlog;
use crate::sink::Sink;

/// A running service. Dropping it stops the process.
pub struct Service {
    pub port: u16,
    child: Child,
}

impl Service {
    /// Starts the service on a database.
    pub fn start(program: &str, database: &TestDatabase) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(program);
        command.arg("serve").arg("--data-dir").arg(data_dir(database));
        command.args(["--listen", &format!("127.0.0.1:{port}"), "--webhook-allow", "127.0.0.0/8"]);
        command.args(["--rate-per-second", "10000000", "--rate-burst", "10000000"]);
        command.args(["--tenant-rate-per-second", "10000000", "--tenant-rate-burst", "10000000"]);
        if let StoreSettings::Postgres { address, .. } = database.settings() {
            command.env("LINCHPIN_DATABASE_URL", address.expose_secret());
        }
        let log = std::fs::File::create(database.folder().join("service.log")).unwrap();
        let child = command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        Self { port, child: child.spawn().unwrap() }
    }

    /// Waits until it has written the keys of its first start and accepts connections.
    pub async fn ready(&self, database: &TestDatabase) {
        let keys = data_dir(database).join("first-keys.json");
        while !keys.exists() || tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Returns the processor time it has used, in seconds.
    fn processor_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        // User and system time, in hundredths of a second on Linux.
        (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
    }

    fn stop(&mut self) {
        let stopped = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(stopped.unwrap().success());
        self.child.wait().unwrap();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Returns the folder of the keys and, on SQLite, the database.
pub fn data_dir(database: &TestDatabase) -> PathBuf {
    match database.settings() {
        StoreSettings::Sqlite { folder, .. } => folder,
        StoreSettings::Postgres { .. } | StoreSettings::Ephemeral => database.folder().to_owned(),
    }
}

/// Measures how fast the service sends a backlog.
pub async fn drain(backend: Backend, program: &str, (deliveries, webhooks, delay): (usize, usize, Duration)) {
    let (database, sink) = (TestDatabase::new(backend), Sink::start(delay).await);
    let owner = backlog::owner("demo");
    let store = database.open().await;
    let url = |number: usize| format!("http://127.0.0.1:{}/{number}", sink.port);
    backlog::put(&store, (0..webhooks).map(|number| backlog::webhook(&owner, url(number))).collect()).await;
    backlog::users(&store, &owner, deliveries / webhooks).await;
    store.close().await;
    let service = Service::start(program, &database);
    let count = deliveries / webhooks * webhooks;
    let seconds = sink.until(count).await;
    let used = service.processor_seconds();
    let requests: u32 = sink.read(|received| received.deliveries.values().sum());
    println!("per_second\t{:.0}", count as f64 / seconds);
    println!("processors\t{:.2}", used / seconds);
    println!("repeated\t{}", requests as usize - count);
}
