//! The worst patterns of the private English that the project once had: CONTRIBUTING.md, "Language".

use super::breach::{Breach, written_files};
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
];

/// Finds the patterns in pages and in comments.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    Ok(files.iter().filter(|(path, _)| path != THIS).flat_map(|(path, text)| breaches(path, text)).collect())
}

fn breaches(path: &str, text: &str) -> Vec<Breach> {
    let is_page = path.ends_with(".md");
    let is_source = [".rs", ".ts", ".mjs", ".sql"].iter().any(|end| path.ends_with(end));
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let comment = line.find("//").or_else(|| line.find("-- ")).map(|at| &line[at..]);
        let words = if is_page { Some(line) } else { comment.filter(|_| is_source) };
        let Some(words) = words.map(str::to_lowercase) else { continue };
        for (pattern, rule) in PATTERNS {
            if words.contains(pattern) {
                found.push(Breach { place: format!("{path}:{}: `{}`", number + 1, pattern.trim()), rule });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_is_found_only_in_pages_and_comments() {
        assert_eq!(breaches("docs/x.md", "It is read anew.\n").len(), 1);
        assert_eq!(breaches("a.rs", "/// Whoever asks.\nlet whoever = 1;\n").len(), 1);
        assert_eq!(breaches("a.json", "whoever\n"), []);
    }
}
