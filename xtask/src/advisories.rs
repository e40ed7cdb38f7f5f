//! `advisories`: known vulnerabilities in what we depend on. Apart from `test`, because it needs the network.

use crate::failure::Outcome;
use crate::machine::Machine;

/// Asks the RustSec database.
pub fn run(machine: &Machine) -> Outcome {
    println!("advisories: fetching the RustSec database from github.com; this needs the network");
    machine.cargo(["deny", "--all-features", "check", "advisories"]).run().map_err(|failure| {
        failure.advice(
            "when the database could not be fetched, run it where github.com is reached; nothing was checked then",
        )
    })
}
