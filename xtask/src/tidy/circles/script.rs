//! The imports of TypeScript and JavaScript files.

use std::collections::BTreeSet;

use super::Imports;

const ENDS: [&str; 3] = [".ts", ".mjs", ".js"];

/// Returns whether a file is a script of the web or of the tests.
pub fn is_script(path: &str) -> bool {
    ["www/", "tests/"].iter().any(|folder| path.starts_with(folder))
        && ENDS.iter().any(|end| path.ends_with(end))
}

/// Returns the files that each file imports. `files` are paths with their text.
pub fn imports<'a>(files: &[(&'a str, &'a str)]) -> Imports<'a> {
    let known: BTreeSet<&'a str> = files.iter().map(|(path, _)| *path).collect();
    let found = |path: &str, text| {
        let to = specifiers(text).into_iter().filter_map(|it| file_of(path, it, &known));
        to.filter(|to| *to != path).collect()
    };
    files.iter().map(|(path, text)| (*path, found(path, text))).collect()
}

/// Returns the relative paths in `import` and `export ... from` statements, also those that only import types.
fn specifiers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.replace('{', " { ").replace('"', " \" ");
        let mut words = words.split_whitespace();
        let is_import = match words.next() {
            Some("import") => true,
            Some("export") => match words.next() {
                Some("type") => matches!(words.next(), Some("*" | "{")),
                word => matches!(word, Some("*" | "{")),
            },
            _ => false,
        };
        if is_import {
            let statement = text[start..].split(';').next().unwrap_or_default();
            found.extend(statement.split(['"', '\'']).nth(1).filter(|it| it.starts_with('.')));
        }
        start += line.len();
    }
    found
}

/// Returns the file that a relative path names in a file.
fn file_of<'a>(from: &str, specifier: &str, known: &BTreeSet<&'a str>) -> Option<&'a str> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    ["", ".ts", ".mjs", ".js", "/index.ts"]
        .iter()
        .find_map(|end| known.get(format!("{path}{end}").as_str()))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::super::circles;
    use super::*;

    #[test]
    fn imports_and_exports_of_relative_paths_are_found() {
        let text = "import { a } from \"./a\";\nimport {\n  b,\n} from \"../b\";\nimport type { C } from \"./c\";\n\
            import \"./d.mjs\";\nexport { e } from './e';\nexport * from \"./f\";\nexport type { G } from \"./g\";\n\
            import { x } from \"x\";\n// import \"./y\";\nexport function z() { return \"./z\"; }\n\
            export const w = { w: \"./w\" };\n";
        assert_eq!(specifiers(text), ["./a", "../b", "./c", "./d.mjs", "./e", "./f", "./g"]);
    }

    #[test]
    fn circles_across_folders_are_found() {
        let files = [
            ("www/a.ts", "import { b } from \"./in/b\";"),
            ("www/in/b.ts", "export * from \"./c.mjs\";"),
            ("www/in/c.mjs", "import type { A } from \"../a\";"),
            ("www/d.ts", "import \"./a\";"),
        ];
        assert_eq!(circles(&imports(&files)), [vec!["www/a.ts", "www/in/b.ts", "www/in/c.mjs"]]);
    }
}
