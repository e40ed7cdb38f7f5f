//! The imports of Rust files.

use std::collections::BTreeMap;

use super::Imports;

/// Returns the files that each file of a crate imports. `files` are paths relative to `src`, with their text.
pub fn imports<'a>(files: &[(&'a str, &'a str)]) -> Imports<'a> {
    let modules: BTreeMap<Vec<String>, &'a str> =
        files.iter().map(|(path, _)| (module(path), *path)).collect();
    let mut imports = Imports::new();
    for (path, text) in files {
        let from = module(path);
        let used = paths_used(text, &from, &modules);
        let found = used.iter().filter_map(|it| file_of(it, &modules)).filter(|to| to != path);
        imports.entry(path).or_default().extend(found);
    }
    imports
}

/// Returns the module of a file: `view::block` for `view/block.rs`. `lib.rs`, `main.rs` and `mod.rs` are the module of
/// their folder.
fn module(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" | "mod" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    }
}

/// Returns the file of the longest module that is a prefix of the path. Ignores the root, which is a prefix of every
/// path.
fn file_of<'a>(import: &[String], modules: &BTreeMap<Vec<String>, &'a str>) -> Option<&'a str> {
    (1..=import.len()).rev().find_map(|length| modules.get(&import[..length]).copied())
}

/// Returns the paths that a text uses, relative to the crate's root: paths that start with `crate`, `super`, `self`, a
/// child or an imported module, in `use` declarations and in expressions. A module that only re-exports its children
/// does not import them. Ignores the `#[cfg(test)] mod tests` at the end of the text.
fn paths_used(text: &str, from: &[String], modules: &BTreeMap<Vec<String>, &str>) -> Vec<Vec<String>> {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut found = Vec::new();
    let own = without_reexports(&code);
    for child in child_modules(&code) {
        paths(&own, &format!("{child}::"), from, &mut found);
    }
    paths(&own, "self::", from, &mut found);
    paths(&code, "crate::", &[], &mut found);
    paths(&code, "super::", from, &mut found);
    let imported: Vec<Vec<String>> =
        found.iter().filter(|path| modules.contains_key(*path)).cloned().collect();
    for module in imported {
        if let Some((name, parents)) = module.split_last() {
            paths(&code, &format!("{name}::"), parents, &mut found);
        }
    }
    found
}

/// Returns the modules that a text declares and that have their own file.
fn child_modules(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let mut words = line.strip_suffix(';')?.rsplit(' ');
        let name = words.next()?;
        (words.next() == Some("mod")).then_some(name)
    })
}

/// Returns a text without its public `use` declarations.
fn without_reexports(code: &str) -> String {
    let start = |it: &str| {
        ["pub use ", "pub(crate) use ", "pub(super) use "].iter().filter_map(|use_| it.find(use_)).min()
    };
    code.split_inclusive(';').map(|it| start(it).map_or(it, |at| &it[..at])).collect()
}

/// Adds the paths of a text that begin with `root`. They are relative to `base`. Ignores the path of a visibility.
fn paths(code: &str, root: &str, base: &[String], found: &mut Vec<Vec<String>>) {
    let mut rest = code;
    while let Some(at) = rest.find(root) {
        let before = &rest[..at];
        let starts = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$')
            && !before.ends_with("pub(in ");
        let tail = &rest[at..];
        if starts {
            let mut base = base.to_vec();
            let mut path = tail.strip_prefix("crate::").unwrap_or(tail);
            while let Some(further) = path.strip_prefix("super::") {
                base.pop();
                path = further;
            }
            group(path, &base, found);
        }
        rest = &tail[root.len()..];
    }
}

/// Adds the paths of `a::b` or `a::{b, c::d}`. Returns the text after them.
fn group<'t>(text: &'t str, base: &[String], found: &mut Vec<Vec<String>>) -> &'t str {
    let mut path = base.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(tail) = rest.strip_prefix('{') {
            rest = tail;
            loop {
                rest = rest.trim_start();
                if let Some(tail) = rest.strip_prefix('}') {
                    return tail;
                }
                let after = group(rest, &path, found).trim_start();
                let after = after.strip_prefix(',').unwrap_or(after);
                if after.len() == rest.len() {
                    return after;
                }
                rest = after;
            }
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        if !name.is_empty() && name != "self" {
            path.push(name.to_owned());
        }
        match tail.strip_prefix("::") {
            Some(tail) if !name.is_empty() => rest = tail,
            Some(_) | None => {
                found.push(path);
                let tail = tail.trim_start();
                let renamed = tail.strip_prefix("as ").map(|it| it.trim_start());
                let renamed =
                    renamed.map(|it| it.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'));
                return renamed.unwrap_or(tail);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::circles;
    use super::*;

    #[test]
    fn import_groups_and_paths_in_expressions_are_resolved() {
        let text = "use crate::a::{self, b::C, D as E};\nuse super::{Footer};\nfn f() -> crate::x::Y { super::z::g() }\nuse crate::z;\nfn h() { z::k() }\n";
        let from = ["screen".to_owned(), "login".to_owned()];
        let modules = BTreeMap::from([(vec!["z".to_owned()], "z.rs")]);
        let found: Vec<String> = paths_used(text, &from, &modules).iter().map(|it| it.join("::")).collect();
        assert_eq!(found, ["a", "a::b::C", "a::D", "x::Y", "z", "screen::Footer", "screen::z::g", "z::k"]);
    }

    #[test]
    fn private_imports_of_children_count_and_reexports_do_not() {
        let text = "mod a;\nmod b;\nmod c;\npub use self::a::A;\npub(super) use b::B;\nuse self::c::C;\nuse b::D;\npub(in crate::y) fn f() {}\n";
        let found: Vec<String> =
            paths_used(text, &["x".to_owned()], &BTreeMap::new()).iter().map(|it| it.join("::")).collect();
        assert_eq!(found, ["x::b::D", "x::c::C"]);
    }

    #[test]
    fn circles_through_other_files_are_found() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "use crate::b::B;\n#[cfg(test)]\nmod tests { use crate::d::D; }"),
            ("b.rs", "// use crate::d::D;\nuse crate::c::C;"),
            ("c.rs", "fn f() -> crate::a::A {}\nmod leaf;"),
            ("c/leaf.rs", "use super::C;"),
            ("d.rs", "use crate::a::A;"),
        ];
        assert_eq!(circles(&imports(&files)), [vec!["a.rs", "b.rs", "c.rs"]]);
    }
}
