//! `setup`: installs what a task needs, and is quick when it is there already.
//!
//! Each step asks the tool itself for its version, so nothing has to be remembered and nothing can be stale.

pub mod apt;
pub mod browser;
mod cargo_tools;
mod node;
mod postgres;
mod progress;
mod python;
mod rust;
mod tesseract;
mod wasm_std;

use std::time::Instant;

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;

/// What a task needs to be installed. Each purpose includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Building the widget and the service.
    Build,
    /// Running the demo, which also reads scanned documents.
    Demo,
    /// Every test and bench.
    Test,
}

type Step = fn(&mut Env) -> Outcome;

/// Every step with the first purpose that needs it.
const STEPS: [(Purpose, Step); 7] = [
    (Purpose::Build, rust::ensure),
    (Purpose::Build, |env| node::ensure(env)),
    (Purpose::Demo, |env| tesseract::ensure(env)),
    (Purpose::Test, cargo_tools::ensure),
    (Purpose::Test, |env| browser::ensure(env)),
    (Purpose::Test, postgres::ensure),
    (Purpose::Test, |env| python::ensure(env)),
];

/// Installs what the purpose needs and the machine lacks.
pub fn run(env: &mut Env, purpose: Purpose) -> Outcome {
    let started = Instant::now();
    // Two checkouts of one machine share the cache; the second waits for the first.
    let _alone = files::lock(&env.cache.join("setup.lock"))?;
    for (needed_from, step) in STEPS {
        if needed_from <= purpose {
            step(env)?;
        }
    }
    println!("setup: everything is there ({:.0} s)", started.elapsed().as_secs_f64());
    Ok(())
}
