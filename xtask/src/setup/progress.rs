//! Prints what set-up is doing.

use std::time::Instant;

/// Prints what a step does and how long it usually takes.
pub fn doing(what: &str, usually: &str) {
    println!("setup: {what} (usually {usually}) ...");
}

/// Prints that a step is done and how long it took.
pub fn done(what: &str, started: Instant) {
    println!("setup: {what} done in {:.0} s", started.elapsed().as_secs_f64());
}
