//! A folder in memory for what tests write. A test of PostgreSQL begins with a thousand new files, which a disk's file system
//! takes half a second for.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{OrFail, Outcome};
use crate::files;

const MEMORY: &str = "/dev/shm";
/// What the tests of one processor need at the most, with room to spare.
const KILOBYTES_A_PROCESSOR: u64 = 1 << 20;

/// The folder, this process's alone; dropped, it is gone with what tests that were killed left in it.
pub struct InMemory {
    folder: PathBuf,
    _alone: File,
}

impl InMemory {
    /// The checkout's own, emptied; none where the system has no such memory, or not enough of it.
    pub fn folder(env: &Env) -> Outcome<Option<Self>> {
        if !Path::new(MEMORY).is_dir() {
            return Ok(None);
        }
        let alone = files::lock(&env.stamp("in-memory.lock"))?;
        let folder = Path::new(MEMORY).join(format!("linchpin-{}", env.checkout()));
        // What a run that was killed left would else be missing for good.
        if files::remove_dir(&folder).is_err() || !has_room(env) {
            return Ok(None);
        }
        files::make_dir(&folder)?;
        // As a temporary folder is: root's tests start servers of another user in it.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o1777))
            .or_fail(|| format!("could not open {}", folder.display()))?;
        Ok(Some(Self { folder, _alone: alone }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for InMemory {
    fn drop(&mut self) {
        // What is left is emptied by the next run.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn has_room(env: &Env) -> bool {
    let processors = std::thread::available_parallelism().map_or(1, |it| it.get() as u64);
    let told = env.program("df").args(["--output=avail", "-k", MEMORY]).output();
    let kilobytes = told.ok().and_then(|told| available(&told));
    kilobytes.is_some_and(|kilobytes| kilobytes >= processors * KILOBYTES_A_PROCESSOR)
}

/// What `df` tells below its heading.
fn available(told: &str) -> Option<u64> {
    told.lines().nth(1)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_df_tells_is_read() {
        assert_eq!(available("   Avail\n25165824\n"), Some(25_165_824));
        assert_eq!(available("df: no such option\n"), None);
    }
}
