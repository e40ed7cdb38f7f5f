//! What a child may use. It binds itself by them before it reads a byte, and its own children inherit them.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

/// The limits of one child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Bytes of address space, each process.
    pub memory_bytes: u64,
    /// Seconds of processor time, each process.
    pub cpu_seconds: u64,
    /// Open files, each process.
    pub open_files: u64,
    /// Time until the parent ends it.
    pub deadline: Duration,
}

impl Limits {
    /// For looking at one file.
    pub const INSPECT: Self = Self {
        memory_bytes: 1_200_000_000,
        cpu_seconds: 20,
        open_files: 32,
        deadline: Duration::from_secs(60),
    };
    /// For reading a document.
    pub const READ: Self = Self {
        memory_bytes: 1_600_000_000,
        cpu_seconds: 180,
        open_files: 32,
        deadline: Duration::from_secs(300),
    };

    /// How long after its start a child begins to read pictures: the last, turned each way, must end in time.
    pub(super) fn pictures_until(&self) -> Duration {
        self.deadline * 2 / 3
    }

    /// Binds this process permanently. Nothing is written to disk from here on, a core of it neither.
    ///
    /// # Errors
    /// What the system said.
    pub(super) fn bind(&self) -> std::io::Result<()> {
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
