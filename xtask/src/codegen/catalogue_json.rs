//! Renders the texts of a locale as the array that boot.ts indexes by number.
//!
//! A text without arguments is a string. Any other text is an array of strings, argument numbers and
//! `{"arg": n, "plural": {"one": [...], "other": [...]}}`.

use serde_json::{Map, Value};

use super::catalogue::{Catalogue, Part};
use crate::failure::{Failure, Outcome};

/// Renders the texts of a locale, one per line, in the order of the English keys.
///
/// # Errors
/// If the keys or arguments of the locale differ from the English ones.
pub fn render(english: &Catalogue, locale: &Catalogue, tag: &str) -> Outcome<String> {
    check(english, locale, tag)?;
    let mut lines = Vec::new();
    for (key, parts) in &locale.messages {
        lines.push(match parts.as_slice() {
            [Part::Text(text)] => Value::from(text.as_str()).to_string(),
            parts => array(parts, &english.arguments(key)).to_string(),
        });
    }
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

/// Checks that a locale has the keys of English, with the same arguments.
///
/// # Errors
/// If the keys or arguments of the locale differ from the English ones.
pub fn check(english: &Catalogue, locale: &Catalogue, tag: &str) -> Outcome {
    same_keys(english, locale, tag)?;
    for key in locale.messages.keys() {
        let (names, used) = (english.arguments(key), locale.arguments(key));
        let odd = |of: &[String], than: &[String]| of.iter().find(|name| !than.contains(name)).cloned();
        if let Some(unknown) = odd(&used, &names) {
            return Err(Failure::new(format!(
                "{tag}.ftl: {key} uses ${unknown}, which the English text does not have"
            )));
        }
        if let Some(unused) = odd(&names, &used) {
            return Err(Failure::new(format!(
                "{tag}.ftl: {key} does not use ${unused}, which the English text has"
            )));
        }
    }
    Ok(())
}

/// Renders every key with the names of its arguments, one per line, in the order of the numbers. boot.ts uses them to
/// apply a tenant's own texts.
pub fn keys(english: &Catalogue) -> String {
    let lines: Vec<String> = english
        .messages
        .keys()
        .map(|key| {
            let words: Vec<String> = [vec![key.clone()], english.arguments(key)].concat();
            Value::from(words.join(" ")).to_string()
        })
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Adds the English text for each key that a translation does not have, and removes keys that English does not have.
/// Returns the added keys.
pub fn borrow(english: &Catalogue, locale: &mut Catalogue) -> Vec<String> {
    locale.messages.retain(|key, _| english.messages.contains_key(key));
    let mut missing = Vec::new();
    for (key, parts) in &english.messages {
        if !locale.messages.contains_key(key) {
            locale.messages.insert(key.clone(), parts.clone());
            missing.push(key.clone());
        }
    }
    missing
}

fn same_keys(english: &Catalogue, locale: &Catalogue, tag: &str) -> Outcome {
    let lacks = |one: &Catalogue, other: &Catalogue| -> Vec<String> {
        one.messages.keys().filter(|key| !other.messages.contains_key(*key)).cloned().collect()
    };
    let (missing, unknown) = (lacks(english, locale), lacks(locale, english));
    if missing.is_empty() && unknown.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{tag}.ftl and en.ftl have different keys")).why(format!(
        "missing: {}\nnot in English: {}",
        missing.join(" "),
        unknown.join(" ")
    )))
}

fn array(parts: &[Part], names: &[String]) -> Value {
    let number = |name: &String| Value::from(names.iter().position(|known| known == name));
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Value::from(text.as_str()),
            Part::Argument(name) => number(name),
            Part::Plural { argument, forms } => {
                let forms = forms.iter().map(|(form, parts)| (form.clone(), array(parts, names)));
                let plural: Map<String, Value> = forms.collect();
                Value::from(Map::from_iter([
                    ("arg".into(), number(argument)),
                    ("plural".into(), plural.into()),
                ]))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::catalogue::parse;

    #[test]
    fn text_is_a_string_or_an_array_of_parts() {
        let source = "b = { $who } has { $n ->\n [one] one\n *[other] { $n }\n }\na = Plain \"text\"\n";
        let english = parse(source, "en").unwrap();
        assert_eq!(
            render(&english, &english, "en").unwrap(),
            "[\n\"Plain \\\"text\\\"\",\n[0,\" has \",{\"arg\":1,\"plural\":{\"one\":[\"one\"],\"other\":[1]}}]\n]\n"
        );
    }

    #[test]
    fn translation_numbers_its_arguments_like_english() {
        let english = parse("a = { $first } and { $second }\n", "en").unwrap();
        let other = parse("a = { $second } y { $first }\n", "es").unwrap();
        assert_eq!(render(&english, &other, "es").unwrap(), "[\n[1,\" y \",0]\n]\n");
    }

    #[test]
    fn keys_are_listed_with_the_names_of_their_arguments() {
        let english = parse("b = { $who } of { $all }\na = A\n", "en").unwrap();
        assert_eq!(keys(&english), "[\n\"a\",\n\"b who all\"\n]\n");
    }

    #[test]
    fn missing_translations_are_borrowed_and_reported() {
        let english = parse("a = A\nb = B\n", "en").unwrap();
        let mut other = parse("a = Á\nc = C\n", "es").unwrap();
        assert_eq!(borrow(&english, &mut other), ["b"]);
        assert_eq!(render(&english, &other, "es").unwrap(), "[\n\"Á\",\n\"B\"\n]\n");
    }

    #[test]
    fn translation_with_other_keys_or_arguments_is_rejected() {
        let english = parse("a = { $n }\nb = B\n", "en").unwrap();
        for (source, why) in [
            ("a = A\n", "missing: b"),
            ("a = A\nb = B\nc = C\n", "not in English: c"),
            ("a = { $m }\nb = B\n", "uses $m"),
            ("a = A\nb = B\n", "does not use $n"),
        ] {
            let refused = render(&english, &parse(source, "es").unwrap(), "es").unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
