//! ARCHITECTURE.md stays a map.

use super::Breach;
use crate::failure::Outcome;
use crate::files;
use crate::machine::Machine;

const LONGEST: usize = 250;

/// Checks its length.
pub fn check(machine: &Machine) -> Outcome<Vec<Breach>> {
    let lines = files::read(&machine.at("ARCHITECTURE.md"))?.lines().count();
    let long = lines > LONGEST;
    Ok(long
        .then(|| Breach {
            place: format!("ARCHITECTURE.md: {lines} lines"),
            rule: "a map has at most 250 lines",
        })
        .into_iter()
        .collect())
}
