//! `moto_server`: an S3 server for the test of the file store, in a Python environment of its own.

use std::time::Instant;

use super::{apt, doing, done};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::machine::Machine;
use crate::process::is_on_path;
use crate::stamp::{Inputs, Stamp};

/// Every package with its version, as `pip freeze` tells them.
const PINS: &str = "xtask/python/moto.txt";
const BY_HAND: &str = "install Python 3.10 or newer with its venv module\n\
    (macOS: brew install python; Fedora: dnf install python3)";

/// Makes sure of the server at [`Machine::moto_server`].
pub fn ensure(machine: &Machine) -> Outcome {
    let folder = machine.moto();
    let inputs = Inputs::default().path(&machine.at(PINS), |_| true)?;
    // Inside the environment, so that removing it removes the stamp.
    let stamp = Stamp::new(folder.join("linchpin-stamp"), inputs);
    if stamp.is_current() && machine.moto_server().is_file() {
        return Ok(());
    }
    if !has_venv(machine) {
        apt::install(machine, "Python with venv", &["python3", "python3-venv"], "20 s", BY_HAND)?;
    }
    doing("installing the S3 server of the tests (moto)", "30 s");
    let started = Instant::now();
    files::remove_dir(&folder)?;
    machine.program("python3").args(["-m", "venv"]).arg(&folder).output()?;
    machine
        .program(&folder.join("bin/python").to_string_lossy())
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--requirement",
            PINS,
        ])
        .output()?;
    if !machine.moto_server().is_file() {
        return Err(Failure::new("moto was installed without its server")
            .advice(format!("see that {PINS} names moto and what its `server` needs")));
    }
    stamp.set()?;
    done("the S3 server", started);
    Ok(())
}

/// Debian's Python comes without the pip that a new environment is filled with.
fn has_venv(machine: &Machine) -> bool {
    is_on_path("python3", &machine.path())
        && machine.program("python3").args(["-c", "import venv, ensurepip"]).output().is_ok()
}
