//! Invite templates and their two variables.

use link_types::invite_template::{self, InviteLandingPage, InviteSuccessPage, InviteTranslation};

use crate::kernel::languages::Languages;
use crate::kernel::owner::Owner;
use crate::kernel::placeholders::{Piece, find_unknown_placeholders, split_placeholders};
use crate::notifications::service_text::isolate;

/// An invite template with its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteTemplate {
    /// Tenant and environment of the template.
    pub owner: Owner,
    /// The template as REST shows it.
    pub template: invite_template::InviteTemplate,
}

/// Texts of an invite template in one language.
#[derive(Clone, Copy, Debug)]
pub struct InviteTexts<'a> {
    /// Language of the texts, as a BCP 47 tag.
    pub locale: &'a str,
    /// Subject of the mail.
    pub subject: &'a str,
    /// Body of the mail.
    pub body: &'a str,
    /// Landing page.
    pub landing_page: &'a InviteLandingPage,
    /// Success page.
    pub success_page: &'a InviteSuccessPage,
}

/// Returns the texts of a template in the best language for a person, or its own texts if none of its translations fits.
pub fn texts_for<'a>(
    template: &'a invite_template::InviteTemplate,
    languages: &Languages,
) -> InviteTexts<'a> {
    let locale = languages.best_translation(&template.locale, &template.translations);
    match template.translations.get(locale) {
        Some(translation) => texts_from_translation(locale, translation),
        None => own(template),
    }
}

fn own(template: &invite_template::InviteTemplate) -> InviteTexts<'_> {
    InviteTexts {
        locale: &template.locale,
        subject: &template.email.subject,
        body: &template.email.body,
        landing_page: &template.landing_page,
        success_page: &template.success_page,
    }
}

fn texts_from_translation<'a>(locale: &'a str, translation: &'a InviteTranslation) -> InviteTexts<'a> {
    InviteTexts {
        locale,
        subject: &translation.email.subject,
        body: &translation.email.body,
        landing_page: &translation.landing_page,
        success_page: &translation.success_page,
    }
}

/// Values of the variables.
#[derive(Clone, Copy)]
pub struct Variables<'a> {
    /// Name of the sender, for `${companyName}`.
    pub company_name: &'a str,
    /// Name of the recipient, for `${fullName}`.
    pub full_name: &'a str,
    /// Language of the texts, as a BCP 47 tag.
    pub locale: &'a str,
}

/// An unknown variable in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableError {
    /// Field that contains the variable, like `email.body` or `translations.es-MX.email.body`.
    pub field: String,
    /// Name of the variable, truncated to 64 characters.
    pub name: String,
}

/// Returns every unknown variable in a template and its translations.
pub fn variable_faults(template: &invite_template::InviteTemplate) -> Vec<VariableError> {
    let mut faults = faults_of(&own(template), "");
    for (locale, translation) in &template.translations {
        let prefix = format!("translations.{}.", locale.chars().take(35).collect::<String>());
        faults.extend(faults_of(&texts_from_translation(locale, translation), &prefix));
    }
    faults
}

fn faults_of(texts: &InviteTexts<'_>, prefix: &str) -> Vec<VariableError> {
    let texts = [
        ("email.subject", texts.subject),
        ("email.body", texts.body),
        ("landingPage.header", &texts.landing_page.header),
        ("landingPage.description", &texts.landing_page.description),
        ("landingPage.button", &texts.landing_page.button),
        ("successPage.header", &texts.success_page.header),
        ("successPage.description", &texts.success_page.description),
    ];
    let mut faults = Vec::new();
    for (field, text) in texts {
        let unknown = find_unknown_placeholders(text, |name| value(name, NO_VALUES).is_some());
        faults.extend(unknown.map(|name| VariableError { field: format!("{prefix}{field}"), name }));
    }
    faults
}

/// Values with which only the names of variables matter.
const NO_VALUES: Variables<'static> = Variables { company_name: "", full_name: "", locale: "en" };

impl Variables<'_> {
    /// Replaces the variables in a text by their values. Variables inside the values are not replaced.
    pub fn fill(self, text: &str) -> String {
        split_placeholders(text)
            .map(|piece| match piece {
                Piece::Text(text) => text.to_owned(),
                Piece::Placeholder(name) => match value(name, self) {
                    Some(value) => isolate(value, self.locale),
                    None => format!("${{{name}}}"),
                },
            })
            .collect()
    }
}

fn value<'a>(name: &str, variables: Variables<'a>) -> Option<&'a str> {
    match name {
        "companyName" => Some(variables.company_name),
        "fullName" => Some(variables.full_name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    #[rstest]
    #[case("Dear ${fullName}, ${companyName} asks", "Dear Ana, Acme asks")]
    #[case("${fullName}${fullName}", "AnaAna")]
    #[case("costs $5 {really}", "costs $5 {really}")]
    fn both_variables_are_filled_in(#[case] text: &str, #[case] expected: &str) {
        let variables = Variables { company_name: "Acme", full_name: "Ana", locale: "en" };
        assert_eq!(variables.fill(text), expected);
    }

    #[test]
    fn variables_inside_values_are_not_replaced() {
        let variables = Variables { company_name: "${fullName}", full_name: "Ana", locale: "en" };
        assert_eq!(variables.fill("From ${companyName}"), "From ${fullName}");
    }

    #[test]
    fn unknown_variables_are_reported_with_their_field() {
        let mut template = fixture::invite_template().template;
        assert_eq!(variable_faults(&template), []);
        template.email.subject = "Hi ${firstName}".into();
        template.success_page.header = "Done ${".into();
        template.translations.get_mut("es-MX").unwrap().landing_page.button = "${x}".into();
        let found = variable_faults(&template);
        let found: Vec<_> = found.iter().map(|it| (it.field.as_str(), it.name.as_str())).collect();
        let expected = [
            ("email.subject", "firstName"),
            ("successPage.header", ""),
            ("translations.es-MX.landingPage.button", "x"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn values_are_isolated_in_right_to_left_texts() {
        let variables = Variables { company_name: "Acme", full_name: "Ana", locale: "ar" };
        assert_eq!(variables.fill("${fullName}!"), "\u{2068}Ana\u{2069}!");
    }

    #[rstest]
    #[case::translated("es-AR, en", "es-MX", "Empezar")]
    #[case::own("en-GB", "en", "Begin")]
    #[case::unknown("tlh", "en", "Begin")]
    fn texts_are_in_the_best_language(#[case] languages: &str, #[case] locale: &str, #[case] button: &str) {
        let template = fixture::invite_template().template;
        let texts = texts_for(&template, &Languages::from_header(languages));
        assert_eq!((texts.locale, texts.landing_page.button.as_str()), (locale, button));
    }
}
