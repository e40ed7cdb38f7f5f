//! Validation of a form's definition, beyond what the schema checks.

use std::collections::{BTreeMap, BTreeSet};

use link_types::form_submission::{LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::format::FieldFormat;
use link_types::id::{LinkSiteId, LinkTemplateId};
use link_types::provider::Translations;

use super::condition::{self, RuleErrorKind};
use super::reading::MAX_ANSWER;
use crate::kernel::languages::Languages;
use crate::tenancy::template::{TranslationError, check_translations};

/// Maximum number of characters in a translation: that of the longest text, a help.
const MAX_TEXT: usize = 500;

/// An error in a form's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormDefinitionError {
    /// Path of the invalid field, like `fields[2].choices`.
    pub path: String,
    /// Reason why the field is invalid.
    pub kind: FormDefinitionErrorKind,
}

/// Reason why a field is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormDefinitionErrorKind {
    /// Another field has the same name.
    #[error("another field has this name")]
    SameName,
    /// A CHOICE or SEVERAL has no choices, duplicate choices, or choices of the wrong length.
    #[error("must have 1 to 50 different choices of 1 to 200 characters")]
    Choices,
    /// A field of another type has choices.
    #[error("only a CHOICE or SEVERAL can have choices")]
    NoChoices,
    /// A field without a visible answer is required.
    #[error("a STATEMENT or HIDDEN cannot be required")]
    NotRequired,
    /// A HIDDEN has a condition. Its value comes from the address, before any answer.
    #[error("a HIDDEN cannot have a condition")]
    HiddenCondition,
    /// A field of another type has a format, or the format has impossible lengths.
    #[error(
        "only a TEXT can have a format, other than oneOf, with min at most max and max at most {MAX_ANSWER}"
    )]
    Format,
    /// A field of another type has rules for files.
    #[error("only a FILE can have rules for files")]
    Files,
    /// A condition is invalid.
    #[error(transparent)]
    Rule(#[from] RuleErrorKind),
    /// The form has too many translations, or one of no other language.
    #[error(transparent)]
    Language(#[from] TranslationError),
    /// A translation is of a text that the form does not have, or has the wrong length.
    #[error("must be translations of texts of the form, with 1 to 500 characters")]
    Translation,
}

/// Returns every error in a form's definition.
pub fn faults(form: &LinkSiteForm) -> Vec<FormDefinitionError> {
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for (index, field) in form.fields.iter().enumerate() {
        let mut fault = |part: &str, kind| {
            faults.push(FormDefinitionError { path: format!("fields[{index}].{part}"), kind });
        };
        if !names.insert(&field.name) {
            fault("name", FormDefinitionErrorKind::SameName);
        }
        if !has_valid_choices(field) {
            let kind = if has_choices(field) {
                FormDefinitionErrorKind::Choices
            } else {
                FormDefinitionErrorKind::NoChoices
            };
            fault("choices", kind);
        }
        let is_asked = !matches!(field.field_type, LinkSiteFieldType::Statement | LinkSiteFieldType::Hidden);
        if field.required && !is_asked {
            fault("required", FormDefinitionErrorKind::NotRequired);
        }
        if !field.format.as_ref().is_none_or(|format| fits(field, format)) {
            fault("format", FormDefinitionErrorKind::Format);
        }
        if field.files.is_some() && field.field_type != LinkSiteFieldType::File {
            fault("files", FormDefinitionErrorKind::Files);
        }
        if field.condition.is_some() && field.field_type == LinkSiteFieldType::Hidden {
            fault("condition", FormDefinitionErrorKind::HiddenCondition);
        }
        if let Some(condition) = &field.condition {
            for (part, kind) in condition::faults(condition, &form.fields, index) {
                fault(&format!("condition.{part}"), kind.into());
            }
        }
    }
    faults.extend(translation_faults(&form.locale, &form.translations, shown_texts(form)));
    faults
}

/// Returns every error in the translations of the texts `shown`, which are in the language `own`.
pub(in crate::invitations) fn translation_faults<'a>(
    own: &str,
    translations: &Translations,
    shown: impl Iterator<Item = &'a str>,
) -> Vec<FormDefinitionError> {
    if let Err(found) = check_translations(own, translations) {
        return vec![FormDefinitionError { path: "translations".to_owned(), kind: found.into() }];
    }
    let mut faults = Vec::new();
    let known: BTreeSet<&str> = shown.collect();
    for (locale, words) in translations {
        let fits = |(text, translation): (&String, &String)| {
            known.contains(text.as_str()) && (1..=MAX_TEXT).contains(&translation.chars().count())
        };
        if !words.iter().all(fits) {
            faults.push(FormDefinitionError {
                path: format!("translations.{locale}"),
                kind: FormDefinitionErrorKind::Translation,
            });
        }
    }
    faults
}

