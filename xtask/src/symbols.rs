//! `symbols`: finds the functions at the offsets of a wasm trap.
//!
//! The served wasm has no function names. The cache stores the names of each build, under the name of the served file.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use wasmparser::{KnownCustom, Name, Parser, Payload};

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

/// The bit that is set in an offset if it is in the deferred chunk of the wasm. A report lists the offsets of both parts
/// together.
pub const IN_CHUNK: u32 = 1 << 31;

/// Paths of a module as it is served, and of the same module with function names.
pub struct NamedModule<'a> {
    /// The module without names.
    pub served: &'a Path,
    /// The module with names.
    pub named: &'a Path,
}

/// Stores the function names of both parts of a build.
pub fn keep(env: &Env, build: &str, first: &NamedModule<'_>, chunk: &NamedModule<'_>) -> Outcome {
    let mut lines = String::new();
    for (module, bit) in [(first, 0), (chunk, IN_CHUNK)] {
        for (start, end, name) in table(&read(module.served)?, &read(module.named)?)? {
            let _ = writeln!(lines, "{:08x} {:08x} {name}", start | bit, end | bit);
        }
    }
    files::write(&file(env, build), lines)
}

/// Prints the function at each offset, innermost first.
///
/// # Errors
/// If the build's names are not stored, or if a word is not an offset.
pub fn run(env: &Env, build: &str, offsets: &[&str]) -> Outcome {
    let symbols = file(env, build);
    let lines = std::fs::read_to_string(&symbols).or_fail(|| format!("Found no names of {build}")).map_err(
        |failure| {
            failure.advice(format!(
                "builds of this machine are known; for a release, put its symbol file at {}",
                symbols.display()
            ))
        },
    )?;
    for word in offsets {
        let offset = number(word).ok_or_else(|| {
            Failure::new(format!("{word} is not an offset"))
                .advice("pass a decimal number as the service stores it, or 0x and hexadecimal digits")
        })?;
        println!("{word}  {}", find(&lines, offset).unwrap_or("not in a function"));
    }
    Ok(())
}

/// A function and its size in bytes.
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size: u64,
}

/// Returns the functions of the first part of a build.
///
/// # Errors
/// If the build's names are not stored.
pub fn of_first_part(env: &Env, build: &str) -> Outcome<Vec<Symbol>> {
    let lines = files::read(&file(env, build))?;
    let functions = lines.lines().filter_map(parse_line).filter(|(start, ..)| start & IN_CHUNK == 0);
    Ok(functions
        .map(|(start, end, name)| Symbol { name: name.to_owned(), size: (end - start).into() })
        .collect())
}

fn file(env: &Env, build: &str) -> PathBuf {
    env.cache.join("symbols").join(format!("{build}.txt"))
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).or_fail(|| format!("Could not read {}", path.display()))
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

fn find(lines: &str, offset: u32) -> Option<&str> {
    let mut functions = lines.lines().filter_map(parse_line);
    functions.find(|(start, end, _)| (*start..*end).contains(&offset)).map(|(.., name)| name)
}

/// Returns start, end and name of the function in a line.
fn parse_line(line: &str) -> Option<(u32, u32, &str)> {
    let (start, rest) = line.split_once(' ')?;
    let (end, name) = rest.split_once(' ')?;
    let number = |digits| u32::from_str_radix(digits, 16).ok();
    Some((number(start)?, number(end)?, name))
}

/// Returns start, end and name of every function in the served module.
fn table(served: &[u8], named: &[u8]) -> Outcome<Vec<(u32, u32, String)>> {
    let invalid = || "Could not parse the wasm".into();
    let (mut imported, mut bodies, mut named_bodies) = (0_u32, Vec::new(), 0);
    for payload in Parser::new(0).parse_all(served) {
        let payload = payload.or_fail(invalid)?;
        if let Payload::CodeSectionEntry(body) = payload {
            bodies.push(body.range());
        } else if let Payload::ImportSection(section) = payload {
            for import in section.into_imports() {
                imported += u32::from(matches!(import.or_fail(invalid)?.ty, wasmparser::TypeRef::Func(_)));
            }
        }
    }
    let mut names = HashMap::new();
    for payload in Parser::new(0).parse_all(named) {
        let payload = payload.or_fail(invalid)?;
        if let Payload::CodeSectionEntry(_) = payload {
            named_bodies += 1;
        } else if let Payload::CustomSection(section) = payload
            && let KnownCustom::Name(section) = section.as_known()
        {
            for part in section {
                let Name::Function(map) = part.or_fail(invalid)? else { continue };
                for naming in map {
                    let naming = naming.or_fail(invalid)?;
                    names.insert(naming.index, plain(naming.name));
                }
            }
        }
    }
    if bodies.len() != named_bodies {
        return Err(Failure::new("The served wasm and the wasm with names have different functions"));
    }
    let row = |(at, range): (usize, std::ops::Range<usize>)| {
        let name = names.get(&(imported + at as u32)).cloned();
        (range.start as u32, range.end as u32, name.unwrap_or_else(|| "a function without a name".into()))
    };
    Ok(bodies.into_iter().enumerate().map(row).collect())
}

/// Decodes a name. Binaryen escapes special characters as `\` and two hexadecimal digits.
fn plain(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut pieces = name.split('\\');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        match piece.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(&piece[2..]);
            }
            None => {
                text.push('\\');
                text.push_str(piece);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(module (func $one) (func $two))`, with and without its name section.
    const CODE: &[u8] =
        &[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 3, 2, 0, 0, 10, 7, 2, 2, 0, 11, 2, 0, 11];
    const NAMES: &[u8] = &[0, 18, 4, 110, 97, 109, 101, 1, 11, 2, 0, 3, 111, 110, 101, 1, 3, 116, 119, 111];

    #[test]
    fn offset_is_found_in_its_function() {
        let table = table(CODE, &[CODE, NAMES].concat()).unwrap();
        assert_eq!(table, [(23, 25, "one".to_owned()), (26, 28, "two".to_owned())]);
        let lines = "00000017 00000019 one\n8000001a 8000001c two\n";
        assert_eq!(find(lines, 24), Some("one"));
        assert_eq!(find(lines, 25), None);
        assert_eq!(find(lines, IN_CHUNK | 26), Some("two"));
    }

    #[test]
    fn modules_with_different_functions_are_rejected() {
        let empty = &CODE[..8];
        assert!(table(CODE, empty).is_err());
    }

    #[test]
    fn escaped_names_and_hexadecimal_offsets_are_parsed() {
        assert_eq!(plain("a\\3cb\\3e\\"), "a<b>\\");
        assert_eq!((number("0x1f"), number("31"), number("x")), (Some(31), Some(31), None));
    }
}
