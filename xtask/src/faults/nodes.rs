//! `faults nodes`: three nodes of the service on a database cluster that fails over.
//!
//! The program in `tests/nodes` runs in its own network, process and mount namespaces. The kernel ends all its processes and
//! networks with it, also after a failure, Ctrl-C or a kill.

use std::ffi::OsString;
use std::path::PathBuf;

use super::upgrade;
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::process::Program;
use crate::setup::cluster;

/// Runs the rest of its arguments with a folder for the names of network namespaces. As the first process of its namespace,
/// the shell also collects the status of processes that lost their parent.
const INIT: &str = "mkdir -p /run/netns && mount -t tmpfs none /run/netns && \"$@\"; exit $?";

/// The part of the tests to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// The faults whose names contain one of the filters, or all.
    Faults(&'a [&'a str]),
    /// The upgrade from a revision, or from the newest release, and back.
    Upgrade(Option<&'a str>),
}

/// Runs a part of the tests.
///
/// # Errors
/// If a goal is missed, a program is missing, or the user is not root. For an upgrade, also if the revision does not exist, or
/// its nodes cannot serve a database together with those of this checkout.
pub fn run(env: &mut Env, part: Part<'_>) -> Outcome {
    let user = Program::new("id").arg("-u").output()?;
    if user.trim() != "0" {
        return Err(Failure::new("`faults nodes` needs root")
            .why("it creates network namespaces")
            .advice("run it as root, for example in a virtual machine"));
    }
    cluster::ensure(env)?;
    let alone = files::lock(&env.stamp("faults-nodes.lock"))?;
    let words: Vec<OsString> = match part {
        Part::Faults(filters) => filters.iter().map(OsString::from).collect(),
        Part::Upgrade(revision) => vec!["--from".into(), upgrade::build(env, revision)?.into()],
    };
    println!("faults: building the service ...");
    env.cargo_whole(["build", "--quiet", "--bin", "linchpin", "--bin", "nodes"]).run()?;
    let data = std::env::temp_dir().join(format!("linchpin-nodes-{}", env.checkout()));
    let logs = env.cache.join("faults-nodes").join(env.checkout());
    // An earlier run may have been killed.
    for folder in [&data, &logs] {
        files::remove_dir(folder)?;
        files::make_dir(folder)?;
    }
    // Ctrl-C ends the program that runs, and this one goes on to remove its data.
    ctrlc::set_handler(|| {}).or_fail(|| "Could not handle Ctrl-C".to_owned())?;
    let service =
        std::env::var_os("LINCHPIN_FAULT_PROGRAM").map_or(env.debug().join("linchpin"), PathBuf::from);
    println!("faults: the programs log to {}", logs.display());
    let ended = env
        .program("unshare")
        .args([
            "--net",
            "--pid",
            "--mount",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "sh",
            "-c",
            INIT,
            "init",
        ])
        .arg(env.debug().join("nodes"))
        .arg(service)
        .arg(postgres_programs(env)?)
        .arg(env.moto_server())
        .args([&data, &logs])
        .args(words)
        .run();
    files::remove_dir(&data)?;
    drop(alone);
    ended
}

/// Returns the folder of PostgreSQL's programs. On PATH, there may be links to some of them only.
fn postgres_programs(env: &Env) -> Outcome<PathBuf> {
    let path = env.path();
    std::env::split_paths(&path)
        .find_map(|folder| folder.join("initdb").canonicalize().ok())
        .and_then(|initdb| initdb.parent().map(PathBuf::from))
        .ok_or_else(|| Failure::new("Found no initdb").advice("run `cargo xtask setup`"))
}
