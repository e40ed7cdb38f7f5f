//! Checks that ARCHITECTURE.md stays short.

use super::breach::Breach;
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;

const MAX_LINES: usize = 250;

/// Checks the length of ARCHITECTURE.md.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let lines = files::read(&env.at("ARCHITECTURE.md"))?.lines().count();
    let long = lines > MAX_LINES;
    Ok(long
        .then(|| Breach {
            place: format!("ARCHITECTURE.md: {lines} lines"),
            rule: "the map has at most 250 lines",
        })
        .into_iter()
        .collect())
}
