//! The resource limits of a child. It sets them before it reads a byte, and its own children inherit them.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// The limits of one child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The address space of each process, in bytes.
    pub memory_bytes: u64,
    /// The CPU time of each process, in seconds.
    pub cpu_seconds: u64,
    /// The number of open files of each process.
    pub open_files: u64,
    /// The time after which the parent kills the child.
    pub deadline: Duration,
}

impl Limits {
    /// Limits for inspecting one file.
    pub const INSPECT: Self = Self {
        memory_bytes: 1_200_000_000,
        cpu_seconds: 20,
        open_files: 32,
        deadline: Duration::from_secs(60),
    };
    /// Limits for reading a document.
    pub const READ: Self = Self {
        memory_bytes: 1_600_000_000,
        cpu_seconds: 180,
        open_files: 32,
        deadline: Duration::from_secs(300),
    };

    /// Returns how long after its start a child may begin to read a picture, so that the last one, tried in all
    /// orientations, ends in time.
    pub(crate) fn pictures_until(&self) -> Duration {
        self.deadline * 2 / 3
    }

    /// Limits this process permanently. From then on it cannot write to disk, not even a core dump.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn bind(&self) -> std::io::Result<()> {
        for (resource, most) in [
            (Resource::As, self.memory_bytes),
            (Resource::Cpu, self.cpu_seconds),
            (Resource::Nofile, self.open_files),
            (Resource::Fsize, 0),
            (Resource::Core, 0),
        ] {
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
        }
        Ok(())
    }
}
