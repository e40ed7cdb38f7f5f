//! Limits the length of source files, of ARCHITECTURE.md and of test names.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// Maximum number of lines in a source file.
const MAX_FILE_LINES: usize = 400;
/// Maximum number of lines in ARCHITECTURE.md.
const MAX_MAP_LINES: usize = 250;
/// Maximum number of characters in the name of a test.
const MAX_TEST_NAME: usize = 80;

/// Rule about names of tests.
const NAME_RULE: &str = "a test's name has at most 80 characters: <subject>_<behaviour>_<condition>";

/// Finds source files longer than [`MAX_FILE_LINES`] and test names longer than [`MAX_TEST_NAME`].
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    Ok(files.iter().flat_map(|(path, text)| breaches(path, text)).collect())
}

fn breaches(path: &str, text: &str) -> Vec<Breach> {
    let Some((_, extension)) = path.rsplit_once('.') else { return Vec::new() };
    if path == "ARCHITECTURE.md" {
        let is_long = text.lines().count() > MAX_MAP_LINES;
        let place = || path.to_owned();
        return is_long
            .then(|| Breach { place: place(), rule: "the map has at most 250 lines" })
            .into_iter()
            .collect();
    }
    if !["rs", "ts", "mjs", "js"].contains(&extension) {
        return Vec::new();
    }
    let names = if extension == "rs" { names(path, text) } else { titles(path, text) };
    file(path, text).into_iter().chain(names).collect()
}

fn file(path: &str, text: &str) -> Option<Breach> {
    let lines = text.lines().count();
    (lines > MAX_FILE_LINES).then(|| Breach {
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
        if name.is_some_and(|name| name.len() > MAX_TEST_NAME) {
            found.push(Breach { place: format!("{path}:{}", number + 1), rule: NAME_RULE });
        }
        is_test = is_test && line.starts_with("//");
    }
    found
}

fn titles(path: &str, text: &str) -> Vec<Breach> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| title(line).is_some_and(|title| title.chars().count() > MAX_TEST_NAME))
        .map(|(number, _)| Breach { place: format!("{path}:{}", number + 1), rule: NAME_RULE })
        .collect()
}

/// Returns the title of the Playwright test that starts in a line, without the `${…}` of a template.
fn title(line: &str) -> Option<String> {
    let literal = line.trim_start().strip_prefix("test(")?;
    let quote = literal.chars().next().filter(|it| ['"', '\'', '`'].contains(it))?;
    let (title, _) = literal[1..].split_once(quote)?;
    let mut parts = title.split("${");
    let first = parts.next()?.to_owned();
    Some(parts.filter_map(|part| part.split_once('}')).fold(first, |title, (_, text)| title + text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_name_is_a_breach_only_in_tests() {
        let long = "a".repeat(MAX_TEST_NAME + 1);
        assert_eq!(names("x.rs", &format!("#[test]\nfn {long}() {{}}\n")).len(), 1);
        assert_eq!(
            names("x.rs", &format!("#[tokio::test]\n#[expect(x)]\nasync fn {long}() {{}}\n")).len(),
            1
        );
        assert_eq!(names("x.rs", &format!("#[test]\nfn short() {{}}\nfn {long}() {{}}\n")), []);
    }

    #[test]
    fn long_title_is_a_breach() {
        let long = "a".repeat(MAX_TEST_NAME + 1);
        assert_eq!(breaches("x.spec.ts", &format!("  test(\"{long}\", async () => {{\n")).len(), 1);
        assert_eq!(breaches("x.spec.ts", &format!("test(`a ${{value({long})}} b`, f);\n")), []);
        assert_eq!(title("test(`a ${b} c`, f)").as_deref(), Some("a  c"));
        assert_eq!(title("await page.test()"), None);
    }

    #[test]
    fn scripts_have_the_length_limit() {
        let long = "\n".repeat(MAX_FILE_LINES + 1);
        for path in ["x.rs", "x.ts", "x.mjs", "x.js"] {
            assert_eq!(breaches(path, &long).len(), 1, "{path}");
        }
        assert_eq!(breaches("x.json", &long), []);
    }

    #[test]
    fn file_of_more_than_400_lines_is_a_breach() {
        assert_eq!(file("x.rs", &"\n".repeat(MAX_FILE_LINES)), None);
        assert!(file("x.rs", &"\n".repeat(MAX_FILE_LINES + 1)).is_some());
    }
}
