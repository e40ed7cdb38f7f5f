//! Installs Node, and the npm modules for the build and the browser tests.

use std::time::Instant;

use super::apt;
use super::progress::{doing, print_done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;
use crate::stamp::{Inputs, Stamp};

const BY_HAND: &str =
    "install Node 22.12 or newer with npm (macOS: brew install node; others: https://nodejs.org)";

/// Installs Node if it is missing, and exactly the modules in package-lock.json.
pub fn ensure(env: &Env) -> Outcome {
    if !is_on_path("node", &env.path()) || !is_on_path("npm", &env.path()) {
        apt::install(env, "Node with npm", &["nodejs", "npm"], "1 min", BY_HAND)?;
    }
    let version = env.program("node").arg("--version").output()?;
    if !is_new_enough(version.trim()) {
        return Err(Failure::new(format!("Node {} is too old", version.trim()))
            .why("Vite, in the examples, requires 20.19, or 22.12 or newer")
            .advice(BY_HAND));
    }
    modules(env, ".", "the npm modules", "20 s")
}

/// Returns whether everything here runs on this version of Node, written like `v22.12.0`.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(20)), Some(Ok(minor))) => minor >= 19,
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= (22, 12),
        _ => false,
    }
}

/// Installs exactly the modules in the package-lock.json of a folder.
pub fn modules(env: &Env, folder: &str, what: &str, usually: &str) -> Outcome {
    let folder = env.at(folder);
    let version = env.program("node").arg("--version").output()?;
    let inputs = Inputs::default()
        .fact(version.trim())
        .path(&folder.join("package.json"), |_| true)?
        .path(&folder.join("package-lock.json"), |_| true)?;
    // The stamp is in `node_modules` so that removing the modules removes it.
    let stamp = Stamp::new(folder.join("node_modules/.linchpin-stamp"), inputs);
    if stamp.is_current() {
        return Ok(());
    }
    doing(&format!("installing {what}"), usually);
    let started = Instant::now();
    env.program("npm").args(["ci", "--ignore-scripts"]).dir(&folder).output()?;
    stamp.set()?;
    print_done(what, started);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn node_is_new_enough_from_20_19_and_22_12() {
        for version in ["v20.19.0", "v22.12.0", "v24.1.0"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["v18.20.4", "v20.18.3", "v21.7.3", "v22.11.0", "", "v22"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }
}
