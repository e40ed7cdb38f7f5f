//! The process itself: its environment, its signals, and the first process of a container.

use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};

/// How long a process may take to do what a test waits for.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the command line of a service in memory, on a free port.
fn serve() -> Command {
    serve_on(free_port())
}

/// Returns a port that is free, and most probably stays free until the process listens: below the range from which other tests get
/// theirs, and by the identifier of the test's process.
pub fn free_port() -> u16 {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = std::process::id().wrapping_mul(16).wrapping_add(CALLS.fetch_add(1, Ordering::Relaxed));
        let port = 15_000 + u16::try_from(number % 15_000).unwrap();
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Returns the command line of a service in memory, on this port.
pub fn serve_on(port: u16) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
    command.args(["serve", "--ephemeral", "--document-sandbox", "best-effort"]);
    command
        .args(["--drain-seconds", "0", "--listen", &format!("127.0.0.1:{port}")])
        .env_remove("LINCHPIN_LOG");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running service, killed at the end of a test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Running {
    /// Starts the service, and waits until it listens.
    pub fn start(mut command: Command) -> Self {
        let mut running = Self(command.spawn().unwrap());
        let line = running.line_with("\"Started\"");
        assert!(line.contains(env!("CARGO_PKG_VERSION")), "{line}");
        running
    }

    /// Reads the log up to a line with this text.
    pub fn line_with(&mut self, text: &str) -> String {
        // Unbuffered beyond the line, so that the rest stays in the pipe.
        let log = self.0.stderr.as_mut().unwrap();
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            assert_eq!(log.read(&mut byte).unwrap(), 1, "the log ended without {text}");
            if byte[0] != b'\n' {
                line.push(byte[0]);
                continue;
            }
            let read = String::from_utf8(std::mem::take(&mut line)).unwrap();
            if read.contains(text) {
                return read;
            }
        }
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    fn wait(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < TIMEOUT, "the process did not end");
            std::thread::yield_now();
        }
    }
}

#[rstest]
#[case::misspelt("LINCHPIN_DATABSE_URL", "x", "Did you mean LINCHPIN_DATABASE_URL?")]
#[case::quoted(
    "LINCHPIN_MAIL_FROM",
    "\"a@example.com\"",
    "LINCHPIN_MAIL_FROM has a value in quotation marks"
)]
#[case::dos_line_end(
    "LINCHPIN_LOG",
    "info\r",
    "LINCHPIN_LOG has a value that begins or ends with white space"
)]
fn service_with_wrong_variable_does_not_start(
    #[case] name: &str,
    #[case] value: &str,
    #[case] message: &str,
) {
    let ended = serve().env(name, value).output().unwrap();
    let error = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{error}");
    assert!(error.contains(message), "{error}");
}

#[test]
fn hangup_reads_the_log_filter_again_and_sigterm_stops() {
    let mut running = Running::start(serve());
    running.signal(Signal::HUP);
    running.line_with("The settings were read again");
    running.signal(Signal::TERM);
    assert_eq!(running.wait().code(), Some(0));
}

#[test]
fn second_sigterm_ends_a_process_whose_log_is_not_read() {
    let port = free_port();
    let mut running = Running::start(serve_on(port));
    // No one reads the log from here on. Once its pipe and the waiting lines are full, no thread can go on.
    let limit = Some(Duration::from_secs(10));
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(limit).build().into();
    while agent.get(format!("http://127.0.0.1:{port}/health/live")).call().is_ok() {}
    running.signal(Signal::TERM);
    running.signal(Signal::TERM);
    // The signals may arrive as one.
    let status = loop {
        if let Some(status) = running.0.try_wait().unwrap() {
            break status;
        }
        running.signal(Signal::TERM);
        std::thread::yield_now();
    };
    assert_eq!((status.code(), status.signal()), (Some(1), None));
}

#[test]
fn healthcheck_succeeds_only_while_a_service_is_ready() {
    let port = free_port();
    let check = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linchpin"));
        command.arg("healthcheck").env("LINCHPIN_LISTEN", format!("0.0.0.0:{port}")).output().unwrap()
    };
    let before = check();
    assert_eq!(before.status.code(), Some(1));
    assert!(
        String::from_utf8(before.stderr).unwrap().contains(&format!("no response from 127.0.0.1:{port}"))
    );
    let _running = Running::start(serve_on(port));
    assert_eq!(check().status.code(), Some(0));
}
