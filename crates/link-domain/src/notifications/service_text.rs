//! The texts of hosted pages and mails, in every language of the widget.
//!
//! Our own: the catalogues have only arguments and plural forms, which need 100 lines (ADR 180).

use std::collections::BTreeMap;

use crate::notifications::generated::service_texts::SERVICE_KEYS;
pub use crate::notifications::generated::service_texts::ServiceText;
use crate::notifications::own_texts;

mod locale;

pub use self::locale::{Locale, direction, isolate};

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

/// The texts of one page or mail.
#[derive(Clone, Debug)]
pub struct Words {
    locale: Locale,
    /// The tenant's own texts in the locale, by key.
    own: BTreeMap<String, String>,
}

impl Words {
    /// Returns the texts of a locale.
    pub const fn for_locale(locale: Locale) -> Self {
        Self { locale, own: BTreeMap::new() }
    }

    /// Returns the texts of a locale, with a link template's own texts in their place.
    pub fn with_own(locale: Locale, own: &BTreeMap<String, BTreeMap<String, String>>) -> Self {
        let of_pages = |(key, _): &(&String, &String)| own_texts::is_of_pages(key);
        let own = own.get(locale.tag()).into_iter().flatten().filter(of_pages);
        Self { locale, own: own.map(|(key, text)| (key.clone(), text.clone())).collect() }
    }

    /// Returns the locale.
    pub const fn locale(&self) -> Locale {
        self.locale
    }

    /// Returns a text with the values of its arguments, in their order.
    pub fn text(&self, text: ServiceText, values: &[Value<'_>]) -> String {
        let key = SERVICE_KEYS.get(text as usize);
        let Some((own, names)) = key.and_then(|(key, names)| Some((self.own.get(*key)?, names))) else {
            return self.locale.text(text, values);
        };
        own_texts::fill(own, |name| {
            let value = names.iter().position(|it| *it == name).and_then(|at| values.get(at));
            value.map(|value| self.locale.show(*value)).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod words_tests {
    use super::*;
    use crate::kernel::languages::Languages;

    fn own(locale: &str, texts: &[(&str, &str)]) -> BTreeMap<String, BTreeMap<String, String>> {
        let texts = texts.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        BTreeMap::from([(locale.to_owned(), texts.collect())])
    }

    #[test]
    fn own_text_replaces_that_of_its_locale_only() {
        let texts = own("es-MX", &[("page-retry", "Otra vez"), ("page-footer", "{ $company } y {$company}")]);
        let spanish = Words::with_own(Locale::choose(&Languages::from_header("es"), None), &texts);
        assert_eq!(spanish.text(ServiceText::PageRetry, &[]), "Otra vez");
        assert_eq!(spanish.text(ServiceText::PageFooter, &[Value::Text("Sol")]), "Sol y Sol");
        assert_eq!(spanish.text(ServiceText::PageFormContinue, &[]), "Continuar");
        assert_eq!(Words::with_own(Locale::ENGLISH, &texts).text(ServiceText::PageRetry, &[]), "Try again");
    }

    #[test]
    fn texts_that_protect_the_recipient_cannot_be_replaced() {
        let texts = own("en", &[("mail-stop", "Read more"), ("stop-title", "Win a prize")]);
        let words = Words::with_own(Locale::ENGLISH, &texts);
        assert_eq!(words.text(ServiceText::MailStop, &[]), "Stop all our email to this address");
        assert_eq!(words.text(ServiceText::StopTitle, &[]), "Stop all email to this address?");
    }
}
