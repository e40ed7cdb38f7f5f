//! Finds styles that name the left or right side, which are wrong in a language written from right to left.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

const RULE: &str = "write the logical property (margin-inline-start, inset-inline-end, text-align: start): Arabic is \
                    written from right to left";

/// Checks the style sheets of the widget, the hosted pages and the demo page.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let styles = files.iter().filter(|(path, _)| path.starts_with("www/") && path.ends_with(".css"));
    Ok(styles.flat_map(|(path, text)| breaches(path, text)).collect())
}

fn breaches(path: &str, text: &str) -> Vec<Breach> {
    let is_wrong = |(_, line): &(usize, &str)| names_a_side(line);
    let lines = text.lines().enumerate().filter(is_wrong);
    lines.map(|(at, _)| Breach { place: format!("{path}:{}", at + 1), rule: RULE }).collect()
}

/// Returns whether a declaration positions or aligns something at the left or right. A rule for one direction may.
fn names_a_side(line: &str) -> bool {
    let Some((property, value)) = line.trim().split_once(':') else { return false };
    let is_side = |word: &str| matches!(word, "left" | "right");
    let value = value.trim().trim_end_matches(';');
    match property {
        "left" | "right" => true,
        "text-align" | "float" | "clear" => is_side(value),
        _ => ["margin", "padding", "border", "inset", "scroll-margin", "scroll-padding"].iter().any(|name| {
            property
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('-'))
                .is_some_and(|rest| is_side(rest.split('-').next().unwrap_or_default()))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_a_side_are_breaches() {
        let styles =
            "a {\n  margin-left: 4px;\n  border-right-width: 1px;\n  text-align: right;\n  left: 0;\n}\n";
        let places: Vec<_> = breaches("a.css", styles).into_iter().map(|it| it.place).collect();
        assert_eq!(places, ["a.css:2", "a.css:3", "a.css:4", "a.css:5"]);
    }

    #[test]
    fn logical_declarations_pass() {
        let styles =
            "a:hover {\n  margin-inline-start: 4px;\n  text-align: start;\n  inset-inline-end: 0;\n}\n";
        assert_eq!(breaches("a.css", styles), []);
    }
}
