//! The child's identity: never root, without capabilities, in namespaces without a network if the system permits it.

use std::io;

use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid, getuid, setgroups, setresgid, setresuid};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::entered::Entered;
use super::layer::Layer;

/// The maximum number of processes and threads of a child, including itself, if they are counted per user namespace.
const MAX_OWN_PROCESSES: u64 = 64;
/// The maximum number of processes and threads of the child's user, if the system forbids user namespaces. It includes
/// the service's own threads, so a smaller number would stop Tesseract on a busy service.
const MAX_SHARED_PROCESSES: u64 = 4096;
/// The unprivileged user, by convention.
const NOBODY: u32 = 65534;

pub(super) fn enter(entered: &mut Entered) {
    // Root creates it without a user namespace, which containers permit more often.
    let was_root = getuid().is_root();
    let mut namespaces = if was_root { unshare(CloneFlags::CLONE_NEWNET) } else { Err(nix::Error::EPERM) };
    let dropped = if was_root { drop_root() } else { Ok(()) };
    let counted_apart = unshare(CloneFlags::CLONE_NEWUSER);
    if counted_apart.is_ok() && namespaces.is_err() {
        namespaces = unshare(CloneFlags::CLONE_NEWNET);
    }
    entered.note(Layer::Network, namespaces.map(|()| "network namespace".to_owned()));
    let none = CapabilitySet::empty();
    let caps = set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none });
    let limit = if counted_apart.is_ok() { MAX_OWN_PROCESSES } else { MAX_SHARED_PROCESSES };
    let bounded = dropped.and_then(|()| Ok(caps?)).and_then(|()| {
        Ok(setrlimit(Resource::Nproc, Rlimit { current: Some(limit), maximum: Some(limit) })?)
    });
    let counted = if counted_apart.is_ok() { "in a user namespace" } else { "of its user" };
    entered.note(Layer::Processes, bounded.map(|()| format!("at most {limit} {counted}")));
}

/// Drops root: the kernel does not apply RLIMIT_NPROC to root, and root owns most files.
fn drop_root() -> io::Result<()> {
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    setgroups(&[])?;
    setresgid(group, group, group)?;
    setresuid(user, user, user)?;
    Ok(())
}
