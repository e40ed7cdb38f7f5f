//! The process's limit on open files. Each connection is an open file.

use rustix::process::{Resource, getrlimit, setrlimit};

/// The number of files reserved for the database, uploads, webhooks and child processes.
const RESERVED: u64 = 256;

/// Raises the process's limit on open files to its hard limit.
pub fn raise() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "Raising the limit on open files failed");
    }
}

/// Returns the number of connections that leaves enough files for everything else.
pub(super) fn connections_within(wanted: usize) -> usize {
    match getrlimit(Resource::Nofile).current {
        Some(files) => wanted.min(share(files)),
        None => wanted,
    }
}

fn share(files: u64) -> usize {
    // If there are few files, use half of them for connections, and always allow at least one connection.
    let connections = files.saturating_sub(RESERVED).max(files / 2).max(1);
    usize::try_from(connections).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_reserved_files() {
        assert_eq!(share(65_536), 65_280);
        assert_eq!(share(1_024), 768);
        assert_eq!(share(300), 150);
        assert_eq!(share(0), 1);
    }
}
