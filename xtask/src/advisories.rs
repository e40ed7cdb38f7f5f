//! `advisories`: checks the dependencies for vulnerabilities and unmaintained crates with the RustSec database.
//!
//! cargo-deny caches the database below `$CARGO_HOME` and refreshes it if its server can be reached. deny.toml lists
//! the accepted advisories, each with a reason.

use std::time::Duration;

use crate::env::Env;
use crate::failure::{Failure, Outcome};

/// A firewall that drops packets must not delay all other checks.
const FETCH_WITHIN: Duration = Duration::from_secs(60);

/// Whether the check ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The check ran and found nothing.
    Clean,
    /// The check did not run: the database is not cached, and its server could not be reached.
    NoDatabase,
}

/// Checks with a fresh database, or with the cached one if fetching fails.
///
/// # Errors
/// If an advisory applies that deny.toml does not accept, or if the cached database is older than deny.toml allows.
pub fn check(env: &Env) -> Outcome<Checked> {
    let fetched = env.cargo(["deny", "fetch", "db"]).limit(FETCH_WITHIN).output();
    if let Err(failure) = fetched {
        if !is_cached() {
            println!(
                "advisories: NOT CHECKED. The RustSec database is neither cached nor available:\n{failure}"
            );
            return Ok(Checked::NoDatabase);
        }
        println!("advisories: could not fetch the RustSec database; checking with the cached one");
    }
    env.cargo(["deny", "--all-features", "--offline", "check", "advisories"]).run()?;
    Ok(Checked::Clean)
}

/// Runs the task.
///
/// # Errors
/// If the check fails or did not run.
pub fn run(env: &Env) -> Outcome {
    match check(env)? {
        Checked::Clean => Ok(()),
        Checked::NoDatabase => Err(Failure::new("No advisory was checked").advice(
            "run this with access to github.com, or put a clone of the database in $CARGO_HOME/advisory-dbs",
        )),
    }
}

fn is_cached() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let home = home.or_else(|| Some(std::path::Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let dirs = home.and_then(|home| std::fs::read_dir(home.join("advisory-dbs")).ok());
    dirs.into_iter().flatten().flatten().any(|entry| entry.path().join(".git/HEAD").is_file())
}
