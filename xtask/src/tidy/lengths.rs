//! Limits the length of source files and of test names.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// Maximum number of lines in a source file.
const FILE: usize = 400;
/// Maximum number of characters in the name of a test.
const TEST_NAME: usize = 80;

/// Finds source files longer than [`FILE`] and test names longer than [`TEST_NAME`].
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let sources = files.iter().filter(|(path, _)| path.ends_with(".rs") || path.ends_with(".ts"));
    Ok(sources.flat_map(|(path, text)| file(path, text).into_iter().chain(names(path, text))).collect())
}

fn file(path: &str, text: &str) -> Option<Breach> {
    let lines = text.lines().count();
    (lines > FILE).then(|| Breach {
        place: format!("{path}: {lines} lines"),
        rule: "a file has at most 400 lines: split it by topic",
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
    fn long_name_is_a_breach_only_in_tests() {
        let long = "a".repeat(TEST_NAME + 1);
        assert_eq!(names("x.rs", &format!("#[test]\nfn {long}() {{}}\n")).len(), 1);
        assert_eq!(
            names("x.rs", &format!("#[tokio::test]\n#[expect(x)]\nasync fn {long}() {{}}\n")).len(),
            1
        );
        assert_eq!(names("x.rs", &format!("#[test]\nfn short() {{}}\nfn {long}() {{}}\n")), []);
    }

    #[test]
    fn file_of_more_than_400_lines_is_a_breach() {
        assert_eq!(file("x.rs", &"\n".repeat(FILE)), None);
        assert!(file("x.rs", &"\n".repeat(FILE + 1)).is_some());
    }
}
