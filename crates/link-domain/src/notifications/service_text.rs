//! The texts of hosted pages and mails, in every language of the widget.
//!
//! Our own: the catalogues have only arguments and plural forms, which need 100 lines (ADR 180).

mod locale;
mod plural;
mod words;

pub use self::locale::{Locale, direction, isolated};
pub use self::words::Words;
pub use crate::notifications::generated::service_texts::ServiceText;

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Literal text.
    Text(&'static str),
    /// The value of the argument with this number.
    Argument(usize),
    /// Forms of a number.
    Plural {
        /// Number of the argument that selects the form.
        argument: usize,
        /// The forms by exact number or plural category (`one`, `other`, ...).
        forms: &'static [(&'static str, &'static [Part])],
    },
}

/// The value of an argument.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// A name or an address.
    Text(&'a str),
    /// A whole number.
    Count(u64),
    /// A variable of an invite template, which is replaced and isolated later.
    Variable(&'a str),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notifications::generated::service_texts::{SERVICE_KEYS, SERVICE_TEXTS};
    use crate::notifications::generated::text_keys::{LOCALES, TEXT_KEYS};

    #[test]
    fn every_locale_has_every_text() {
        assert_eq!(SERVICE_TEXTS.len(), LOCALES.len());
        for texts in SERVICE_TEXTS {
            assert_eq!(texts.len(), SERVICE_KEYS.len());
        }
    }

    #[test]
    fn keys_differ_from_those_of_the_widget() {
        let widget: BTreeSet<_> = TEXT_KEYS.iter().map(|(key, _)| key).collect();
        let same: Vec<_> =
            SERVICE_KEYS.iter().map(|(key, _)| key).filter(|key| widget.contains(key)).collect();
        assert!(same.is_empty(), "{same:?}");
    }

    /// Returns the letters of a text, without those of its arguments.
    fn letters(parts: &[Part]) -> String {
        let of = |part: &Part| match part {
            Part::Text(text) => text.chars().filter(|it| it.is_alphabetic()).collect(),
            Part::Argument(_) => String::new(),
            Part::Plural { forms, .. } => forms.iter().map(|(_, parts)| letters(parts)).collect(),
        };
        parts.iter().map(of).collect()
    }

    #[test]
    fn no_text_of_another_language_is_left() {
        for (number, (key, _)) in SERVICE_KEYS.iter().enumerate() {
            let english = letters(SERVICE_TEXTS[0][number]);
            for (texts, tag) in SERVICE_TEXTS.iter().zip(LOCALES).skip(1) {
                let is_same = !english.is_empty() && letters(texts[number]) == english;
                assert!(!is_same, "{tag}: {key} is English");
            }
        }
    }
}
