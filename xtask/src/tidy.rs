//! `tidy`: the house rules that no compiler knows.

mod arrows;
mod circles;
mod decisions;
mod diet;
mod language;
mod lengths;
mod map;
mod threat_model;
mod wire;
mod words;

use crate::failure::{Failure, Outcome};
use crate::machine::Machine;

pub use diet::{check_symbols, check_tree};

/// One breach of a rule: where, and what the rule says.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    place: String,
    rule: &'static str,
}

/// Checks every rule that needs no build.
pub fn run(machine: &Machine) -> Outcome {
    let mut breaches = words::check(machine)?;
    breaches.extend(map::check(machine)?);
    breaches.extend(threat_model::check(machine)?);
    breaches.extend(wire::check(machine)?);
    breaches.extend(circles::check(machine)?);
    breaches.extend(lengths::check(machine)?);
    breaches.extend(decisions::check(machine)?);
    breaches.extend(language::check(machine)?);
    if breaches.is_empty() {
        return arrows::check(machine);
    }
    let told: Vec<String> =
        breaches.iter().map(|breach| format!("{}: {}", breach.place, breach.rule)).collect();
    Err(Failure::new(format!("{} breaches of the house rules", breaches.len())).why(told.join("\n")))
}

/// Every text file of the project that a person wrote: tracked or about to be, not generated.
fn written_files(machine: &Machine) -> Outcome<Vec<(String, String)>> {
    let listed = machine.program("git").args(["ls-files", "-co", "--exclude-standard"]).output()?;
    let mut files: Vec<(String, String)> = listed
        .lines()
        .filter(|path| !path.contains("/generated/") && !path.starts_with("tests/fixtures/"))
        .filter_map(|path| Some((path.to_owned(), std::fs::read_to_string(machine.at(path)).ok()?)))
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}
