//! The texts that boot.ts shows. Splits the texts of a locale like the wasm, so that the texts of the deferred chunk load
//! together with it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::deferred;
use crate::codegen;
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

/// The texts that boot.ts shows before the program runs (`www/frame/first.ts`): their names there, and their keys.
pub const FIRST_TEXTS: [(&str, &str); 11] = [
    ("wait", "starting-title"),
    ("slow", "slow-title"),
    ("slowText", "slow-text"),
    ("offline", "offline-title"),
    ("offlineText", "offline-text"),
    ("broken", "unavailable-title"),
    ("brokenText", "unavailable-text"),
    ("trapped", "trapped-title"),
    ("trappedText", "trapped-text"),
    ("retry", "action-retry"),
    ("close", "action-close"),
];

/// The texts of the consent page that boot.ts draws before the program (`www/frame/consent.ts`).
pub const CONSENT_TEXTS: [(&str, &str); 25] = [
    ("agree", "consent-agree"),
    ("choose", "consent-choose"),
    ("dataChoice", "consent-data-choice"),
    ("dataText", "consent-data-text"),
    ("dataTitle", "consent-data-title"),
    ("decline", "consent-decline"),
    ("footer", "footer-consent"),
    ("help", "help-link"),
    ("intro", "consent-intro"),
    ("privateText", "consent-private-text"),
    ("privateTitle", "consent-private-title"),
    ("sandbox", "header-sandbox"),
    ("stopText", "consent-stop-text"),
    ("stopTitle", "consent-stop-title"),
    ("syncDaily", "consent-sync-daily"),
    ("syncMonthly", "consent-sync-monthly"),
    ("syncOnce", "consent-sync-once"),
    ("syncWeekly", "consent-sync-weekly"),
    ("timeDaily", "consent-time-daily"),
    ("timeMonthly", "consent-time-monthly"),
    ("timeOnce", "consent-time-once"),
    ("timeTitle", "consent-time-title"),
    ("timeWeekly", "consent-time-weekly"),
    ("title", "consent-title"),
    ("version", "consent-version"),
];

/// Returns whether boot.ts shows the text with this key.
pub fn boot_shows(key: &str) -> bool {
    FIRST_TEXTS.iter().chain(&CONSENT_TEXTS).any(|(_, it)| *it == key)
}

/// Returns for each text, by number, whether only the deferred chunk of the wasm shows it.
pub fn find_shown_by_chunk(env: &Env) -> Outcome<Vec<bool>> {
    let keys = read(&env.at("www/frame/generated/keys.json"))?;
    let mut first = String::new();
    for folder in ["crates/link-flow/src", "crates/link-widget/src"] {
        for file in files::walk(&env.at(folder))? {
            let path = file.strip_prefix(&env.root).unwrap_or(&file).to_string_lossy().into_owned();
            if files::has_extension(&file, "rs") && !is_deferred(&path) && !path.contains("/generated/") {
                first.push_str(&files::read(&file)?);
            }
        }
    }
    Ok(keys.iter().map(|line| !codegen::shows(&first, key_of(line))).collect())
}

/// Returns the number and the English words of texts in the catalogues, by other names, as a JSON object.
///
/// # Errors
/// If a key does not exist.
pub fn first(env: &Env, texts: &[(&str, &str)]) -> Outcome<String> {
    let keys = read(&env.at("www/frame/generated/keys.json"))?;
    let english = read(&env.at("www/frame/generated/en.json"))?;
    let mut found = serde_json::Map::new();
    for (name, key) in texts {
        let number = number(&keys, key)?;
        if !english[number].is_string() {
            return Err(Failure::new(format!("The text {key} has arguments")));
        }
        found.insert((*name).to_owned(), json!([number, english[number]]));
    }
    Ok(Value::Object(found).to_string())
}

/// Returns the numbers of texts as a JSON object, by other names.
///
/// # Errors
/// If a key does not exist.
pub fn numbers(env: &Env, texts: &[(&str, &str)]) -> Outcome<String> {
    let keys = read(&env.at("www/frame/generated/keys.json"))?;
    let numbered = texts.iter().map(|(name, key)| Ok(((*name).to_owned(), json!(number(&keys, key)?))));
    Ok(Value::Object(numbered.collect::<Outcome<_>>()?).to_string())
}

/// Returns the number of a text. Each line is its key, followed by the names of its arguments.
fn number(keys: &[Value], key: &str) -> Outcome<usize> {
    let found = keys.iter().position(|line| key_of(line) == key);
    found.ok_or_else(|| Failure::new(format!("No text is named {key}")))
}

fn key_of(line: &Value) -> &str {
    line.as_str().unwrap_or_default().split(' ').next().unwrap_or_default()
}

/// Writes two files: the texts of the first part, with 0 for each deferred text, and the deferred texts in order.
pub fn part(locale: &Path, deferred: &[bool], into: &Path) -> Outcome<(PathBuf, PathBuf)> {
    let stem = files::name(locale).trim_end_matches(".json");
    let (first, chunk) = split(read(locale)?, deferred);
    let write = |name: String, texts: Vec<Value>| {
        let path = into.join(name);
        files::write(&path, Value::from(texts).to_string()).map(|()| path)
    };
    Ok((write(format!("{stem}.json"), first)?, write(format!("{stem}-chunk.json"), chunk)?))
}

fn split(texts: Vec<Value>, deferred: &[bool]) -> (Vec<Value>, Vec<Value>) {
    let mut chunk = Vec::new();
    let first = texts.into_iter().zip(deferred).map(|(text, deferred)| {
        if *deferred {
            chunk.push(text);
            Value::from(0)
        } else {
            text
        }
    });
    (first.collect(), chunk)
}

/// Returns whether a source file belongs to the deferred chunk or to the tests.
fn is_deferred(path: &str) -> bool {
    path.contains("/tests")
        || deferred::DEFERRED.iter().any(|module| {
            let (name, rest) = module.split_once("::").unwrap_or((module, ""));
            let module = format!(
                "crates/{}/src/{}",
                name.replace('_', "-"),
                rest.trim_end_matches("::").replace("::", "/")
            );
            path.strip_prefix(&module).is_some_and(|end| end == ".rs" || end.starts_with('/'))
        })
}

fn read(path: &Path) -> Outcome<Vec<Value>> {
    serde_json::from_str(&files::read(path)?).or_fail(|| format!("{} is not a JSON array", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deferred_texts_are_replaced_by_0_and_keep_their_order() {
        let texts = ["a", "b", "c", "d"].map(Value::from).to_vec();
        let (first, chunk) = split(texts, &[false, true, false, true]);
        assert_eq!(Value::from(first).to_string(), r#"["a",0,"c",0]"#);
        assert_eq!(Value::from(chunk).to_string(), r#"["b","d"]"#);
    }

    #[test]
    fn sources_of_the_chunk_are_deferred() {
        assert!(is_deferred("crates/link-flow/src/screen/deferred/upload.rs"));
        assert!(is_deferred("crates/link-flow/src/uploads/batch.rs"));
        assert!(!is_deferred("crates/link-flow/src/screen/deferred_hint.rs"));
        assert!(!is_deferred("crates/link-flow/src/screen/providers.rs"));
    }
}
