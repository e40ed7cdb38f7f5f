//! `e2e`: the Playwright tests against a service and a demo tenant of their own.

use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::faults::Volume;
use crate::files;
use crate::machine::Machine;
use crate::release;
use crate::setup::browser;
use crate::stack::{self, Ports, Stack};
use crate::suite::{Tally, counted};
use crate::web;

/// Runs the tests, or those that the arguments choose (as `playwright test` takes them).
pub fn run(machine: &Machine, arguments: &[&str], tally: &mut Tally) -> Outcome {
    playwright(machine, &stack::debug_service(machine), arguments, Volume::Slice, tally)
}

/// Builds the release as the README says and links an account with it.
pub fn with_release(machine: &Machine, tally: &mut Tally) -> Outcome {
    let service = release::run(machine)?;
    playwright(machine, &service, &["tests/e2e/linking.spec.ts"], Volume::Slice, tally)
}

/// Runs the table of steps and faults: every fault at every step.
pub fn whole_table(machine: &Machine, tally: &mut Tally) -> Outcome {
    playwright(machine, &stack::debug_service(machine), &["tests/e2e/faults"], Volume::Full, tally)
}

fn playwright(
    machine: &Machine,
    service: &Path,
    arguments: &[&str],
    volume: Volume,
    tally: &mut Tally,
) -> Outcome {
    let every_fault = match volume {
        Volume::Slice => "0",
        Volume::Full => "1",
    };
    let browser = browser::browser(machine)
        .ok_or_else(|| Failure::new("found no Chromium").advice("run `cargo xtask setup`"))?;
    // A second run would empty the folder under the first one's service.
    let _alone = files::lock(&machine.stamp("e2e.lock"))?;
    web::build(machine)?;
    stack::build(machine)?;
    let ports = Ports::free()?;
    let folder = machine.cache.join("e2e").join(machine.checkout());
    let stack = Stack::start(machine, service, ports, folder)?;
    println!("e2e: the service logs to {}", stack.log("service").display());
    let tests = machine
        .npm_bin("playwright")
        .arg("test")
        .args(arguments)
        .env("LINCHPIN_DEMO_URL", format!("http://127.0.0.1:{}", ports.tenant))
        .env("LINCHPIN_SERVICE_URL", format!("http://localhost:{}", ports.service))
        .env("LINCHPIN_DATA", stack.folder.join("data"))
        .env("LINCHPIN_BINARY", service)
        .env("LINCHPIN_CHROMIUM", browser)
        .env("LINCHPIN_EVERY_FAULT", every_fault);
    counted(tests, tally)
}
