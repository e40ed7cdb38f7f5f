//! Lengths: files, test names.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// The most lines of a source file.
const FILE: usize = 400;
/// The most characters of a test's name.
const TEST_NAME: usize = 80;

/// Files that are longer today, with their lines. A number may only shrink; remove the line at [`FILE`].
const KNOWN: &[(&str, usize)] = &[];

/// Finds long files and long test names.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let sources = files.iter().filter(|(path, _)| path.ends_with(".rs") || path.ends_with(".ts"));
    Ok(sources
        .flat_map(|(path, text)| file(path, text, KNOWN).into_iter().chain(names(path, text)))
        .collect())
}

fn file(path: &str, text: &str, known: &[(&str, usize)]) -> Option<Breach> {
    let lines = text.lines().count();
    let allowed = known.iter().find(|(known, _)| *known == path).map_or(FILE, |(_, lines)| *lines);
    (lines > allowed).then(|| Breach {
        place: format!("{path}: {lines} lines"),
        rule: "a file has at most 400 lines: split it by what a reader looks for",
    })
}

fn names(path: &str, text: &str) -> Vec<Breach> {
    let mut found = Vec::new();
    let mut is_test = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if line.starts_with("#[") {
            is_test |= ["#[test", "#[tokio::test", "#[rstest", "#[wasm_bindgen_test"]
                .iter()
                .any(|it| line.starts_with(it));
            continue;
        }
        let function = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
        let name = function.and_then(|it| it.split(['(', '<']).next()).filter(|_| is_test);
        if name.is_some_and(|name| name.len() > TEST_NAME) {
            found.push(Breach {
                place: format!("{path}:{}", number + 1),
                rule: "a test's name has at most 80 characters: <subject>_<behaviour>_<condition>",
            });
        }
        is_test = is_test && line.starts_with("//");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_a_breach_only_if_a_test_has_it() {
        let long = "a".repeat(TEST_NAME + 1);
        assert_eq!(names("x.rs", &format!("#[test]\nfn {long}() {{}}\n")).len(), 1);
        assert_eq!(
            names("x.rs", &format!("#[tokio::test]\n#[expect(x)]\nasync fn {long}() {{}}\n")).len(),
            1
        );
        assert_eq!(names("x.rs", &format!("#[test]\nfn short() {{}}\nfn {long}() {{}}\n")), []);
    }

    #[test]
    fn a_known_long_file_may_not_grow() {
        let text = "\n".repeat(FILE + 1);
        assert!(file("x.rs", &text, &[]).is_some());
        assert!(file("x.rs", &text, &[("x.rs", FILE + 1)]).is_none());
        assert!(file("x.rs", &text, &[("x.rs", FILE)]).is_some());
    }
}
