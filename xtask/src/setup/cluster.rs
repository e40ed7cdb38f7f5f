//! Installs HAProxy, and the programs of a database cluster that fails over: Patroni and etcd.

use std::path::Path;

use super::apt;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;

/// The programs and their Debian packages.
const PROGRAMS: [(&str, &str); 4] =
    [("patroni", "patroni"), ("etcd", "etcd-server"), ("haproxy", "haproxy"), ("ip", "iproute2")];
const BY_HAND: &str = "install Patroni 3, etcd 3.4, HAProxy 2.6 and iproute2 or newer so that patroni, etcd, haproxy and ip are \
    on PATH\n(Debian: apt-get install patroni etcd-server haproxy iproute2)";
/// Debian installs HAProxy and `ip` in a folder that is not on the path of every user.
const SYSTEM: &str = "/usr/sbin";

/// Installs what is missing, and adds it to the path.
pub fn ensure(env: &mut Env) -> Outcome {
    let packages = missing(env);
    if packages.is_empty() {
        return Ok(());
    }
    apt::install(env, "a database cluster", &packages, "30 s", BY_HAND)?;
    let packages = missing(env);
    if packages.is_empty() {
        return Ok(());
    }
    Err(Failure::new("The database cluster is still missing").why(packages.join(" ")).advice(BY_HAND))
}

/// Returns the packages of the programs that are missing.
fn missing(env: &mut Env) -> Vec<&'static str> {
    let is_missing = |env: &Env| PROGRAMS.iter().any(|(program, _)| !is_on_path(program, &env.path()));
    if is_missing(env) && Path::new(SYSTEM).is_dir() {
        env.bins.push(SYSTEM.into());
    }
    let path = env.path();
    PROGRAMS.iter().filter(|(program, _)| !is_on_path(program, &path)).map(|(_, package)| *package).collect()
}

const PROXY: &str = "haproxy";
const PROXY_BY_HAND: &str = "install HAProxy 2.6 or newer so that haproxy is on PATH (macOS: brew install haproxy; Fedora: dnf install haproxy)";

/// Installs HAProxy, which a test puts in front of two services, and adds it to the path.
pub fn ensure_proxy(env: &mut Env) -> Outcome {
    if !apt::find_server(env, PROXY) {
        apt::install(env, "HAProxy", &[PROXY], "5 s", PROXY_BY_HAND)?;
    }
    if apt::find_server(env, PROXY) {
        return Ok(());
    }
    Err(Failure::new("HAProxy is still missing").advice(PROXY_BY_HAND))
}
