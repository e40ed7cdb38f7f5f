//! The child's sandbox. The child applies it to itself before it reads a byte of a document, and its own children
//! inherit it. The layers are independent: a fault in one does not affect the others.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::tesseract::Tesseract;

#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod identity;
pub(super) mod probe;
mod report;

pub use report::{LayerReport, SandboxReport};

/// The maximum number of processes and threads of a child, including itself, if they are counted per user namespace.
#[cfg(target_os = "linux")]
const OWN_PROCESSES: u64 = 64;
/// The maximum number of processes and threads of the child's user, if the system forbids user namespaces. It includes
/// the service's own threads, so a smaller number would stop Tesseract on a busy service.
#[cfg(target_os = "linux")]
const SHARED_PROCESSES: u64 = 4096;

/// Whether a child without a complete sandbox reads documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxPolicy {
    /// It reads none: [`Layer::Files`], [`Layer::Network`] and [`Layer::SystemCalls`] must hold.
    Required,
    /// It reads them with the layers that the system provides.
    BestEffort,
}

impl Default for SandboxPolicy {
    /// Required on Linux. Other systems provide none of the layers.
    fn default() -> Self {
        if cfg!(target_os = "linux") { Self::Required } else { Self::BestEffort }
    }
}

/// A policy name that is neither `required` nor `best-effort`.
#[derive(Debug, thiserror::Error)]
#[error("expected required or best-effort")]
pub struct UnknownPolicy;

impl FromStr for SandboxPolicy {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        match text {
            "required" => Ok(Self::Required),
            "best-effort" => Ok(Self::BestEffort),
            _ => Err(UnknownPolicy),
        }
    }
}

/// What a layer of the sandbox blocks.
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
    pub(super) const ALL: [Self; 4] = [Self::Files, Self::Network, Self::SystemCalls, Self::Processes];

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

/// What blocks the child's access to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum FileWall {
    /// Landlock, which the child applies to itself.
    Landlock,
    /// A mount namespace that bubblewrap creates around the child.
    Bubblewrap,
}

/// How a child is confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Confinement {
    pub policy: SandboxPolicy,
    pub wall: FileWall,
}

/// A layer and what provides it, or why it is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Means {
    pub layer: Layer,
    pub by: Result<String, String>,
}

/// The layers that the child applied to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entered {
    pub means: Vec<Means>,
}

impl Entered {
    #[cfg(target_os = "linux")]
    fn note(&mut self, layer: Layer, by: Result<String, impl fmt::Display>) {
        self.means.push(Means { layer, by: by.map_err(|error| error.to_string()) });
    }

    fn has(&self, layer: Layer) -> bool {
        self.means.iter().any(|it| it.layer == layer && it.by.is_ok())
    }

    /// Returns the missing layers of those that [`SandboxPolicy::Required`] needs.
    pub fn missing(&self) -> Vec<Layer> {
        let needed = [Layer::Files, Layer::Network, Layer::SystemCalls];
        needed.into_iter().filter(|layer| !self.has(*layer)).collect()
    }
}

/// Returns the program that starts a child, with its arguments, and what will block the child's access to files.
#[cfg(target_os = "linux")]
pub(super) fn command(
    program: &Path,
    arguments: &[String],
    tesseract: &Tesseract,
) -> (FileWall, PathBuf, Vec<OsString>) {
    bubblewrap::command(program, arguments, tesseract)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn command(
    program: &Path,
    arguments: &[String],
    _: &Tesseract,
) -> (FileWall, PathBuf, Vec<OsString>) {
    (FileWall::Landlock, program.to_owned(), arguments.iter().map(OsString::from).collect())
}

/// Confines this process permanently. Call it while the process has only one thread.
#[cfg(target_os = "linux")]
pub(super) fn enter(confinement: Confinement, tesseract: Option<&Tesseract>) -> Entered {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    let mut entered = Entered::default();
    // If memory runs out, the kernel kills this process and not the service. A failure here is harmless.
    drop(std::fs::write("/proc/self/oom_score_adj", "1000"));
    // Neither can fail on a kernel that runs Rust programs. The layers below need the first one and check it.
    let _ = rustix::thread::set_no_new_privs(true);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    identity::enter(&mut entered);
    match confinement.wall {
        FileWall::Landlock => files::enter(&mut entered, tesseract),
        FileWall::Bubblewrap => {
            entered.note(Layer::Files, Ok::<_, String>("bubblewrap".to_owned()));
            entered.note(Layer::Network, Ok::<_, String>("bubblewrap".to_owned()));
        }
    }
    calls::enter(&mut entered);
    entered
}

#[cfg(not(target_os = "linux"))]
pub(super) fn enter(_: Confinement, _: Option<&Tesseract>) -> Entered {
    let by = Err(format!("not available on {}", std::env::consts::OS));
    Entered { means: Layer::ALL.map(|layer| Means { layer, by: by.clone() }).to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(held: &[Layer]) -> Entered {
        let means = |layer: &Layer| Means { layer: *layer, by: Ok("x".to_owned()) };
        Entered { means: held.iter().map(means).collect() }
    }

    #[test]
    fn required_layers_are_files_network_and_system_calls() {
        assert_eq!(entered(&[]).missing(), [Layer::Files, Layer::Network, Layer::SystemCalls]);
        assert_eq!(entered(&[Layer::Network, Layer::SystemCalls]).missing(), [Layer::Files]);
        assert_eq!(entered(&[Layer::Files, Layer::Network, Layer::SystemCalls]).missing(), []);
    }

    #[test]
    fn failed_layer_counts_as_missing() {
        let mut entered = entered(&[Layer::Network, Layer::SystemCalls]);
        entered.means.push(Means { layer: Layer::Files, by: Err("no Landlock".to_owned()) });
        assert_eq!(entered.missing(), [Layer::Files]);
    }

    #[test]
    fn policy_is_parsed_from_its_name() {
        assert_eq!("required".parse::<SandboxPolicy>().unwrap(), SandboxPolicy::Required);
        assert_eq!("best-effort".parse::<SandboxPolicy>().unwrap(), SandboxPolicy::BestEffort);
        assert!("off".parse::<SandboxPolicy>().is_err());
    }
}
