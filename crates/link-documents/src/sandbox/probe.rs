//! The self-test: a child in its sandbox tries forbidden acts.

use std::fs::{File, OpenOptions};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::tesseract::Tesseract;

/// How long to wait for a connection to fail.
const CONNECTING: Duration = Duration::from_secs(2);
/// The maximum number of threads the self-test starts: more than a child in a user namespace may have.
const MAX_THREADS: usize = 80;
/// The stack size of such a thread, in bytes.
const STACK: usize = 64 * 1024;

/// Targets of the forbidden acts that the child tries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Probe {
    /// Files that any user of the machine may read outside of the sandbox.
    pub readable: Vec<PathBuf>,
    /// A program that any user may start.
    pub program: PathBuf,
    /// An address that accepts connections.
    pub listener: SocketAddr,
}

/// An act, and whether the system blocked it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Attempt {
    pub layer: Layer,
    pub act: String,
    pub refused: bool,
}

/// Tries everything that is forbidden.
pub(crate) fn attempts(probe: &Probe) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let mut tried = |layer, act: String, refused| attempts.push(Attempt { layer, act, refused });
    for path in &probe.readable {
        tried(Layer::Files, format!("read {}", path.display()), File::open(path).is_err());
    }
    tried(Layer::Files, "list /var".to_owned(), std::fs::read_dir("/var").is_err());
    let written = OpenOptions::new().write(true).create(true).truncate(true).open("linchpin-self-test");
    tried(Layer::Files, "write a file".to_owned(), written.is_err());
    let started = Command::new(&probe.program)
        .args(["-c", "exit"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried(Layer::Files, format!("start {}", probe.program.display()), started.is_err());
    let connected = TcpStream::connect_timeout(&probe.listener, CONNECTING);
    tried(Layer::Network, "connect by TCP".to_owned(), connected.is_err());
    tried(Layer::Network, "open a UDP socket".to_owned(), UdpSocket::bind("127.0.0.1:0").is_err());
    tried(Layer::Network, "open a Unix socket".to_owned(), UnixStream::pair().is_err());
    for (act, refused) in calls() {
        tried(Layer::SystemCalls, act.to_owned(), refused);
    }
    if let Some(refused) = crowd() {
        tried(Layer::Processes, format!("start {MAX_THREADS} threads"), refused);
    }
    attempts
}

/// Returns whether Tesseract starts within the sandbox and finds its data. `None` if it is not installed.
pub(crate) fn tesseract_runs(tesseract: &Tesseract) -> Option<bool> {
    tesseract.is_installed().then(|| tesseract.lists_languages())
}

#[cfg(target_os = "linux")]
fn calls() -> [(&'static str, bool); 3] {
    use nix::sched::{CloneFlags, unshare};
    use rustix::process::{PidfdFlags, Signal, getpid, getppid, kill_process, pidfd_open};

    let parent = getppid().map(|parent| kill_process(parent, Signal::CONT));
    [
        ("make a user namespace", unshare(CloneFlags::CLONE_NEWUSER).is_err()),
        ("open a process's descriptor", pidfd_open(getpid(), PidfdFlags::empty()).is_err()),
        // Without a parent PID: within a PID namespace the parent has no number.
        ("send its parent a signal", parent.is_none_or(|sent| sent.is_err())),
    ]
}

#[cfg(not(target_os = "linux"))]
fn calls() -> [(&'static str, bool); 0] {
    []
}

/// Starts threads until the system refuses one. Returns `None` if the limit is for the whole user and too high to try.
fn crowd() -> Option<bool> {
    use rustix::process::{Resource, getrlimit};

    let limit = getrlimit(Resource::Nproc).current?;
    if limit >= MAX_THREADS as u64 {
        return None;
    }
    let (stay, until) = mpsc::channel::<()>();
    let until = std::sync::Arc::new(std::sync::Mutex::new(until));
    let mut running = Vec::new();
    let refused = (0..MAX_THREADS).any(|_| {
        let until = std::sync::Arc::clone(&until);
        let waiting = move || drop(until.lock().map(|until| until.recv()));
        match std::thread::Builder::new().stack_size(STACK).spawn(waiting) {
            Ok(thread) => {
                running.push(thread);
                false
            }
            Err(_) => true,
        }
    });
    drop(stay);
    for thread in running {
        drop(thread.join());
    }
    Some(refused)
}
