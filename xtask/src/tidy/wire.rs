//! Checks that fields that may be absent on the wire are of type `Option`. The widget's decoder ignores serde's
//! defaults and rejects a document in which another field is absent.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

const TYPES: &str = "crates/link-types/src/";
/// The modules with types that the widget decodes.
const READ: &[&str] = &[
    "account",
    "archive",
    "challenge",
    "consent",
    "error_code",
    "guessing",
    "host",
    "link",
    "problem",
    "provider",
    "sealing",
    "uploading",
];

/// Finds fields of wire types with a serde default that are not options.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let sources = written_files(env)?;
    let types = sources.iter().filter(|(path, _)| {
        let module = path.strip_prefix(TYPES).and_then(|file| file.strip_suffix(".rs"));
        module.is_some_and(|module| READ.contains(&module))
    });
    Ok(types
        .flat_map(|(path, text)| lines_with_defaults(text).map(move |line| format!("{path}:{line}")))
        .map(|place| Breach {
            place,
            rule: "has a serde default but is not an Option, so the widget cannot decode it",
        })
        .collect())
}

/// Returns the lines of items that follow a `serde(default)` and are not options.
fn lines_with_defaults(text: &str) -> impl Iterator<Item = usize> {
    let mut is_defaulted = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let line = line.trim_start();
        if line.starts_with("#[") || line.starts_with("//") {
            is_defaulted |= line.contains("serde(") && line.contains("default");
            return None;
        }
        let breaks = std::mem::take(&mut is_defaulted) && !line.contains(": Option<");
        breaks.then_some(index + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaulted_fields_must_be_options() {
        let text = "struct A {\n    #[serde(default)]\n    /// Doc.\n    a: Option<u8>,\n    \
                    #[serde(rename = \"type\", default)]\n    b: bool,\n    c: bool,\n}";
        assert_eq!(lines_with_defaults(text).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn defaulted_structs_are_breaches() {
        assert_eq!(lines_with_defaults("#[serde(default)]\npub struct A {").collect::<Vec<_>>(), [2]);
    }
}
