//! The texts of the sandbox's providers in every language of the widget: `translations.tsv`. Brands stay as they are.

use std::collections::BTreeMap;

use link_types::provider::Translations;

/// A heading with the locales, then a row for each text: its default, and the text in each locale.
const TABLE: &str = include_str!("translations.tsv");

/// Returns the translations of all texts.
pub(super) fn all() -> Translations {
    let mut rows = TABLE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let locales = rows.next().unwrap_or_default();
    let mut translations = Translations::new();
    for row in rows {
        let Some((text, columns)) = row.split_first() else { continue };
        for (locale, column) in locales.iter().skip(1).zip(columns) {
            let words: &mut BTreeMap<_, _> = translations.entry((*locale).to_owned()).or_default();
            words.insert((*text).to_owned(), (*column).to_owned());
        }
    }
    translations
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use link_domain::kernel::languages::Languages;
    use link_domain::notifications::generated::text_keys::LOCALES;
    use link_domain::tenancy::wording::Wording;
    use link_types::provider::Provider;
    use rstest::rstest;

    use super::*;
    use crate::sandbox::providers;

    /// Names that are brands, and product names.
    const BRANDS: [&str; 4] = ["Rápido Rides", "Talleres Aurora", "Barangay Payroll", "Sahod Payroll"];

    fn texts(provider: &Provider) -> Vec<String> {
        let mut texts = vec![provider.name.clone(), provider.long_name.clone()];
        for option in &provider.login_options {
            texts.push(option.label.clone());
            for field in &option.fields {
                texts.push(field.label.clone());
                texts.extend(field.help.clone());
                texts.extend(field.choices.iter().map(|it| it.label.clone()));
            }
        }
        texts
    }

    #[rstest]
    fn every_text_of_every_provider_is_translated(
        #[values("en", "es-MX", "fil", "id", "pt-BR", "zh-Hans", "ar")] locale: &str,
    ) {
        let translations = all();
        let wording = Wording::for_languages(&translations, &Languages::from_header(locale));
        for provider in providers::all() {
            let shown = wording.provider(provider.clone());
            for (text, shown) in texts(&provider).iter().zip(texts(&shown)) {
                let is_known = translations[locale].contains_key(text) || BRANDS.contains(&text.as_str());
                assert!(is_known, "{locale}: {text}");
                let must_differ = !matches!(locale, "en" | "es-MX") && !BRANDS.contains(&text.as_str());
                assert!(!must_differ || *text != shown, "{locale}: {text}");
            }
        }
    }

    #[test]
    fn languages_are_those_of_the_widget() {
        let translations = all();
        let ours: BTreeSet<_> = translations.keys().map(String::as_str).collect();
        assert_eq!(ours, LOCALES.iter().copied().collect());
    }
}