const fn has_choices(field: &LinkSiteField) -> bool {
    matches!(field.field_type, LinkSiteFieldType::Choice | LinkSiteFieldType::Several)
}

fn has_valid_choices(field: &LinkSiteField) -> bool {
    if !has_choices(field) {
        return field.choices.is_empty();
    }
    let fits = |choice: &String| (1..=200).contains(&choice.chars().count());
    let distinct: BTreeSet<&String> = field.choices.iter().collect();
    !field.choices.is_empty() && distinct.len() == field.choices.len() && field.choices.iter().all(fits)
}

/// Returns whether a field can have a format.
fn fits(field: &LinkSiteField, format: &FieldFormat) -> bool {
    let has_lengths = match format.lengths() {
        (Some(min), Some(max)) => min <= max && max <= MAX_ANSWER,
        _ => true,
    };
    field.field_type == LinkSiteFieldType::Text && !matches!(format, FieldFormat::OneOf { .. }) && has_lengths
}

/// Returns the hosted site of a link template. Its id has the same digits as the template's.
pub fn site_of(template: &LinkTemplateId) -> LinkSiteId {
    let digits = template.as_str().trim_start_matches(LinkTemplateId::PREFIX);
    let mut bytes = [0; 16];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0);
    }
    LinkSiteId::from_bytes(bytes)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use link_types::form_submission::LinkSiteField;
    use rstest::rstest;

    pub(in super::super) fn field(
        name: &str,
        field_type: LinkSiteFieldType,
        choices: &[&str],
    ) -> LinkSiteField {
        LinkSiteField {
            name: name.into(),
            label: name.into(),
            field_type,
            required: true,
            choices: choices.iter().map(|it| (*it).to_owned()).collect(),
            help: None,
            format: None,
            files: None,
            condition: None,
        }
    }

    #[test]
    fn every_error_in_a_form_definition_is_reported() {
        let fields = vec![
            field("income", LinkSiteFieldType::Text, &[]),
            field("income", LinkSiteFieldType::Text, &["a"]),
            field("use", LinkSiteFieldType::Choice, &["Car", "Car"]),
            field("use2", LinkSiteFieldType::Choice, &["Car", "Home"]),
        ];
        let form = form(fields, &[]);
        let found: Vec<_> = faults(&form).into_iter().map(|it| (it.path, it.kind)).collect();
        let expected = [
            ("fields[1].name".to_owned(), FormDefinitionErrorKind::SameName),
            ("fields[1].choices".to_owned(), FormDefinitionErrorKind::NoChoices),
            ("fields[2].choices".to_owned(), FormDefinitionErrorKind::Choices),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn hidden_field_has_no_condition() {
        use link_types::form_submission::{ConditionJoin, ConditionOperator, ConditionRule, FieldCondition};
        let rule =
            ConditionRule { field: "use".into(), operator: ConditionOperator::Answered, values: Vec::new() };
        let condition = Some(FieldCondition { join: ConditionJoin::All, rules: vec![rule] });
        let hidden = field("campaign", LinkSiteFieldType::Hidden, &[]);
        let fields = vec![
            field("use", LinkSiteFieldType::Text, &[]),
            LinkSiteField { required: false, condition, ..hidden },
        ];
        let found: Vec<_> = faults(&form(fields, &[])).into_iter().map(|it| (it.path, it.kind)).collect();
        assert_eq!(found, [("fields[1].condition".to_owned(), FormDefinitionErrorKind::HiddenCondition)]);
    }

    #[rstest]
    #[case::of_labels_and_choices(&[("es-MX", "Car", "Coche"), ("fil", "use", "Gamit")], &[])]
    #[case::unknown_text(&[("es-MX", "Boat", "Barco")], &["translations.es-MX"])]
    #[case::empty(&[("es-MX", "Car", "")], &["translations.es-MX"])]
    #[case::own_language(&[("EN", "Car", "Auto")], &["translations"])]
    #[case::no_language(&[("e", "Car", "Auto")], &["translations"])]
    fn translations_are_of_texts_of_the_form(
        #[case] translations: &[(&str, &str, &str)],
        #[case] expected: &[&str],
    ) {
        let form = form(vec![field("use", LinkSiteFieldType::Choice, &["Car"])], translations);
        let paths: Vec<_> = faults(&form).into_iter().map(|it| it.path).collect();
        assert_eq!(paths, expected);
    }

    pub(in super::super) fn form(
        fields: Vec<LinkSiteField>,
        translations: &[(&str, &str, &str)],
    ) -> LinkSiteForm {
        let translations = translations.iter().map(|(locale, text, translation)| {
            ((*locale).to_owned(), [((*text).to_owned(), (*translation).to_owned())].into())
        });
        LinkSiteForm {
            name: None,
            reference: "loan".into(),
            fields,
            locale: "en".into(),
            translations: translations.collect(),
        }
    }

    #[test]
    fn link_site_id_has_the_digits_of_its_template_id() {
        let template = LinkTemplateId::from_bytes([0x1f; 16]);
        assert_eq!(site_of(&template).as_str(), format!("site-{}", "1f".repeat(16)));
    }
}

/// The texts of a form or a link site in one language. Texts without a translation stay as they are.
#[derive(Clone, Copy, Debug)]
pub struct FormTexts<'a> {
    own: &'a str,
    translations: Option<(&'a str, &'a BTreeMap<String, String>)>,
}

