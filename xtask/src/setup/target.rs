//! Lets one checkout at a time build in the shared target folder.
//!
//! Our own: with cargo's ordinary folder, each side checkout compiles 620 dependencies again and keeps 9 GB (ADR 145).
//!
//! Cargo gives the packages of all checkouts the same file names there, and compares only the times of sources. Without
//! this, a checkout would test programs that another one has built from other sources.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

/// Folders of build output are at most this deep: `wasm/wasm32-unknown-unknown/release/.fingerprint`.
const MAX_DEPTH: usize = 4;

/// The right to build in the target folder, until it is dropped. Tasks of the same checkout share it.
#[derive(Debug)]
pub struct Claim(#[expect(dead_code, reason = "holds the lock")] File);

/// Waits until no other checkout builds. If one has built here since this checkout did, marks the workspace's packages as
/// changed; dependencies stay built.
///
/// # Errors
/// If a file in the target folder cannot be read or written.
pub fn claim(env: &Env) -> Outcome<Claim> {
    let (target, owner) = (env.target(), env.target().join("checkout"));
    files::make_dir(&target)?;
    let path = target.join("checkout.lock");
    let open = || File::create(&path).or_fail(|| format!("Could not create {}", path.display()));
    let root = env.root.to_string_lossy();
    let failed = || format!("Could not lock {}", path.display());
    let last_owner = || files::read(&owner).unwrap_or_default();
    let mut has_waited = false;
    loop {
        let shared = open()?;
        shared.lock_shared().or_fail(failed)?;
        let last = last_owner();
        if last == root {
            return Ok(Claim(shared));
        }
        drop(shared);
        let alone = open()?;
        match alone.try_lock() {
            // Another task of this checkout may have been faster.
            Ok(()) if last_owner() == root => {}
            Ok(()) => {
                forget_packages(&target, &packages(env)?)?;
                files::write(&owner, root.as_bytes())?;
            }
            Err(TryLockError::WouldBlock) => {
                if !has_waited {
                    println!("setup: waiting for a task in {last} (LINCHPIN_CACHE names another cache) ...");
                }
                has_waited = true;
                thread::sleep(Duration::from_millis(200));
            }
            Err(TryLockError::Error(error)) => return Err(Failure::new(failed()).why(error)),
        }
    }
}

/// Returns the names of the workspace's packages.
fn packages(env: &Env) -> Outcome<Vec<String>> {
    let manifests = files::walk(&env.at("crates"))?;
    let folders = manifests.iter().filter(|path| files::name(path) == "Cargo.toml");
    let names = folders.filter_map(|path| Some(files::name(path.parent()?).to_owned()));
    Ok(names.chain(["benches", "nodes", "plain", "xtask"].map(str::to_owned)).collect())
}

/// Deletes the records of what cargo has built of these packages.
fn forget_packages(target: &Path, packages: &[String]) -> Outcome {
    for record in records(target, MAX_DEPTH) {
        let name = files::name(&record);
        if packages.iter().any(|package| is_of(package, name)) {
            files::remove_dir(&record)?;
        }
    }
    Ok(())
}

/// Returns whether a record such as `link-store-0123456789abcdef` is of the package.
fn is_of(package: &str, record: &str) -> bool {
    record
        .strip_prefix(package)
        .and_then(|rest| rest.strip_prefix('-'))
        .is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Lists the folders in each `.fingerprint` below a folder.
fn records(dir: &Path, depth: usize) -> Vec<PathBuf> {
    let list = |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders: Vec<PathBuf> = list(dir).filter(|path| path.is_dir()).collect();
    if files::name(dir) == ".fingerprint" {
        return folders;
    }
    let deeper = folders.iter().filter(|_| depth > 0);
    deeper.flat_map(|folder| records(folder, depth - 1)).collect()
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::{claim, forget_packages, is_of};
    use crate::env::Env;
    use crate::files;

    fn env(root: &str, cache: &std::path::Path) -> Env {
        let root = cache.join(root);
        files::write(&root.join("crates/link-store/Cargo.toml"), "").unwrap();
        Env {
            root,
            cache: cache.to_owned(),
            bins: Vec::new(),
            toolchain: None,
            claim: None,
            repeats_failed_tests: false,
        }
    }

    #[test]
    fn record_belongs_to_the_package_before_its_hash() {
        assert!(is_of("link-store", "link-store-0123456789abcdef"));
        assert!(!is_of("link", "link-store-0123456789abcdef"));
        assert!(!is_of("link-store", "link-store-0123"));
    }

    #[test]
    fn only_another_checkout_rebuilds_the_packages() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (env("first", dir.path()), env("second", dir.path()));
        let prints = first.target().join("debug/.fingerprint");
        let (own, other) =
            (prints.join("link-store-0123456789abcdef"), prints.join("serde-0123456789abcdef"));
        drop(claim(&first).unwrap());
        files::make_dir(&own).unwrap();
        files::make_dir(&other).unwrap();
        drop((claim(&first).unwrap(), claim(&first).unwrap()));
        assert!(own.is_dir() && other.is_dir());
        drop(claim(&second).unwrap());
        assert!(!own.exists() && other.is_dir());
    }

    #[test]
    fn checkout_waits_while_another_one_builds() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (env("first", dir.path()), env("second", dir.path()));
        let held = claim(&first).unwrap();
        let (sender, claimed) = std::sync::mpsc::channel();
        let waiting = thread::spawn(move || {
            let claim = claim(&second).unwrap();
            sender.send(()).unwrap();
            drop(claim);
        });
        assert!(claimed.recv_timeout(Duration::from_millis(500)).is_err());
        drop(held);
        waiting.join().unwrap();
    }

    #[test]
    fn tasks_of_a_checkout_share_the_folder_after_another_one() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (env("first", dir.path()), env("second", dir.path()));
        drop(claim(&first).unwrap());
        let tasks: Vec<_> = (0..4)
            .map(|_| {
                let second = second.clone();
                thread::spawn(move || claim(&second).unwrap())
            })
            .collect();
        // Each still holds its claim when the next one gets it.
        let claims: Vec<_> = tasks.into_iter().map(|task| task.join().unwrap()).collect();
        assert_eq!(claims.len(), 4);
    }

    #[test]
    fn records_of_wasm_builds_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let record =
            dir.path().join("wasm/wasm32-unknown-unknown/release/.fingerprint/xtask-0123456789abcdef");
        files::make_dir(&record).unwrap();
        forget_packages(dir.path(), &["xtask".to_owned()]).unwrap();
        assert!(!record.exists());
    }
}
