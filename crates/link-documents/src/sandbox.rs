//! The child's sandbox. The child applies it to itself before it reads a byte of a document, and its own children
//! inherit it. The layers are independent: a fault in one does not affect the others.

#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod calls;
mod confinement;
mod entered;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod identity;
mod layer;
#[cfg(target_os = "linux")]
mod linux;
mod policy;
pub(crate) mod probe;
mod report;
#[cfg(not(target_os = "linux"))]
mod unsupported;

#[cfg(target_os = "linux")]
pub(crate) use bubblewrap::command;
pub(crate) use confinement::{Confinement, FileWall};
pub(crate) use entered::Entered;
pub use layer::Layer;
#[cfg(target_os = "linux")]
pub(crate) use linux::enter;
pub use policy::{SandboxPolicy, UnknownPolicyError};
pub use report::{LayerReport, SandboxReport};
#[cfg(not(target_os = "linux"))]
pub(crate) use unsupported::{command, enter};
