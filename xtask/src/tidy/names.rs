//! Checks the names of error types, limits and functions.

use super::breach::{Breach, written_files};
use crate::env::Env;
use crate::failure::Outcome;

/// Ends of the names of errors. A kind is a part of an error.
const ERRORS: [&str; 2] = ["Error", "ErrorKind"];

/// Ends of the names of types that a `Result` has as its error.
const RESULT_ERRORS: [&str; 5] = ["Error", "ErrorKind", "ErrorCode", "Failure", "Problem"];

/// Other types that a `Result` has as its error: types of libraries, data of the REST document, and values that say how
/// something ended.
const OTHER_RESULT_ERRORS: [&str; 12] = [
    "Display",
    "Duration",
    "Err",
    "FaultCode",
    "FieldFault",
    "FileFault",
    "GiveBack",
    "Infallible",
    "JsValue",
    "Response",
    "SignInEnd",
    "Step",
];

/// Words that end like a participle.
const NO_PARTICIPLES: [&str; 9] =
    ["embed", "exceed", "feed", "heed", "need", "proceed", "seed", "speed", "succeed"];

/// Participles with another ending. Those that are verbs or nouns as well are left out: `read`, `set`, `cut`.
const PARTICIPLES: [&str; 45] = [
    "begun",
    "born",
    "bought",
    "bound",
    "broken",
    "brought",
    "built",
    "caught",
    "chosen",
    "done",
    "drawn",
    "driven",
    "forbidden",
    "forgotten",
    "found",
    "given",
    "gone",
    "grown",
    "heard",
    "held",
    "hidden",
    "kept",
    "known",
    "left",
    "lost",
    "made",
    "met",
    "misread",
    "overridden",
    "paid",
    "proven",
    "said",
    "seen",
    "sent",
    "shown",
    "sown",
    "spent",
    "taken",
    "thrown",
    "told",
    "unknown",
    "unsent",
    "withdrawn",
    "woken",
    "written",
];

/// How the documentation of a limit begins, and words in its name.
const LIMITS: [&str; 4] = ["The maximum ", "Maximum ", "The minimum ", "Minimum "];
const LIMIT_WORDS: [&str; 4] = ["MAX", "MIN", "LIMIT", "TIMEOUT"];

/// A part of the methods `changed` and `rendered` of a component of Yew, which Yew names.
const OF_YEW: &str = "&Context<Self>";

/// Finds error types without the ending `Error`, also as the error of a `Result`, limits whose names do not say so, and
/// functions that are named by a participle or a preposition.
pub fn check(env: &Env) -> Outcome<Vec<Breach>> {
    let files = written_files(env)?;
    let sources = files.iter().filter(|(path, _)| path.ends_with(".rs"));
    let breaches = |path: &str, text: &str| {
        [errors(path, text), results(path, text), limits(path, text), functions(path, text)]
            .into_iter()
            .flatten()
    };
    Ok(sources.flat_map(|(path, text)| breaches(path, text)).collect())
}

fn errors(path: &str, text: &str) -> Vec<Breach> {
    let mut found = Vec::new();
    let (mut attribute, mut is_error) = (String::new(), false);
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if !attribute.is_empty() || line.starts_with("#[derive(") {
            attribute.push_str(line);
            if attribute.ends_with(")]") {
                is_error = std::mem::take(&mut attribute)
                    .split(['(', ',', ')'])
                    .any(|it| matches!(it.trim(), "thiserror::Error" | "Error"));
            }
            continue;
        }
        let item = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
        let name = if let Some(rest) = item.strip_prefix("enum ").or_else(|| item.strip_prefix("struct ")) {
            std::mem::take(&mut is_error).then_some(rest)
        } else if item.starts_with("impl") {
            item.split_once("Error for ").filter(|(before, _)| before.ends_with([' ', ':'])).map(|(_, it)| it)
        } else {
            None
        };
        let name = name.and_then(|it| it.split(|c: char| !c.is_alphanumeric()).next());
        if let Some(name) = name.filter(|it| !ERRORS.iter().any(|end| it.ends_with(end))) {
            found.push(Breach {
                place: format!("{path}:{}: `{name}`", number + 1),
                rule: "the name of an error type ends in `Error`",
            });
        }
    }
    found
}

fn results(path: &str, text: &str) -> Vec<Breach> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices("Result<").filter(|(at, _)| !text[..*at].ends_with(is_word));
    let error = found.filter_map(|(at, start)| Some((at, result_error(&text[at + start.len()..])?)));
    let is_allowed = |error: &str| {
        let words: Vec<&str> = error.split(|c: char| !is_word(c)).filter(|it| !it.is_empty()).collect();
        let is_plain = |word: &str| {
            word.len() == 1
                || word.starts_with(|c: char| !c.is_uppercase())
                || matches!(word, "Self" | "String")
                || OTHER_RESULT_ERRORS.contains(&word)
        };
        let is_error = |word: &&str| RESULT_ERRORS.iter().any(|end| word.ends_with(end));
        words.iter().any(is_error) || words.last().is_none_or(|word| is_plain(word))
    };
    error
        .filter(|(_, error)| !is_allowed(error))
        .map(|(at, error)| Breach {
            place: format!("{path}:{}: `{error}`", text[..at].matches('\n').count() + 1),
            rule: "the error of a `Result` is a type whose name ends in `Error`",
        })
        .collect()
}

