//! `setup`: installs the tools that a task needs. Quick if nothing is missing.
//!
//! Most steps ask the installed tool for its version, so they do not depend on stored state.

pub mod apt;
pub mod browser;
pub mod cargo_tools;
pub mod cluster;
mod node;
mod postgres;
mod progress;
pub mod python;
mod rust;
pub mod target;
mod tesseract;

use std::sync::Arc;
use std::time::Instant;

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::receivers;

/// Which tools a task needs. Each purpose includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Building the widget and the service.
    Build,
    /// Running the demo, which reads scanned documents.
    Demo,
    /// Running tests and benchmarks.
    Test,
    /// Running the complete test suite, which also uses Firefox, and receivers of webhooks in six languages.
    Suite,
    /// Running the widget in every engine and on every kind of host page.
    Matrix,
}

type Step = fn(&mut Env) -> Outcome;

/// Every step, with the first purpose that needs it.
const STEPS: [(Purpose, Step); 13] = [
    (Purpose::Build, rust::ensure),
    (Purpose::Build, |env| node::ensure(env)),
    (Purpose::Demo, |env| tesseract::ensure(env)),
    (Purpose::Test, cargo_tools::ensure),
    (Purpose::Test, |env| browser::ensure(env)),
    (Purpose::Test, postgres::ensure),
    (Purpose::Test, |env| python::ensure(env)),
    (Purpose::Suite, |env| browser::ensure_firefox(env)),
    (Purpose::Suite, cargo_tools::ensure_geckodriver),
    (Purpose::Suite, |env| receivers::ensure_languages(env)),
    (Purpose::Suite, cluster::ensure_proxy),
    (Purpose::Matrix, |env| browser::ensure_webkit(env)),
    (Purpose::Matrix, |env| browser::ensure_frameworks(env)),
];

/// Installs the missing tools of a purpose, then waits until no other checkout builds in the target folder.
///
/// # Errors
/// If a tool cannot be installed. The failure says how to install it by hand.
pub fn run(env: &mut Env, purpose: Purpose) -> Outcome {
    let started = Instant::now();
    // All checkouts of a machine share the cache.
    let alone = files::lock(&env.cache.join("setup.lock"))?;
    for (needed_from, step) in STEPS {
        if needed_from <= purpose {
            step(env)?;
        }
    }
    drop(alone);
    println!("setup: all tools are installed ({:.0} s)", started.elapsed().as_secs_f64());
    env.claim = Some(Arc::new(target::claim(env)?));
    Ok(())
}
