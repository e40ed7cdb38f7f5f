//! `e2e`: runs the Playwright tests against a separate service and demo tenant.

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::release;
use crate::setup::browser;
use crate::stack::{self, Ports, Stack};
use crate::suite::tally::{Tally, run_counted};
use crate::web;

/// The tests for programs with the widget's files inside.
const LINKING: &str = "tests/e2e/linking.spec.ts";

/// The argument that runs the stories of the pages in Firefox instead of Chromium.
const IN_FIREFOX: &str = "--project=firefox";

/// Runs the tests with the arguments of `playwright test`.
///
/// # Errors
/// A test fails, or Firefox is asked for and not installed.
pub fn run(env: &Env, arguments: &[&str], tally: &mut Tally) -> Outcome {
    let mut arguments = arguments.to_vec();
    if !arguments.iter().any(|it| it.starts_with("--project")) {
        arguments.push("--project=chromium");
    }
    let mut variables = Vec::new();
    if arguments.contains(&IN_FIREFOX) {
        let firefox = browser::firefox(env)
            .ok_or_else(|| Failure::new("Found no Firefox").advice("install Debian's package firefox-esr"))?;
        variables.push(("LINCHPIN_FIREFOX", firefox));
    }
    playwright(env, &stack::debug_service(env), &arguments, &variables, tally)
}

/// Runs the stories of the portal, the link sites and the person's own page in Firefox.
pub fn pages_in_firefox(env: &Env, tally: &mut Tally) -> Outcome {
    run(env, &[IN_FIREFOX], tally)
}

/// Builds the release as the README describes, and links accounts with it.
pub fn with_release(env: &Env, tally: &mut Tally) -> Outcome {
    let service = release::run(env)?;
    playwright(env, &service, &[LINKING], &[], tally)
}

/// Runs the table of steps and faults, with every fault at every step.
pub fn whole_table(env: &Env, tally: &mut Tally) -> Outcome {
    let variables = [("LINCHPIN_EVERY_FAULT", "1".into())];
    playwright(env, &stack::debug_service(env), &["tests/e2e/faults"], &variables, tally)
}

/// Runs `playwright test` with these arguments and variables against a separate service and demo tenant.
pub fn playwright(
    env: &Env,
    service: &Path,
    arguments: &[&str],
    variables: &[(&str, PathBuf)],
    tally: &mut Tally,
) -> Outcome {
    let browser = browser::headless(env)
        .ok_or_else(|| Failure::new("Found no Chromium").advice("run `cargo xtask setup`"))?;
    // A second run would empty the data folder of the first run's service.
    let _alone = files::lock(&env.stamp("e2e.lock"))?;
    web::build(env)?;
    stack::build(env)?;
    let ports = Ports::free()?;
    let folder = env.cache.join("e2e").join(env.checkout());
    let stack = Stack::start(env, service, ports, folder)?;
    println!("e2e: the service logs to {}", stack.log("service").display());
    let tests = env
        .npm_bin("playwright")
        .arg("test")
        .args(arguments)
        .env("LINCHPIN_DEMO_URL", format!("http://127.0.0.1:{}", ports.tenant))
        .env("LINCHPIN_SERVICE_URL", format!("http://localhost:{}", ports.service))
        .env("LINCHPIN_DATA", stack.folder.join("data"))
        .env("LINCHPIN_BINARY", service)
        .env("LINCHPIN_CHROMIUM", browser);
    let tests = if env.repeats_failed_tests { tests.arg("--retries=1") } else { tests };
    let tests = variables.iter().fold(tests, |tests, (name, value)| tests.env(name, value));
    run_counted(tests, tally)
}
