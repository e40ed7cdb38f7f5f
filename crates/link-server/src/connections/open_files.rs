//! How many files this process may have open: each connection is one.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Files that are left for the database, uploads, webhooks and child processes.
const RESERVED: u64 = 256;

/// Raises the process's limit of open files as far as it may without privileges.
pub fn raise() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
}

/// The number of connections that leaves enough files for everything else.
pub(super) fn connections_within(wanted: usize) -> usize {
    match getrlimit(Resource::Nofile).current {
        Some(files) => wanted.min(share(files)),
        None => wanted,
    }
}

fn share(files: u64) -> usize {
    // With few files, half of them; never fewer than one connection.
    let connections = files.saturating_sub(RESERVED).max(files / 2).max(1);
    usize::try_from(connections).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(share(65_536), 65_280);
        assert_eq!(share(1_024), 768);
        assert_eq!(share(300), 150);
        assert_eq!(share(0), 1);
    }
}
