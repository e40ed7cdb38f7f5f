//! The texts of one page: those of a locale, with the tenant's own in their place.

use std::collections::BTreeMap;

use super::{Locale, ServiceText, Value};
use crate::notifications::generated::service_texts::SERVICE_KEYS;
use crate::tenancy::own_texts;

/// The texts of one page or mail.
#[derive(Clone, Debug)]
pub struct Words {
    locale: Locale,
    /// The tenant's own texts in the locale, by key.
    own: BTreeMap<String, String>,
}

impl Words {
    /// Returns the texts of a locale.
    pub const fn of(locale: Locale) -> Self {
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
        own_texts::filled(own, |name| {
            let value = names.iter().position(|it| *it == name).and_then(|at| values.get(at));
            value.map(|value| self.locale.show(*value)).unwrap_or_default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::languages::Languages;

    fn own(locale: &str, texts: &[(&str, &str)]) -> BTreeMap<String, BTreeMap<String, String>> {
        let texts = texts.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        BTreeMap::from([(locale.to_owned(), texts.collect())])
    }

    #[test]
    fn own_text_replaces_that_of_its_locale_only() {
        let texts = own("es-MX", &[("page-retry", "Otra vez"), ("page-footer", "{ $company } y {$company}")]);
        let spanish = Words::with_own(Locale::choose(&Languages::of("es"), None), &texts);
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
