//! Confines a child on Linux: applies the layers one after another.

use super::confinement::{Confinement, FileWall};
use super::entered::Entered;
use super::layer::Layer;
use super::{calls, files, identity};
use crate::tesseract::Tesseract;

/// Confines this process permanently. Call it while the process has only one thread.
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
