//! The form of `docs/adr`.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

const FOLDER: &str = "docs/adr/";
const INDEX: &str = "docs/adr/README.md";
/// The lines of a page.
const PAGE: usize = 65;

/// Checks that every decision has its number, a status and its three sections, and a line in the index.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let index = files.iter().find(|(path, _)| path == INDEX).map_or("", |(_, text)| text);
    let pages = files.iter().filter(|(path, _)| path.starts_with(FOLDER) && path != INDEX);
    Ok(pages.flat_map(|(path, text)| breaches(path.trim_start_matches(FOLDER), text, index)).collect())
}

fn breaches(name: &str, text: &str, index: &str) -> Vec<Breach> {
    let number = name.split('-').next().and_then(|it| it.parse::<u32>().ok());
    let title = number.map(|it| format!("# {it}. "));
    let is_status = |line: &str| {
        line == "Status: accepted"
            || line.strip_prefix("Status: superseded by ").is_some_and(|it| it.parse::<u32>().is_ok())
    };
    let rules = [
        (title.is_some_and(|it| text.starts_with(&it)), "begins with `# <number>. <title>`"),
        (text.lines().any(is_status), "has a line `Status: accepted` or `Status: superseded by <number>`"),
        (
            ["## Context", "## Decision", "## Consequences"]
                .iter()
                .all(|it| text.lines().any(|line| line == *it)),
            "has the sections Context, Decision and Consequences",
        ),
        (index.contains(&format!("({name})")), "has a line in docs/adr/README.md"),
        (text.lines().count() <= PAGE, "has at most 65 lines; measurements belong to docs/benchmarks.md"),
    ];
    let broken = rules.into_iter().filter(|(holds, _)| !holds);
    broken.map(|(_, rule)| Breach { place: format!("{FOLDER}{name}"), rule }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_without_a_status_is_a_breach() {
        let page = "# 12. Title\n\nStatus: accepted\n\n## Context\n\n## Decision\n\n## Consequences\n";
        let index = "- [12. Title](0012-title.md)\n";
        assert_eq!(breaches("0012-title.md", page, index), []);
        let missing = breaches("0012-title.md", &page.replace("accepted", "good"), index);
        assert_eq!(missing.len(), 1);
        assert_eq!(breaches("0013-title.md", page, index).len(), 2);
    }
}
