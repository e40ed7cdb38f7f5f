//! Finds error types whose name does not say that they are errors.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// Ends of names. A reason is a part of an error.
const ENDS: [&str; 2] = ["Error", "ErrorKind"];

/// Finds error types without the ending `Error`.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let sources = files.iter().filter(|(path, _)| path.starts_with("crates/") && path.ends_with(".rs"));
    Ok(sources.flat_map(|(path, text)| breaches(path, text)).collect())
}

fn breaches(path: &str, text: &str) -> Vec<Breach> {
    let mut found = Vec::new();
    let mut is_error = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("#[derive(") {
            is_error = line.contains("thiserror::Error");
        }
        let item = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
        let Some(name) = item.strip_prefix("enum ").or_else(|| item.strip_prefix("struct ")) else {
            continue;
        };
        let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if std::mem::take(&mut is_error) && !ENDS.iter().any(|end| name.ends_with(end)) {
            found.push(Breach {
                place: format!("{path}:{}: `{name}`", number + 1),
                rule: "the name of an error type ends in `Error`",
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_types_with_other_names_are_found() {
        let text = "#[derive(Debug, thiserror::Error)]\n#[error(\"no\")]\npub struct Refused;\n\
                    #[derive(Debug, thiserror::Error)]\npub enum OpenError {\n}\n\
                    #[derive(Debug)]\nstruct Fault;\n";
        let places: Vec<_> = breaches("crates/a.rs", text).into_iter().map(|it| it.place).collect();
        assert_eq!(places, ["crates/a.rs:3: `Refused`"]);
    }
}
