//! `faults nodes`: three nodes of the service on a database cluster that fails over.
//!
//! The program in `tests/nodes` runs in its own network, process and mount namespaces. The kernel ends all its processes and
//! networks with it, also after a failure, Ctrl-C or a kill.

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::process::{Program, is_on_path};
use crate::setup::cluster;

/// Runs the rest of its arguments with a folder for the names of network namespaces. As the first process of its namespace,
/// the shell also collects the status of processes that lost their parent.
const INIT: &str = "mkdir -p /run/netns && mount -t tmpfs none /run/netns && \"$@\"; exit $?";

/// Runs the faults whose names contain one of the filters, or all.
///
/// # Errors
/// If a goal is missed, a program is missing, or the user is not root.
pub fn run(env: &mut Env, filters: &[&str]) -> Outcome {
    let user = Program::new("id").arg("-u").output()?;
    if user.trim() != "0" {
        return Err(Failure::new("`faults nodes` needs root")
            .why("it creates network namespaces")
            .advice("run it as root, for example in a virtual machine"));
    }
    cluster::ensure(env)?;
    let alone = files::lock(&env.stamp("faults-nodes.lock"))?;
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
        .args(filters)
        .run();
    files::remove_dir(&data)?;
    drop(alone);
    ended
}

/// Returns the folder of PostgreSQL's programs.
fn postgres_programs(env: &Env) -> Outcome<PathBuf> {
    let path = env.path();
    std::env::split_paths(&path)
        .find(|folder| is_on_path("initdb", folder.as_os_str()))
        .ok_or_else(|| Failure::new("Found no initdb").advice("run `cargo xtask setup`"))
}
