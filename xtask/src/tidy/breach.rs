//! Files that the rules read, and breaches that they report.

use crate::env::Env;
use crate::failure::Outcome;

/// One breach of a rule: where, and what the rule says.
#[derive(Debug, PartialEq, Eq)]
pub struct Breach {
    pub place: String,
    pub rule: &'static str,
}

/// Returns every text file of the project that a person wrote: tracked or about to be, not generated.
pub fn written_files(env: &Env) -> Outcome<Vec<(String, String)>> {
    let listed = env.program("git").args(["ls-files", "-co", "--exclude-standard"]).output()?;
    let mut files: Vec<(String, String)> = listed
        .lines()
        .filter(|path| !path.contains("/generated/") && !path.starts_with("tests/fixtures/"))
        .filter_map(|path| Some((path.to_owned(), std::fs::read_to_string(env.at(path)).ok()?)))
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}
