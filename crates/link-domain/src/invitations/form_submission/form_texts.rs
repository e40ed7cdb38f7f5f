//! The texts of a form in the language of a person.

use std::collections::BTreeMap;

use link_types::form_submission::LinkSiteForm;

use crate::kernel::languages::Languages;

/// The texts of a form in one language. Texts without a translation stay as they are.
#[derive(Clone, Copy, Debug)]
pub struct FormTexts<'a> {
    own: &'a str,
    translations: Option<(&'a str, &'a BTreeMap<String, String>)>,
}

impl<'a> FormTexts<'a> {
    /// Chooses the best of a form's languages.
    pub fn of(form: &'a LinkSiteForm, languages: &Languages) -> Self {
        let locale = languages.best_translation(&form.locale, &form.translations);
        let translations = form.translations.get(locale).map(|words| (locale, words));
        Self { own: &form.locale, translations }
    }

    /// Returns a text of the form as the person sees it, and its language.
    pub fn text(self, text: &'a str) -> (&'a str, &'a str) {
        let translation = self.translations.and_then(|(locale, words)| Some((words.get(text)?, locale)));
        translation.map_or((text, self.own), |(translation, locale)| (translation.as_str(), locale))
    }
}

/// Returns every text of a form that a person sees.
pub(super) fn shown(form: &LinkSiteForm) -> impl Iterator<Item = &str> {
    let fields = form.fields.iter().flat_map(|field| {
        let choices = field.choices.iter().map(String::as_str);
        std::iter::once(field.label.as_str()).chain(field.help.as_deref()).chain(choices)
    });
    form.name.as_deref().into_iter().chain(fields)
}

#[cfg(test)]
mod tests {
    use super::super::definition::tests::field;
    use super::*;
    use link_types::form_submission::LinkSiteFieldType;
    use rstest::rstest;

    #[rstest]
    #[case::translated("es", ("Coche", "es-MX"))]
    #[case::own_before_a_translation("en, es;q=0.5", ("Car", "en"))]
    #[case::unknown("tlh", ("Car", "en"))]
    fn texts_are_in_the_best_language(#[case] languages: &str, #[case] expected: (&str, &str)) {
        let words = BTreeMap::from([("Car".to_owned(), "Coche".to_owned())]);
        let form = LinkSiteForm {
            name: None,
            reference: "loan".into(),
            fields: vec![field("use", LinkSiteFieldType::Choice, &["Car", "Home"])],
            locale: "en".into(),
            translations: BTreeMap::from([("es-MX".to_owned(), words)]),
        };
        let texts = FormTexts::of(&form, &Languages::of(languages));
        assert_eq!(texts.text("Car"), expected);
        assert_eq!(texts.text("Home"), ("Home", "en"), "a text without a translation");
    }
}
