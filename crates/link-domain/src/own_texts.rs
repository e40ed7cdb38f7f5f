//! A tenant's own texts: words in place of the catalogue's, by locale and key, with the same arguments as `{$name}`.

use std::collections::BTreeMap;

use crate::generated::text_keys::{LOCALES, TEXT_KEYS};

/// Characters one text may have.
pub const LONGEST: usize = 500;
/// Texts a template may have.
pub const MOST: usize = 200;

/// What is wrong with a tenant's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// Where: the locale, or the locale and the key.
    pub path: String,
    /// Why.
    pub kind: TextFaultKind,
}

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextFaultKind {
    /// The widget does not speak this locale.
    #[error("one of the widget's locales")]
    UnknownLocale,
    /// The catalogue has no such key.
    #[error("no such text")]
    UnknownKey,
    /// There is nothing in it, or too much.
    #[error("1 to 500 characters")]
    Length,
    /// It names an argument the text does not have, or has a brace that is none.
    #[error("braces only around the text's own arguments, like {{$provider}}")]
    Argument,
    /// The template has too many.
    #[error("at most 200 texts")]
    TooMany,
}

/// Every fault of a template's texts.
pub fn faults(texts: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<TextFault> {
    let mut faults = Vec::new();
    let mut fault = |path: String, kind| faults.push(TextFault { path, kind });
    for (locale, own) in texts {
        if !LOCALES.contains(&locale.as_str()) {
            fault(bounded(locale), TextFaultKind::UnknownLocale);
            continue;
        }
        for (key, text) in own {
            if let Err(kind) = check(key, text) {
                fault(format!("{locale}.{}", bounded(key)), kind);
            }
        }
    }
    if texts.values().map(BTreeMap::len).sum::<usize>() > MOST {
        fault(String::new(), TextFaultKind::TooMany);
    }
    faults
}

fn check(key: &str, text: &str) -> Result<(), TextFaultKind> {
    let known = TEXT_KEYS.iter().find(|(name, _)| *name == key);
    let (_, arguments) = known.ok_or(TextFaultKind::UnknownKey)?;
    if !(1..=LONGEST).contains(&text.chars().count()) || text.trim().is_empty() {
        return Err(TextFaultKind::Length);
    }
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('{') {
        let (inside, after) = inside.split_once('}').ok_or(TextFaultKind::Argument)?;
        let name = inside.trim().strip_prefix('$').ok_or(TextFaultKind::Argument)?;
        if before.contains('}') || !arguments.contains(&name) {
            return Err(TextFaultKind::Argument);
        }
        rest = after;
    }
    if rest.contains('}') { Err(TextFaultKind::Argument) } else { Ok(()) }
}

/// A name as a fault repeats it: long ones are cut.
fn bounded(name: &str) -> String {
    name.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn with_argument() -> (&'static str, &'static str) {
        let (key, arguments) = TEXT_KEYS.iter().find(|(_, arguments)| !arguments.is_empty()).unwrap();
        (key, arguments[0])
    }

    #[rstest]
    #[case::plain("Fine", None)]
    #[case::argument("Fine, {$ARG}, and { $ARG }.", None)]
    #[case::blank("  ", Some(TextFaultKind::Length))]
    #[case::other_argument("{$other}", Some(TextFaultKind::Argument))]
    #[case::no_argument("{ARG}", Some(TextFaultKind::Argument))]
    #[case::open("{$ARG", Some(TextFaultKind::Argument))]
    #[case::closed_only("a } b", Some(TextFaultKind::Argument))]
    #[case::closed_before("} {$ARG}", Some(TextFaultKind::Argument))]
    fn a_text_has_its_own_arguments_alone(#[case] text: &str, #[case] fault: Option<TextFaultKind>) {
        let (key, argument) = with_argument();
        assert_eq!(check(key, &text.replace("ARG", argument)).err(), fault);
    }

    #[test]
    fn all_faults_are_told_where_they_are() {
        let (key, _) = with_argument();
        let own = |texts: &[(&str, &str)]| {
            texts
                .iter()
                .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
                .collect::<BTreeMap<_, _>>()
        };
        let long = "x".repeat(LONGEST + 1);
        let texts = BTreeMap::from([
            ("en".to_owned(), own(&[(key, &long), ("no-such-text", "x")])),
            ("xx".to_owned(), own(&[(key, "x")])),
        ]);
        let mut found: Vec<_> = faults(&texts).into_iter().map(|it| (it.path, it.kind)).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let mut expected = vec![
            (format!("en.{key}"), TextFaultKind::Length),
            ("en.no-such-text".to_owned(), TextFaultKind::UnknownKey),
            ("xx".to_owned(), TextFaultKind::UnknownLocale),
        ];
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected);
    }
}