/// Returns the second argument of the type whose arguments begin here.
fn result_error(arguments: &str) -> Option<&str> {
    let (mut depth, mut start, mut before) = (1, None, ' ');
    for (at, c) in arguments.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 1 && start.is_none() => start = Some(at + 1),
            _ => {}
        }
        if depth == 0 {
            return Some(arguments.get(start?..at)?.trim().trim_end_matches(','));
        }
        before = c;
    }
    None
}

fn functions(path: &str, text: &str) -> Vec<Breach> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.contains(OF_YEW));
    let found = lines.filter_map(|(number, line)| Some((number, function(line)?)));
    found
        .filter(|(_, name)| *name == "of" || is_participle(name))
        .map(|(number, name)| Breach {
            place: format!("{path}:{}: `{name}`", number + 1),
            rule: "a function is named by a verb: `sign` instead of `signed`, `new` or `for_account` instead of `of`",
        })
        .collect()
}

/// Finds constants that are documented as a maximum or minimum and not named so.
fn limits(path: &str, text: &str) -> Vec<Breach> {
    let (mut found, mut about) = (Vec::new(), None);
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if let Some(text) = line.strip_prefix("/// ") {
            about = about.or(Some(text));
        } else if !line.starts_with(['#', '/']) {
            let is_limit =
                about.take().is_some_and(|it: &str| LIMITS.iter().any(|start| it.starts_with(start)));
            let name =
                constant(line).filter(|name| is_limit && !LIMIT_WORDS.iter().any(|it| name.contains(it)));
            found.extend(name.map(|name| Breach {
                place: format!("{path}:{}: `{name}`", number + 1),
                rule: "a limit is named `MAX_...`, `MIN_...` or `..._LIMIT`",
            }));
        }
    }
    found
}

/// Returns the name of the constant in a line.
fn constant(line: &str) -> Option<&str> {
    let item = line.split_once("const ").or_else(|| line.split_once("static "));
    let (_, rest) = item.filter(|(before, _)| before.is_empty() || before.starts_with("pub"))?;
    rest.split_once(':').map(|(name, _)| name).filter(|it| !it.contains('('))
}

fn is_participle(name: &str) -> bool {
    let is_regular = name.ends_with("ed") && !name.contains('_') && !NO_PARTICIPLES.contains(&name);
    is_regular || PARTICIPLES.contains(&name)
}

/// Returns the name of the function that begins in a line.
fn function(line: &str) -> Option<&str> {
    let (before, rest) = line.trim_start().split_once("fn ")?;
    let is_modifier = |word: &str| {
        word.starts_with("pub") || word.ends_with(')') || matches!(word, "const" | "async" | "unsafe")
    };
    before.split_whitespace().all(is_modifier).then(|| rest.split(['(', '<']).next()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(found: Vec<Breach>) -> Vec<String> {
        found.into_iter().map(|it| it.place).collect()
    }

    #[test]
    fn error_types_with_other_names_are_found() {
        let text = "#[derive(Debug, thiserror::Error)]\n#[error(\"no\")]\npub struct Refused;\n\
                    #[derive(Debug, thiserror::Error)]\npub enum OpenError {\n}\n\
                    #[derive(Debug)]\nstruct Fault;\n\
                    #[derive(\n    Clone,\n    Error,\n)]\npub(crate) enum Broken {}\n\
                    impl std::error::Error for Unreadable {}\nimpl From<OpenError> for Fault {}\n";
        assert_eq!(
            places(errors("a.rs", text)),
            ["a.rs:3: `Refused`", "a.rs:13: `Broken`", "a.rs:14: `Unreadable`"]
        );
    }

    #[test]
    fn errors_of_results_with_other_names_are_found() {
        let text = "fn a() -> @<Vec<(u8, u8)>, FileError> {}\nfn b(it: @<u8, fn(u8) -> bool>) -> @<\n    (),\n    Lost,\n> {}\n\
                    Api@<u8, Lost>; @<(), Vec<a::Refused>>; @<u8>; @<T, E>; @<T, Box<dyn Error + Send>>; @<T, u16>;"
            .replace('@', "Result");
        assert_eq!(places(results("a.rs", &text)), ["a.rs:2: `Lost`", "a.rs:6: `Vec<a::Refused>`"]);
    }

    #[test]
    fn limits_with_other_names_are_found() {
        let text = "/// The maximum number of rows.\n/// Of a table.\n#[cfg(test)]\npub(crate) const ROWS: u8 = 1;\n\
                    /// Minimum width.\nstatic MIN_WIDTH: u8 = 1;\nconst HEIGHT: u8 = 2;\n\
                    /// The maximum of all.\npub const fn max() -> u8 {\n/// The maximum age.\nconst AGE: u8 = 1;\n";
        assert_eq!(places(limits("a.rs", text)), ["a.rs:4: `ROWS`", "a.rs:11: `AGE`"]);
    }

    #[test]
    fn functions_named_by_a_participle_are_found() {
        let text = "    pub(crate) async fn signed(&self) {\nfn sign() {}\nconst fn of<T>() {}\
                    \npub(in crate::a) fn called() {}\n// fn called(\nfn is_signed() {}\nfn need() {}\n\
                    fn rendered(&mut self, _: &Context<Self>, _: bool) {\nfn kept() {}\n";
        assert_eq!(
            places(functions("a.rs", text)),
            ["a.rs:1: `signed`", "a.rs:3: `of`", "a.rs:4: `called`", "a.rs:9: `kept`"]
        );
    }
}
