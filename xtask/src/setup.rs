//! `setup`: brings a bare machine to where every other task works, and is quick when it already is.
//!
//! Each step asks the tool itself for its version, so nothing has to be remembered and nothing can be stale.

pub mod apt;
pub mod browser;
mod cargo_tools;
mod node;
mod postgres;
mod python;
mod rust;
mod tesseract;
mod wasm_std;

use std::time::Instant;

use crate::failure::Outcome;
use crate::files;
use crate::machine::Machine;

/// Makes sure that everything the other tasks need is there.
pub fn run(machine: &mut Machine) -> Outcome {
    let started = Instant::now();
    // Two checkouts of one machine share the cache; the second waits for the first.
    let _alone = files::lock(&machine.cache.join("setup.lock"))?;
    rust::ensure(machine)?;
    cargo_tools::ensure(machine)?;
    node::ensure(machine)?;
    browser::ensure(machine)?;
    postgres::ensure(machine)?;
    tesseract::ensure(machine)?;
    python::ensure(machine)?;
    println!("setup: everything is there ({:.0} s)", started.elapsed().as_secs_f64());
    Ok(())
}

/// Says what a step that takes a while is doing and how long it usually takes.
fn doing(what: &str, usually: &str) {
    println!("setup: {what} (usually {usually}) ...");
}

/// Says that a step is done and how long it took.
fn done(what: &str, started: Instant) {
    println!("setup: {what} done in {:.0} s", started.elapsed().as_secs_f64());
}
