//! The child's sandbox. The child applies it to itself before it reads a byte of a document, and its own children
//! inherit it. The layers are independent: a fault in one does not affect the others.

#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod calls;
mod entered;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod identity;
mod layer;
mod policy;
pub(crate) mod probe;
mod report;

#[cfg(target_os = "linux")]
pub(crate) use bubblewrap::command;
pub(crate) use entered::Entered;
pub use layer::Layer;
pub use policy::{SandboxPolicy, UnknownPolicyError};
pub use report::{LayerReport, SandboxReport};

use serde::{Deserialize, Serialize};

use crate::tesseract::Tesseract;

/// Mechanism that blocks the child's access to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FileWall {
    /// Landlock, which the child applies to itself.
    Landlock,
    /// A mount namespace that bubblewrap creates around the child.
    Bubblewrap,
}

/// How a child is confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Confinement {
    pub policy: SandboxPolicy,
    pub wall: FileWall,
}

/// Confines this process permanently. Call it while the process has only one thread.
#[cfg(target_os = "linux")]
pub(crate) fn enter(confinement: Confinement, tesseract: Option<&Tesseract>) -> Entered {
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

/// Returns the program that starts a child, with its arguments, and what will block the child's access to files.
#[cfg(not(target_os = "linux"))]
pub(crate) fn command(
    program: &std::path::Path,
    arguments: &[String],
    _: &Tesseract,
) -> (FileWall, std::path::PathBuf, Vec<std::ffi::OsString>) {
    (FileWall::Landlock, program.to_owned(), arguments.iter().map(std::ffi::OsString::from).collect())
}

/// Reports that no layer is available: other systems than Linux provide none.
#[cfg(not(target_os = "linux"))]
pub(crate) fn enter(_: Confinement, _: Option<&Tesseract>) -> Entered {
    let by = Err(format!("not available on {}", std::env::consts::OS));
    Entered { means: Layer::ALL.map(|layer| entered::Means { layer, by: by.clone() }).to_vec() }
}
