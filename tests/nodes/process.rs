//! The programs that run on the machines.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use link_test_support::wait;

/// How long a program may take to start or stop, and the cluster to recover.
pub const TIMEOUT: Duration = Duration::from_secs(150);

/// The folders of a run.
#[derive(Clone)]
pub struct Folders {
    /// The data of all programs.
    pub data: PathBuf,
    /// Their logs, which outlive the run.
    pub logs: PathBuf,
}

impl Folders {
    /// Creates a folder for a program, owned by the user `postgres`.
    pub fn give_to_postgres(&self, name: &str) -> PathBuf {
        let folder = self.data.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        run(Command::new("chown").arg("postgres:postgres").arg(&folder));
        folder
    }

    /// Starts a program with its output in a log.
    pub fn start(&self, name: &str, mut command: Command) -> Child {
        let log =
            File::options().create(true).append(true).open(self.logs.join(format!("{name}.log"))).unwrap();
        command.stdout(log.try_clone().unwrap()).stderr(log);
        command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Sends a signal to a process.
pub fn signal(child: &Child, signal: &str) {
    run(Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()));
}

/// Writes a file that every user may read.
pub fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Waits until there is a value, at most [`TIMEOUT`].
pub fn until_ok<T>(what: &str, attempt: impl FnMut() -> Result<T, String>) -> T {
    wait::blocking::retry_for(TIMEOUT, attempt)
        .unwrap_or_else(|last| panic!("waited {TIMEOUT:?} until {what}. At the end: {last}"))
}
