//! Installs HAProxy, which a test puts in front of two services.

use super::apt;
use crate::env::Env;
use crate::failure::{Failure, Outcome};

const PROXY: &str = "haproxy";
const BY_HAND: &str = "install HAProxy 2.6 or newer so that haproxy is on PATH (macOS: brew install haproxy; Fedora: dnf install haproxy)";

/// Installs the program if it is missing, and adds it to the path.
pub fn ensure(env: &mut Env) -> Outcome {
    if !apt::find_server(env, PROXY) {
        apt::install(env, "HAProxy", &[PROXY], "5 s", BY_HAND)?;
    }
    if apt::find_server(env, PROXY) {
        return Ok(());
    }
    Err(Failure::new("HAProxy is still missing").advice(BY_HAND))
}
