//! Prints the progress of the setup.

use std::time::Instant;

/// Prints the start of a step and how long it usually takes.
pub fn doing(what: &str, usually: &str) {
    println!("setup: {what} (usually {usually}) ...");
}

/// Prints the end of a step and how long it took.
pub fn print_done(what: &str, started: Instant) {
    println!("setup: {what} done in {:.0} s", started.elapsed().as_secs_f64());
}
