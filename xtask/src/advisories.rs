//! `advisories`: known vulnerabilities and unmaintained crates among what we depend on, by the RustSec database.
//!
//! The database is cached by cargo-deny below `$CARGO_HOME` and refreshed where its server is reached. Advisories that
//! we accept are in deny.toml, each with its reason.

use std::time::Duration;

use crate::env::Env;
use crate::failure::{Failure, Outcome};

/// A firewall that drops packets must not hold the whole check up.
const FETCH_WITHIN: Duration = Duration::from_secs(60);

/// Whether the check could be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It was made, and nothing was found.
    Clean,
    /// There is no database: it is not cached, and its server did not answer.
    NoDatabase,
}

/// Checks with a fresh database, else with the cached one.
///
/// # Errors
/// When an advisory applies that deny.toml does not accept, or the cached database is older than deny.toml allows.
pub fn check(env: &Env) -> Outcome<Checked> {
    let fetched = env.cargo(["deny", "fetch", "db"]).limit(FETCH_WITHIN).output();
    if let Err(failure) = fetched {
        if !is_cached() {
            println!(
                "advisories: NOT CHECKED. The RustSec database is not cached and could not be fetched:\n{failure}"
            );
            return Ok(Checked::NoDatabase);
        }
        println!("advisories: the RustSec database could not be fetched; checking with the cached one");
    }
    env.cargo(["deny", "--all-features", "--offline", "check", "advisories"]).run()?;
    Ok(Checked::Clean)
}

/// The task: fails when nothing could be checked.
pub fn run(env: &Env) -> Outcome {
    match check(env)? {
        Checked::Clean => Ok(()),
        Checked::NoDatabase => Err(Failure::new("no advisory was checked").advice(
            "run it where github.com is reached, or put a clone of the database into $CARGO_HOME/advisory-dbs",
        )),
    }
}

fn is_cached() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let home = home.or_else(|| Some(std::path::Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let dirs = home.and_then(|home| std::fs::read_dir(home.join("advisory-dbs")).ok());
    dirs.into_iter().flatten().flatten().any(|entry| entry.path().join(".git/HEAD").is_file())
}
