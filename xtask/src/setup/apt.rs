//! Installs Debian packages if the machine has apt.

use std::cell::Cell;
use std::path::Path;
use std::time::Instant;

use super::progress::{doing, print_done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::{Program, is_on_path};

thread_local! {
    static UPDATED: Cell<bool> = const { Cell::new(false) };
}

/// Installs packages.
///
/// # Errors
/// If the installation is not possible. The failure says what to install by hand: `otherwise` on machines without apt.
pub fn install(env: &Env, purpose: &str, packages: &[&str], usually: &str, otherwise: &str) -> Outcome {
    let by_hand = format!("apt-get install -y --no-install-recommends {}", packages.join(" "));
    let missing = || Failure::new(format!("{purpose} is missing"));
    if !is_on_path("apt-get", &env.path()) {
        return Err(missing().why("this machine has no apt, so setup cannot install it").advice(otherwise));
    }
    let Some(prefix) = privileges(env) else {
        return Err(missing()
            .why("installing packages needs root")
            .advice(format!("run as root: {by_hand}")));
    };
    doing(&format!("installing {purpose} with apt: {}", packages.join(" ")), usually);
    let started = Instant::now();
    if !UPDATED.get() {
        apt(prefix, &["update", "-q"]).output().map_err(|failure| {
            missing().why(failure).advice(format!("make `apt-get update` work, then run: {by_hand}"))
        })?;
        UPDATED.set(true);
    }
    apt(prefix, &["install", "-y", "-q", "--no-install-recommends"])
        .args(packages)
        .output()
        .map_err(|failure| missing().why(failure).advice(format!("{otherwise}\nor by hand: {by_hand}")))?;
    print_done(purpose, started);
    Ok(())
}

/// Returns whether a server's program is installed. Debian installs servers in a folder that is not on the path of every user:
/// adds it to the path.
pub fn find_server(env: &mut Env, program: &str) -> bool {
    const SYSTEM: &str = "/usr/sbin";
    if is_on_path(program, &env.path()) {
        return true;
    }
    let is_there = Path::new(SYSTEM).join(program).is_file();
    if is_there {
        env.bins.push(SYSTEM.into());
    }
    is_there
}

/// Returns whether this machine can install a package with apt.
pub fn is_known(env: &Env, package: &str) -> bool {
    let shown = || Program::new("apt-cache").args(["show", "--no-all-versions", package]).output();
    is_on_path("apt-cache", &env.path()) && privileges(env).is_some() && shown().is_ok()
}

/// Returns the prefix of a command that needs root: empty or `sudo`. Returns `None` if root is not available.
pub fn privileges(env: &Env) -> Option<&'static [&'static str]> {
    if Program::new("id").arg("-u").output().is_ok_and(|id| id.trim() == "0") {
        return Some(&[]);
    }
    let sudo = is_on_path("sudo", &env.path()) && Program::new("sudo").args(["-n", "true"]).output().is_ok();
    sudo.then_some(&["sudo", "-n"])
}

/// Returns a command with the prefix from [`privileges`].
pub fn as_root(prefix: &[&str], program: &str) -> Program {
    match prefix.split_first() {
        Some((first, rest)) => Program::new(first).args(rest).arg(program),
        None => Program::new(program),
    }
}

fn apt(prefix: &[&str], args: &[&str]) -> Program {
    as_root(prefix, "env")
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "Acquire::Retries=3"])
        .args(args)
}
