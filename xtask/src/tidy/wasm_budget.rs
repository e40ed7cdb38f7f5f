//! Checks that forbidden code is not in the wasm: packages with `cargo tree`, functions by their names in the built
//! module.

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::web;

/// One line of `tests/contract/wasm-forbidden.txt`: `package NAME  why` or `symbol TEXT  why`.
#[derive(Debug, PartialEq, Eq)]
struct Forbidden<'a> {
    kind: &'a str,
    name: &'a str,
    why: &'a str,
}

const LIST: &str = "tests/contract/wasm-forbidden.txt";

/// Checks the packages that link-widget depends on, except those that only Yew depends on. Most of Yew's dependencies
/// are never linked, so for them only the functions in the module matter.
///
/// # Errors
/// If link-widget depends on a forbidden package.
pub fn check_tree(env: &Env) -> Outcome {
    let list = files::read(&env.at(LIST))?;
    let tree = env
        .cargo([
            "tree",
            "--package",
            "link-widget",
            "--target",
            "wasm32-unknown-unknown",
            "--edges",
            "normal",
        ])
        .args(["--prefix", "none", "--format", "{p}", "--prune", "yew", "--locked"])
        .output()?;
    report(
        find_packages(&find_forbidden(&list, "package"), &tree),
        "cargo tree --package link-widget --target wasm32-unknown-unknown --invert <package>",
    )
}

/// Checks the functions in the wasm before wasm-opt removes their names.
///
/// # Errors
/// If the wasm contains a forbidden function, or has no function names.
pub fn check_symbols(env: &Env) -> Outcome {
    let list = files::read(&env.at(LIST))?;
    let built = web::unshrunk_wasm(env);
    let read = |part: &PathBuf| std::fs::read(part).or_fail(|| format!("Could not read {}", part.display()));
    let wasm = built.iter().map(read).collect::<Outcome<Vec<_>>>()?.concat();
    if !contains(&wasm, b"link_widget") {
        return Err(Failure::new("The built wasm has no function names")
            .why("the profile wasm-release strips them before this check")
            .advice("remove `strip` from [profile.wasm-release]; wasm-opt strips the names later"));
    }
    let found = find_forbidden(&list, "symbol")
        .iter()
        .filter(|forbidden| contains(&wasm, forbidden.name.as_bytes()))
        .map(|forbidden| format!("{}: {}", forbidden.name, forbidden.why))
        .collect();
    report(found, &format!("find its caller: node_modules/.bin/wasm-dis {}", built[0].display()))
}

fn report(found: Vec<String>, advice: &str) -> Outcome {
    if found.is_empty() {
        return Ok(());
    }
    Err(Failure::new("The wasm contains forbidden code").why(found.join("\n")).advice(advice))
}

fn find_forbidden<'a>(list: &'a str, wanted: &str) -> Vec<Forbidden<'a>> {
    let read = |line: &'a str| {
        let (kind, rest) = line.split_once(' ')?;
        let (name, why) = rest.trim_start().split_once(' ')?;
        Some(Forbidden { kind, name, why: why.trim() })
    };
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(read)
        .filter(|one| one.kind == wanted)
        .collect()
}

fn find_packages(forbidden: &[Forbidden], tree: &str) -> Vec<String> {
    let mut found: Vec<String> = forbidden
        .iter()
        .filter(|one| tree.lines().any(|line| line.split(' ').next() == Some(one.name)))
        .map(|one| format!("{}: {}", one.name, one.why))
        .collect();
    found.dedup();
    found
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# a comment\npackage regex      +179 KB\nsymbol flt2dec  float formatting\n";

    #[test]
    fn list_is_parsed_by_kind() {
        assert_eq!(
            find_forbidden(LIST, "package"),
            [Forbidden { kind: "package", name: "regex", why: "+179 KB" }]
        );
        assert_eq!(find_forbidden(LIST, "symbol")[0].name, "flt2dec");
    }

    #[test]
    fn package_is_found_by_its_full_name() {
        let list = find_forbidden(LIST, "package");
        assert_eq!(find_packages(&list, "link-widget v0.1.0\nregex v1.11.1\n"), ["regex: +179 KB"]);
        assert!(find_packages(&list, "regex-lite v0.1.0\n").is_empty());
    }
}
