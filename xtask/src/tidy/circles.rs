//! Finds import circles: files that import each other, directly or through other files.

mod rust;
mod script;

use std::collections::{BTreeMap, BTreeSet};

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// Maximum number of files in a circle.
const MAX_FILES: usize = 4;

/// The files that each file imports.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Finds circles of more than [`MAX_FILES`] files in each crate and among the scripts.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let mut crates: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    let mut scripts = Vec::new();
    for (path, text) in &files {
        if script::is_script(path) {
            scripts.push((path.as_str(), text.as_str()));
        } else if let Some((folder, inside)) = path.split_once("/src/")
            && inside.ends_with(".rs")
            && !is_test(inside)
        {
            crates.entry(folder).or_default().push((inside, text));
        }
    }
    let in_crates =
        crates.iter().flat_map(|(folder, files)| breaches(folder, &circles(&rust::imports(files))));
    Ok(in_crates.chain(breaches("scripts", &circles(&script::imports(&scripts)))).collect())
}

fn breaches(folder: &str, circles: &[Vec<&str>]) -> Vec<Breach> {
    circles
        .iter()
        .filter(|circle| circle.len() > MAX_FILES)
        .map(|circle| Breach {
            place: format!("{folder}: {} files import each other: {}", circle.len(), circle.join(", ")),
            rule: "a circle has at most 4 files: move the items they share to a module that imports none of them",
        })
        .collect()
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs" || part == "test_support")
}

/// Returns the circles, largest first.
fn circles<'a>(imports: &Imports<'a>) -> Vec<Vec<&'a str>> {
    let reach: Imports<'a> = imports.keys().map(|path| (*path, reachable(path, imports))).collect();
    let mut found: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (path, seen) in &reach {
        let circle: Vec<&str> = seen
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(path)))
            .collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|circle| usize::MAX - circle.len());
    found
}

fn reachable<'a>(from: &'a str, imports: &Imports<'a>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        let further = imports.get(next).into_iter().flatten().copied();
        open.extend(further.filter(|it| seen.insert(*it)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circle_of_more_than_four_files_is_a_breach() {
        assert_eq!(breaches("x", &[vec!["a", "b", "c", "d"]]), []);
        assert_eq!(breaches("x", &[vec!["a", "b", "c", "d", "e"]]).len(), 1);
    }
}
