//! The layers of the sandbox.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Layer of the sandbox, named by the access that it blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Layer {
    /// Files and programs, except Tesseract, its libraries and its data.
    Files,
    /// All network connections.
    Network,
    /// System calls that reading a document does not need.
    SystemCalls,
    /// More than a fixed number of processes.
    Processes,
}

impl Layer {
    pub(crate) const ALL: [Self; 4] = [Self::Files, Self::Network, Self::SystemCalls, Self::Processes];

    /// Returns what an operator can do if the layer is missing.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Files => {
                "boot a kernel with Landlock (Linux 5.13 or newer, `landlock` in /sys/kernel/security/lsm), let \
                 containers call landlock_*, or install bubblewrap"
            }
            Self::Network | Self::SystemCalls => {
                "let the service install seccomp filters (CONFIG_SECCOMP_FILTER, and `seccomp` in the unit's or \
                 container's filter)"
            }
            Self::Processes => {
                "run the service as a separate user, or allow user namespaces, and set TasksMax on its unit"
            }
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Files => "files",
            Self::Network => "network",
            Self::SystemCalls => "system calls",
            Self::Processes => "processes",
        })
    }
}
