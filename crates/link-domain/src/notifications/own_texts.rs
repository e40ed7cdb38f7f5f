//! A tenant's custom texts. They replace catalogue texts by locale and key, with the same arguments as `{$name}`.
//!
//! The texts of mails and of the pages that stop them cannot be replaced: they protect the recipient from the tenant. Nor
//! can the texts of the choice of data, which the receipt must be able to prove, and the warning on a phone.

use std::collections::BTreeMap;

use crate::notifications::generated::service_texts::SERVICE_KEYS;
use crate::notifications::generated::text_keys::{LOCALES, TEXT_KEYS};

/// Maximum number of characters in a text.
pub const MAX_CHARACTERS: usize = 500;
/// Maximum number of texts in a template.
pub const MAX_TEXTS: usize = 200;

/// An error in a tenant's custom texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Path of the error: the locale, or the locale and the key.
    pub path: String,
    /// Reason for the error.
    pub kind: TextErrorKind,
}

/// Reason why a text is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextErrorKind {
    /// The widget does not support this locale.
    #[error("must be one of the widget's locales")]
    UnknownLocale,
    /// The catalogue does not have this key.
    #[error("the text key does not exist")]
    UnknownKey,
    /// The text says what the person agrees to, or warns them.
    #[error("this text cannot be replaced")]
    Fixed,
    /// The text is empty or too long.
    #[error("must have 1 to 500 characters")]
    Length,
    /// The text has an unknown argument, or a brace that does not belong to an argument.
    #[error("braces are allowed only around the text's own arguments, like {{$provider}}")]
    Argument,
    /// The template has too many texts.
    #[error("must have at most 200 texts")]
    TooMany,
}

