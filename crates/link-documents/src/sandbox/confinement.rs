//! Confinement of a child, as its parent sends it.

use serde::{Deserialize, Serialize};

use super::policy::SandboxPolicy;

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
