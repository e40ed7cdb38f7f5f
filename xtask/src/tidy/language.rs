//! Finds the worst patterns of the private English that the project once had: CONTRIBUTING.md, "Language".

use super::breach::{Breach, written_files};
use super::literals;
use crate::env::Env;
use crate::failure::Outcome;

/// This file names every pattern, so it is not searched itself.
const THIS: &str = "xtask/src/tidy/language.rs";

/// Words, and what to write instead.
const PATTERNS: &[(&str, &str)] = &[
    (" anew", "write `again`"),
    ("once more", "write `again`"),
    ("whoever", "name who: `the caller`, `a client that`"),
    ("whatever ", "name the thing, or write `any`"),
    ("for good", "write `permanently`"),
    ("given away", "write `released`"),
    ("taken away", "write `removed`"),
    ("put back", "write `restored`"),
    ("so many", "give the number"),
    ("as good as", "write `almost`"),
    (" nobody ", "write `no one`, or name who does not"),
    (" somebody", "name who"),
    (" beside ", "write `next to` or `in addition to`"),
    ("of its own", "write `own` or `separate` before the noun"),
    ("of their own", "write `own` or `separate` before the noun"),
    (" tells ", "write `reports`, `returns` or `distinguishes`"),
    (" told ", "write `reported to` or `informed`"),
    (" is to be ", "write `must be` or `will be`"),
    (" is none", "say what it is"),
    (" is no ", "write `is not a` or `has no`"),
    (" lies in ", "write `is in`"),
    (" stands in ", "write `is in`"),
    (" gives back", "write `releases` or `returns`"),
    (" what it takes for ", "name the thing"),
    ("/// what ", "begin with the noun: `The limit that a row tests.`"),
    ("//! what ", "begin with the noun: `Building blocks of bad files.`"),
];

/// Plain phrases that contain one of the [`PATTERNS`].
const PLAIN: &[&str] = &["there is none", "there is no ", " is no longer ", "of its owner", "of their owner"];

/// Finds the patterns in pages, hosted pages, texts of the widget, comments and string literals.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    Ok(files.iter().filter(|(path, _)| path != THIS).flat_map(|(path, text)| breaches(path, text)).collect())
}

fn breaches(path: &str, text: &str) -> Vec<Breach> {
    let mut found = Vec::new();
    let continued = if path.ends_with(".rs") { literals::lines_inside_literals(text) } else { Vec::new() };
    for (number, line) in text.lines().enumerate() {
        let is_continued = continued.get(number) == Some(&true);
        let Some(prose) = (if is_continued { Some(line) } else { prose(path, line) }) else { continue };
        let prose = PLAIN.iter().fold(prose.to_lowercase(), |prose, plain| prose.replace(plain, " "));
        for (pattern, rule) in PATTERNS {
            if prose.contains(pattern) {
                found.push(Breach { place: format!("{path}:{}: `{}`", number + 1, pattern.trim()), rule });
            }
        }
    }
    found
}

/// Returns the part of a line that a person reads. In sources it starts with the first comment or string literal: code
/// after a literal has no spaces around words like `beside`, so it needs no parser.
fn prose<'a>(path: &str, line: &'a str) -> Option<&'a str> {
    let ends = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    if ends(&[".md", ".ftl", ".html"]) {
        return Some(line);
    }
    let is_script = ends(&[".ts", ".mjs", ".js"]);
    if is_script && line.trim_start().starts_with(['*', '/']) {
        return Some(line);
    }
    let starts: &[&str] = match path.rsplit_once('.')?.1 {
        "rs" => &["//", "\"", "-- "],
        "sql" => &["-- "],
        _ if is_script => &["//", "\"", "`"],
        _ => return None,
    };
    starts.iter().filter_map(|start| line.find(start)).min().map(|at| &line[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_is_found_only_in_prose() {
        assert_eq!(breaches("docs/x.md", "It is read anew.\n").len(), 1);
        assert_eq!(breaches("en.ftl", "key = It is read anew.\n").len(), 1);
        assert_eq!(breaches("x.html", "<p>It is read anew.</p>\n").len(), 1);
        assert_eq!(breaches("a.rs", "/// Whoever asks.\nlet whoever = 1;\n").len(), 1);
        assert_eq!(breaches("a.ts", "/**\n * Whoever asks.\n */\nconst whoever = 1;\n").len(), 1);
        assert_eq!(breaches("a.json", "whoever\n"), []);
    }

    #[test]
    fn documentation_comment_does_not_start_with_what() {
        assert_eq!(breaches("a.rs", "//! What tests share.\n    /// What arrived.\n").len(), 2);
        assert_eq!(breaches("a.rs", "/// The events.\n/// Returns what arrived.\n"), []);
        assert_eq!(breaches("x.md", "## What is stored\n"), []);
    }

    #[test]
    fn pattern_is_found_in_messages() {
        assert_eq!(breaches("a.rs", "#[error(\"the key is no key\")]\n").len(), 1);
        assert_eq!(breaches("a.rs", "let beside = |x| x;\npanic!(\"it is read anew\");\n").len(), 1);
        assert_eq!(breaches("a.spec.ts", "test(`a push that nobody answers`, f);\n").len(), 1);
    }

    #[test]
    fn pattern_is_found_in_continued_literals() {
        assert_eq!(breaches("a.rs", "let x = \"the key \\\n    is read anew\";\n").len(), 1);
        assert_eq!(breaches("a.rs", "let x = r#\"the key\nis read anew\n\"#;\nlet x = whoever ;\n").len(), 1);
    }

    #[test]
    fn plain_phrase_is_not_a_breach() {
        assert_eq!(breaches("x.md", "There is no key. It is no longer valid, if there is none.\n"), []);
        assert_eq!(breaches("x.md", "A key that is erased is none.\n").len(), 1);
    }
}