/// Returns every error in a template's texts.
pub fn faults(texts: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<TextError> {
    let mut faults = Vec::new();
    let mut fault = |path: String, kind| faults.push(TextError { path, kind });
    for (locale, own) in texts {
        if !LOCALES.contains(&locale.as_str()) {
            fault(truncate(locale), TextErrorKind::UnknownLocale);
            continue;
        }
        for (key, text) in own {
            if let Err(kind) = check(key, text) {
                fault(format!("{locale}.{}", truncate(key)), kind);
            }
        }
    }
    if texts.values().map(BTreeMap::len).sum::<usize>() > MAX_TEXTS {
        fault(String::new(), TextErrorKind::TooMany);
    }
    faults
}

/// Removes the texts with an error, as a preview of a draft needs it.
pub fn remove_faulty(texts: &mut BTreeMap<String, BTreeMap<String, String>>) {
    texts.retain(|locale, own| {
        own.retain(|key, text| check(key, text).is_ok());
        LOCALES.contains(&locale.as_str())
    });
}

fn check(key: &str, text: &str) -> Result<(), TextErrorKind> {
    let of_pages = SERVICE_KEYS.iter().filter(|(name, _)| is_of_pages(name));
    let known = TEXT_KEYS.iter().chain(of_pages).find(|(name, _)| *name == key);
    let (_, arguments) = known.ok_or(TextErrorKind::UnknownKey)?;
    if is_fixed(key) {
        return Err(TextErrorKind::Fixed);
    }
    if !(1..=MAX_CHARACTERS).contains(&text.chars().count()) || text.trim().is_empty() {
        return Err(TextErrorKind::Length);
    }
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('{') {
        let (inside, after) = inside.split_once('}').ok_or(TextErrorKind::Argument)?;
        let name = inside.trim().strip_prefix('$').ok_or(TextErrorKind::Argument)?;
        if before.contains('}') || !arguments.contains(&name) {
            return Err(TextErrorKind::Argument);
        }
        rest = after;
    }
    if rest.contains('}') { Err(TextErrorKind::Argument) } else { Ok(()) }
}

/// The beginnings of the keys of texts that a tenant cannot replace.
const FIXED: [&str; 4] = ["consent-choose", "consent-data-choice", "data-", "handoff-arrival-"];

fn is_fixed(key: &str) -> bool {
    FIXED.iter().any(|start| key.starts_with(start))
}

/// Returns whether a key is of a text on the pages of an invitation. The other keys are those of the widget.
pub fn is_of_pages(key: &str) -> bool {
    key.starts_with("page-")
}

/// Returns a template's texts that the widget shows. `None` if there are none.
pub fn of_widget(
    texts: &BTreeMap<String, BTreeMap<String, String>>,
) -> Option<BTreeMap<&str, BTreeMap<&str, &str>>> {
    let texts: BTreeMap<_, BTreeMap<_, _>> = texts
        .iter()
        .map(|(locale, own)| {
            let own = own.iter().filter(|(key, _)| !is_of_pages(key));
            (locale.as_str(), own.map(|(key, text)| (key.as_str(), text.as_str())).collect())
        })
        .filter(|(_, own): &(_, BTreeMap<_, _>)| !own.is_empty())
        .collect();
    (!texts.is_empty()).then_some(texts)
}

/// Returns a valid text with the values of its arguments.
pub(crate) fn fill(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('{') {
        let Some((inside, after)) = inside.split_once('}') else { break };
        filled.push_str(before);
        filled.push_str(&value(inside.trim().trim_start_matches('$')));
        rest = after;
    }
    filled + rest
}

/// Truncates a name for use in an error.
fn truncate(name: &str) -> String {
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
    #[case::blank("  ", Some(TextErrorKind::Length))]
    #[case::other_argument("{$other}", Some(TextErrorKind::Argument))]
    #[case::missing_dollar_sign("{ARG}", Some(TextErrorKind::Argument))]
    #[case::unclosed("{$ARG", Some(TextErrorKind::Argument))]
    #[case::closed_only("a } b", Some(TextErrorKind::Argument))]
    #[case::closed_before("} {$ARG}", Some(TextErrorKind::Argument))]
    fn text_may_use_only_its_own_arguments(#[case] text: &str, #[case] fault: Option<TextErrorKind>) {
        let (key, argument) = with_argument();
        assert_eq!(check(key, &text.replace("ARG", argument)).err(), fault);
    }

    #[test]
    fn widget_gets_only_its_own_texts() {
        let own = |key: &str| BTreeMap::from([(key.to_owned(), "x".to_owned())]);
        let mut texts = BTreeMap::from([("en".to_owned(), own("page-retry"))]);
        assert_eq!(of_widget(&texts), None);
        texts.insert("ar".to_owned(), own("action-done"));
        assert_eq!(of_widget(&texts), Some(BTreeMap::from([("ar", BTreeMap::from([("action-done", "x")]))])));
    }

    #[test]
    fn texts_of_pages_may_be_replaced_and_those_of_mails_not() {
        assert_eq!(check("page-footer", "{ $company } asks you."), Ok(()));
        assert_eq!(check("page-footer", "{$provider}"), Err(TextErrorKind::Argument));
        for key in ["mail-stop", "stop-title", "default-subject"] {
            assert_eq!(check(key, "Hello"), Err(TextErrorKind::UnknownKey), "{key}");
        }
    }

    #[rstest]
    #[case("consent-choose")]
    #[case("data-choice-optional")]
    #[case("data-incomes")]
    #[case("handoff-arrival-warning")]
    fn choice_of_data_and_warnings_cannot_be_reworded(#[case] key: &str) {
        assert_eq!(check(key, "Newsletter"), Err(TextErrorKind::Fixed));
    }

    #[test]
    fn every_fixed_key_exists() {
        for start in FIXED {
            assert!(TEXT_KEYS.iter().any(|(key, _)| key.starts_with(start)), "{start}");
        }
    }

    #[test]
    fn all_text_errors_are_reported_with_their_paths() {
        let (key, _) = with_argument();
        let own = |texts: &[(&str, &str)]| {
            texts
                .iter()
                .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
                .collect::<BTreeMap<_, _>>()
        };
        let long = "x".repeat(MAX_CHARACTERS + 1);
        let texts = BTreeMap::from([
            ("en".to_owned(), own(&[(key, &long), ("no-such-text", "x")])),
            ("xx".to_owned(), own(&[(key, "x")])),
        ]);
        let mut found: Vec<_> = faults(&texts).into_iter().map(|it| (it.path, it.kind)).collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let mut expected = vec![
            (format!("en.{key}"), TextErrorKind::Length),
            ("en.no-such-text".to_owned(), TextErrorKind::UnknownKey),
            ("xx".to_owned(), TextErrorKind::UnknownLocale),
        ];
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(found, expected);
    }
}
