//! Finds words that sources must not contain.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// Words, the files that must not contain them, and the reason.
struct Rule {
    words: &'static [&'static str],
    in_files: fn(&str) -> bool,
    rule: &'static str,
}

/// This file names every word, so it is not searched itself.
const THIS: &str = "xtask/src/tidy/words.rs";

const RULES: &[Rule] = &[
    Rule {
        words: &["style=", "\"style\""],
        in_files: |path| path.starts_with("crates/link-widget/src"),
        rule: "the frame's CSP blocks style attributes: use a class, or CSSOM for values known only at run time",
    },
    Rule {
        words: &["from_html_unchecked", "VRaw", "set_inner_html", "set_outer_html", "insert_adjacent_html"],
        in_files: |path| path.starts_with("crates/"),
        rule: "raw HTML is banned: build elements",
    },
    Rule {
        words: &["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"],
        in_files: |path| path.starts_with("www/") && is_script(path),
        rule: "raw HTML is banned (pages with Trusted Types block it): build elements",
    },
    Rule {
        words: &["style=\"", "<style"],
        in_files: |path| path.starts_with("www/") && path.ends_with(".html"),
        rule: "pages with a strict CSP block inline styles: use a style sheet",
    },
    Rule {
        words: &["serde(tag", "serde(untagged", "serde(flatten"],
        in_files: reaches_wasm,
        rule: "tagged, untagged and flattened types add kilobytes to the wasm: tag externally",
    },
    Rule {
        words: &["TODO", "FIXME", "XXX", "todo!(", "unimplemented!("],
        in_files: |path| is_source(path) || path.ends_with(".md"),
        rule: "finish it, or open an issue",
    },
    Rule {
        words: &[
            "#[ignore",
            "test.skip",
            "it.skip",
            "describe.skip",
            "test.only",
            "it.only",
            "describe.only",
            "test.fixme",
        ],
        in_files: is_source,
        rule: "every test runs",
    },
    Rule {
        words: &["#[allow(", "#![allow(", "@ts-ignore", "@ts-nocheck", "eslint-disable"],
        in_files: is_source,
        rule: "silence a lint with #[expect(lint, reason = \"...\")] (TypeScript: @ts-expect-error), which fails when it is no longer needed",
    },
    Rule {
        words: &[
            "const PATIENCE",
            "const MOST",
            "const LONGEST",
            "const FARTHEST",
            "const FURTHEST",
            "const FEWEST",
            "const SHORTEST",
            "const LEAST",
            "const LARGEST",
            "const SMALLEST",
            "const DEEPEST",
            "const SLOWEST",
            "const NARROWEST",
            "const ENOUGH",
            "static LARGEST",
            "_PATIENCE",
            "fn patience",
            "fn most(",
        ],
        in_files: is_source,
        rule: "standard names: `MAX_...` and `MIN_...` for limits, `TIMEOUT` for a wait",
    },
    Rule {
        words: &["\"resolved\":"],
        in_files: |path| path.ends_with("package-lock.json"),
        rule: "the lock file must not name a registry: .npmrc has omit-lockfile-registry-resolved",
    },
];

/// Finds forbidden words.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    Ok(files.iter().filter(|(path, _)| path != THIS).flat_map(|(path, text)| breaches(path, text)).collect())
}

fn breaches(path: &str, text: &str) -> Vec<Breach> {
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| (rule.in_files)(path)).collect();
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for Rule { words, rule, .. } in &rules {
            if words.iter().any(|word| line.contains(word)) {
                found.push(Breach { place: format!("{path}:{}", number + 1), rule });
            }
        }
    }
    found
}

/// Returns whether a source is compiled for wasm. Events, data points and similar wire types are used only by the
/// service.
fn reaches_wasm(path: &str) -> bool {
    let service_only = ["data/", "event", "form_submission.rs", "record.rs", "signal"]
        .map(|part| format!("crates/link-types/src/{part}"));
    ["crates/link-types/src", "crates/link-flow/src", "crates/link-widget/src"]
        .iter()
        .any(|dir| path.starts_with(dir))
        && !service_only.iter().any(|part| path.starts_with(part.as_str()))
}

fn is_script(path: &str) -> bool {
    [".ts", ".js", ".mjs"].iter().any(|end| path.ends_with(end))
}

fn is_source(path: &str) -> bool {
    path.ends_with(".rs") || is_script(path) || path.ends_with(".css") || path.ends_with(".html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_is_found_only_in_files_of_its_rule() {
        let text = "fn a() {}\nhtml! { <p style=\"x\"> }\n";
        let places =
            |path: &str| breaches(path, text).into_iter().map(|breach| breach.place).collect::<Vec<_>>();
        assert_eq!(places("crates/link-widget/src/block.rs"), ["crates/link-widget/src/block.rs:2"]);
        assert_eq!(places("crates/link-server/src/lib.rs"), Vec::<String>::new());
        assert_eq!(places("www/demo/index.html"), ["www/demo/index.html:2"]);
    }
}
