//! A folder in memory for the files that tests write.
//!
//! A PostgreSQL test begins by creating a thousand files, which takes half a second on a disk.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{OrFail, Outcome};
use crate::files;

const MEMORY: &str = "/dev/shm";
/// More than the tests on one processor need.
const BYTES_A_PROCESSOR: u64 = 1 << 30;

/// The folder, which only this process uses. Dropping it deletes it, with the files that killed tests left behind.
pub struct InMemory {
    folder: PathBuf,
    _alone: File,
}

impl InMemory {
    /// Creates the empty folder of this checkout, or returns `None` if the system has too little shared memory.
    pub fn folder(env: &Env) -> Outcome<Option<Self>> {
        if !Path::new(MEMORY).is_dir() {
            return Ok(None);
        }
        let alone = files::lock(&env.stamp("in-memory.lock"))?;
        let folder = Path::new(MEMORY).join(format!("linchpin-{}", env.checkout()));
        // Files left by a killed run must not reduce the space available to all later runs.
        if files::remove_dir(&folder).is_err() || !has_room(env) {
            return Ok(None);
        }
        files::make_dir(&folder)?;
        // Like `/tmp`: tests that run as root start servers of another user in it.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o1777))
            .or_fail(|| format!("Could not set the permissions of {}", folder.display()))?;
        Ok(Some(Self { folder, _alone: alone }))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for InMemory {
    fn drop(&mut self) {
        // The next run deletes what remains.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn has_room(env: &Env) -> bool {
    let processors = std::thread::available_parallelism().map_or(1, |it| it.get() as u64);
    let printed = env.program("df").args(["-Pk", MEMORY]).output().unwrap_or_default();
    available(&printed).is_some_and(|free| free * 1024 >= processors * BYTES_A_PROCESSOR)
}

/// Returns the available kilobytes in the output of `df -Pk`.
fn available(printed: &str) -> Option<u64> {
    printed.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn available_space_is_parsed_from_df() {
        let printed =
            "Filesystem 1024-blocks Used Available Capacity Mounted on\ntmpfs 4020 20 4000 1% /dev/shm\n";
        assert_eq!(super::available(printed), Some(4_000));
    }
}
