//! Checks that pages name only what exists: the threat model its tests, and the maps of the code their files.

use std::collections::BTreeSet;

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;

const PAGE: &str = "docs/explanation/threat-model.md";
const MAPS: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Finds names of tests that no function has, and paths that no file has.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let page = files::read(&env.at(PAGE))?;
    let sources = written_files(env)?;
    let functions: BTreeSet<&str> = sources
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .flat_map(|(_, text)| text.lines().filter_map(function))
        .collect();
    let missing = test_names(&page).filter(|name| !functions.contains(name));
    let tests = missing
        .map(|name| Breach { place: format!("{PAGE}: {name}"), rule: "names a test that does not exist" });
    let maps = sources.iter().filter(|(path, _)| MAPS.contains(&path.as_str()));
    let files = maps.flat_map(|(map, text)| {
        let missing = paths(text).filter(|path| !exists(path, &sources));
        missing.map(move |path| Breach {
            place: format!("{map}: {path}"),
            rule: "names a file that does not exist",
        })
    });
    Ok(tests.chain(files).collect())
}

/// Returns the paths on a page: the code spans with a slash or the extension of a source file. Leaves out what is built.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    let is_path = |span: &&str| {
        let is_plain = span.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
        let is_file =
            span.contains('/') || [".rs", ".ts", ".tsv", ".mjs"].iter().any(|it| span.ends_with(it));
        is_plain
            && is_file
            && !span.starts_with(['/', '.'])
            && !span.contains("dist")
            && !span.contains("generated")
    };
    page.split('`').skip(1).step_by(2).map(|span| span.trim_end_matches('/')).filter(is_path)
}

/// Returns whether a file or folder has this path, or ends with it. `link-flow/call.rs` is in the crate's `src`.
fn exists(path: &str, files: &[(String, String)]) -> bool {
    let in_crate = path.split_once('/').map(|(name, rest)| format!("crates/{name}/src/{rest}"));
    let has = |file: &str, path: &str| {
        let file = format!("/{file}/");
        file.contains(&format!("/{path}/"))
    };
    files.iter().any(|(file, _)| has(file, path) || in_crate.as_ref().is_some_and(|path| has(file, path)))
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
    fn paths_of_files_and_folders_are_found() {
        let page =
            "`a/b.rs`, `c.rs`, `crates/x/`, `/openapi.json`, `www/frame/dist`, `cargo xtask` and `a/{b}`";
        assert_eq!(paths(page).collect::<Vec<_>>(), ["a/b.rs", "c.rs", "crates/x"]);
        let files = [("crates/link-flow/src/call.rs".to_owned(), String::new())];
        let found = ["link-flow/call.rs", "call.rs", "crates/link-flow", "src/call.rs"];
        assert!(found.iter().all(|path| exists(path, &files)));
        assert!(!exists("all.rs", &files) && !exists("link-flow/flow.rs", &files));
    }

    #[test]
    fn async_functions_are_found() {
        assert_eq!(function("    async fn a_test_name() {"), Some("a_test_name"));
        assert_eq!(function("let fn_name = 1;"), None);
    }
}
