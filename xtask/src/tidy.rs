//! `tidy`: checks the house rules that no compiler checks.

mod arrows;
mod breach;
mod circles;
mod decisions;
mod directions;
mod language;
mod lengths;
mod literals;
mod mentions;
mod names;
mod wasm_budget;
mod wire;
mod words;

use self::breach::Breach;
use crate::book;
use crate::env::Env;
use crate::failure::{Failure, Outcome};

pub use wasm_budget::{check_symbols, check_tree};

/// Checks every rule that does not need a build.
///
/// # Errors
/// If a file breaks a rule. The failure lists all of them.
pub fn run(env: &Env) -> Outcome {
    let mut breaches = words::check(env)?;
    breaches.extend(names::check(env)?);
    breaches.extend(mentions::check(env)?);
    breaches.extend(wire::check(env)?);
    breaches.extend(circles::check(env)?);
    breaches.extend(lengths::check(env)?);
    breaches.extend(decisions::check(env)?);
    breaches.extend(directions::check(env)?);
    breaches.extend(language::check(env)?);
    let pages = book::find_faults(env)?;
    breaches.extend(pages.into_iter().map(|(place, rule)| Breach { place, rule }));
    if breaches.is_empty() {
        return arrows::check(env);
    }
    let lines: Vec<String> =
        breaches.iter().map(|breach| format!("{}: {}", breach.place, breach.rule)).collect();
    Err(Failure::new(format!("{} breaches of the house rules", breaches.len())).why(lines.join("\n")))
}
