//! Installs Node, and the npm modules for the build and the browser tests.

use std::time::Instant;

use super::apt;
use super::progress::{doing, print_done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;
use crate::stamp::{Inputs, Stamp};

const MIN_MAJOR: u32 = 18;
const BY_HAND: &str =
    "install Node 20 or newer with npm (macOS: brew install node; others: https://nodejs.org)";

/// Installs Node if it is missing, and exactly the modules in package-lock.json.
pub fn ensure(env: &Env) -> Outcome {
    if !is_on_path("node", &env.path()) || !is_on_path("npm", &env.path()) {
        apt::install(env, "Node with npm", &["nodejs", "npm"], "1 min", BY_HAND)?;
    }
    let version = env.program("node").arg("--version").output()?;
    let major =
        version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < MIN_MAJOR) {
        return Err(Failure::new(format!("Node {} is too old", version.trim()))
            .why(format!("esbuild and Playwright require {MIN_MAJOR} or newer"))
            .advice(BY_HAND));
    }
    modules(env, ".", "the npm modules", "20 s")
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
