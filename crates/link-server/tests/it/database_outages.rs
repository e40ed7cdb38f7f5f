//! The program while PostgreSQL is away, silent or refuses it: at the start, while it runs, and when it stops.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use link_store::test_support::pooler::{PoolMode, Pooler};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreSettings};
use link_test_support::relay::Relay;
use link_test_support::wait;
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};

use crate::clock::link_account;
use crate::process::free_port;
use crate::service::TestService;

/// A node whose database is behind a relay. It is killed at the end of a test.
struct Node {
    process: Child,
    log: Arc<Mutex<Vec<String>>>,
    port: u16,
    relay: Relay,
    socket: PathBuf,
    database: TestDatabase,
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A key and a secret of 64 zeros each with their checksums, as HTTP's Basic scheme writes them.
const KEY: &str = concat!(
    "bHBrXzAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw",
    "MDAwMDA0YTA3MjA0NjpscHNfMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw",
    "MDAwMDAwMDAwMDAwMDAwMDAwMDJkNjU4NjBi",
);

/// An HTTP response: status and body.
type Response = (u16, String);

impl Node {
    /// Starts the program. `parameters` are added to the address of the database.
    fn spawn(is_away: bool, parameters: &str) -> Self {
        let database = TestDatabase::new(Backend::Postgres);
        let (socket, name) = database.socket();
        let relay = Relay::start(&if is_away { socket.with_file_name("no-server") } else { socket.clone() });
        let (port, data) = (free_port(), database.folder().join("data"));
        let address =
            format!("host=127.0.0.1 port={} user=linchpin dbname={name} {parameters}", relay.port());
        let mut process = Command::new(env!("CARGO_BIN_EXE_linchpin"))
            .args(["serve", "--document-sandbox", "best-effort", "--drain-seconds", "1"])
            .args(["--listen", &format!("127.0.0.1:{port}"), "--database-url", &address, "--data-dir"])
            .arg(data)
            .env_remove("LINCHPIN_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (lines, kept) = (BufReader::new(process.stderr.take().unwrap()).lines(), Arc::clone(&log));
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|it| kept.lock().unwrap().push(it)));
        Self { process, log, port, relay, socket, database }
    }

    /// Starts the program and waits until it is ready.
    fn start() -> Self {
        let node = Self::spawn(false, "sslmode=disable");
        node.wait_for_line("\"Started\"");
        wait::blocking::until("the node is ready", || node.get("/health/ready").0 == 200);
        node
    }

    fn lines(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    fn wait_for_line(&self, text: &str) {
        wait::blocking::until_ok(text, || {
            let lines = self.lines();
            if lines.iter().any(|it| it.contains(text)) { Ok(()) } else { Err(lines.join("\n")) }
        });
    }

    /// Returns the response, with the status 0 if there is none.
    fn get(&self, path: &str) -> Response {
        let settings = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(30)))
            .http_status_as_error(false);
        let agent: ureq::Agent = settings.build().into();
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        // A well-formed key that does not exist is looked up in the database.
        let sent = agent.get(url).header("authorization", format!("Basic {KEY}")).call();
        sent.map_or_else(
            |error| (0, error.to_string()),
            |mut response| {
                let body = response.body_mut().read_to_string().unwrap_or_default();
                (response.status().as_u16(), body)
            },
        )
    }

    /// Ends the connections to the database and lets no new one in, as a failover does.
    fn cut(&self) {
        self.relay.move_to(&self.socket.with_file_name("no-server"));
        self.database.administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
        );
    }

    fn wait(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < wait::TIMEOUT, "the process did not end: {:?}", self.lines());
            std::thread::yield_now();
        }
    }
}

#[test]
fn start_waits_for_a_database_that_is_away() {
    let node = Node::spawn(true, "sslmode=disable");
    node.wait_for_line("Waiting for the database before the start");
    wait::blocking::until("the waiting program responds", || node.get("/health/live").0 == 200);
    let (status, body) = node.get("/health/ready");
    assert_eq!((status, body.as_str()), (503, "not ready: waiting for the database\n"));
    assert_eq!(node.get("/v1/users").0, 503);
    node.relay.move_to(&node.socket);
    node.wait_for_line("\"Started\"");
    wait::blocking::until("the node is ready", || node.get("/health/ready").0 == 200);
    assert_eq!(node.get("/v1/users").0, 401, "the key does not exist");
}

#[rstest]
#[case::missing_database("sslmode=disable dbname=nowhere", "createdb")]
#[case::server_without_tls("sslmode=require", "enable TLS on the server")]
fn start_ends_at_once_if_the_database_refuses(#[case] parameters: &str, #[case] remedy: &str) {
    let mut node = Node::spawn(false, parameters);
    assert_eq!(node.wait().code(), Some(1));
    node.wait_for_line(remedy);
    let lines = node.lines();
    assert!(!lines.iter().any(|it| it.contains("Waiting for the database")), "{lines:?}");
}

#[test]
fn outage_of_the_database_writes_few_lines() {
    /// More than the times at which each worker looks for work in several seconds.
    const REQUESTS: usize = 200;
    let node = Node::start();
    node.cut();
    wait::blocking::until("the node is not ready", || node.get("/health/ready").0 == 503);
    let mut refused = 0;
    let end = Instant::now() + Duration::from_secs(4);
    while refused < REQUESTS || Instant::now() < end {
        let (status, body) = node.get("/v1/users");
        assert_eq!(status, 503, "{body}");
        refused += 1;
    }
    node.relay.move_to(&node.socket);
    node.wait_for_line("PostgreSQL accepts connections again");
    wait::blocking::until("the node is ready again", || node.get("/health/ready").0 == 200);
    let lines = node.lines();
    let loud: Vec<_> =
        lines.iter().filter(|it| it.contains("\"ERROR\"") || it.contains("\"WARN\"")).collect();
    let away = loud.iter().filter(|it| it.contains("PostgreSQL is away")).count();
    assert!(away == 1 && loud.len() <= 8, "{loud:#?}");
}

#[test]
fn silent_database_does_not_delay_a_stop() {
    let mut node = Node::start();
    node.relay.silence_new(true);
    node.relay.silence_open();
    let began = Instant::now();
    std::thread::scope(|scope| {
        // A request that waits for the database.
        scope.spawn(|| node.get("/v1/users"));
        wait::blocking::until("the request is running", || node.get("/health/live").0 == 200);
        kill_process(Pid::from_child(&node.process), Signal::TERM).unwrap();
    });
    let status = node.wait();
    assert_eq!(status.code(), Some(0), "{:?}", node.lines());
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_linked_through_a_pooler_in_session_mode() {
    let database = TestDatabase::new(Backend::Postgres);
    let pooler = Pooler::start(&database, PoolMode::Session);
    let StoreSettings::Postgres { connections, keys, .. } = database.settings() else { unreachable!() };
    let address = pooler.address().into();
    let store = Store::open(StoreSettings::Postgres { address, connections, keys }).await.unwrap();
    let service = TestService::start_of(Backend::Postgres, |_| {}, |parts| parts.store = store).await;
    link_account(&service, "good").await;
    service.until_event("TASK_FINISHED").await;
}