impl<'a> FormTexts<'a> {
    /// Chooses the best of a form's languages.
    pub fn for_languages(form: &'a LinkSiteForm, languages: &Languages) -> Self {
        Self::choose(&form.locale, &form.translations, languages)
    }

    /// Chooses the best of the languages of texts in `own`, and of their translations.
    pub fn choose(own: &'a str, translations: &'a Translations, languages: &Languages) -> Self {
        let locale = languages.best_translation(own, translations);
        Self { own, translations: translations.get(locale).map(|words| (locale, words)) }
    }

    /// Returns the chosen language.
    pub fn locale(self) -> &'a str {
        self.translations.map_or(self.own, |(locale, _)| locale)
    }

    /// Returns a text of the form as the person sees it, and its language.
    pub fn text(self, text: &'a str) -> (&'a str, &'a str) {
        let translation = self.translations.and_then(|(locale, words)| Some((words.get(text)?, locale)));
        translation.map_or((text, self.own), |(translation, locale)| (translation.as_str(), locale))
    }
}

/// Returns every text of a form that a person sees.
pub(super) fn shown_texts(form: &LinkSiteForm) -> impl Iterator<Item = &str> {
    let fields = form.fields.iter().flat_map(|field| {
        let choices = field.choices.iter().map(String::as_str);
        std::iter::once(field.label.as_str()).chain(field.help.as_deref()).chain(choices)
    });
    form.name.as_deref().into_iter().chain(fields)
}

#[cfg(test)]
mod form_texts_tests {
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
        let texts = FormTexts::for_languages(&form, &Languages::from_header(languages));
        assert_eq!(texts.text("Car"), expected);
        assert_eq!(texts.text("Home"), ("Home", "en"), "a text without a translation");
    }
}
