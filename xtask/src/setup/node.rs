//! Installs Node, and the npm modules for the build and the browser tests.

use std::time::Instant;

use super::apt;
use super::progress::{doing, done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;
use crate::stamp::{Inputs, Stamp};

const OLDEST: u32 = 18;
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
    if major.is_none_or(|major| major < OLDEST) {
        return Err(Failure::new(format!("Node {} is too old", version.trim()))
            .why(format!("esbuild and Playwright require {OLDEST} or newer"))
            .advice(BY_HAND));
    }
    modules(env, version.trim())
}

fn modules(env: &Env, node: &str) -> Outcome {
    let inputs = Inputs::default()
        .fact(node)
        .path(&env.at("package.json"), |_| true)?
        .path(&env.at("package-lock.json"), |_| true)?;
    // The stamp is in `node_modules` so that removing the modules removes it.
    let stamp = Stamp::new(env.at("node_modules/.linchpin-stamp"), inputs);
    if stamp.is_current() {
        return Ok(());
    }
    doing("installing the npm modules", "20 s");
    let started = Instant::now();
    env.program("npm").args(["ci", "--ignore-scripts"]).output()?;
    stamp.set()?;
    done("the npm modules", started);
    Ok(())
}
