//! Checks that every test that docs/explanation/threat-model.md names exists.

use std::collections::BTreeSet;

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;

const PAGE: &str = "docs/explanation/threat-model.md";

/// Finds names on the page that no function has.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let page = files::read(&env.at(PAGE))?;
    let sources = written_files(env)?;
    let functions: BTreeSet<&str> = sources
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .flat_map(|(_, text)| text.lines().filter_map(function))
        .collect();
    let missing = test_names(&page).filter(|name| !functions.contains(name));
    Ok(missing
        .map(|name| Breach { place: format!("{PAGE}: {name}"), rule: "names a test that does not exist" })
        .collect())
}

/// Returns the test names on the page: the code spans of lower-case words with at least two underscores.
fn test_names(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2).filter(|span| {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        span.matches('_').count() >= 2 && span.bytes().all(is_word)
    })
}

fn function(line: &str) -> Option<&str> {
    let rest =
        line.trim_start().trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_spans_with_two_underscores_are_names() {
        let page = "| x | `a_test_name`, `docs/x.md`, `one_two` | plain_words_here | `second_test_1` |";
        assert_eq!(test_names(page).collect::<Vec<_>>(), ["a_test_name", "second_test_1"]);
    }

    #[test]
    fn async_functions_are_found() {
        assert_eq!(function("    async fn a_test_name() {"), Some("a_test_name"));
        assert_eq!(function("let fn_name = 1;"), None);
    }
}
