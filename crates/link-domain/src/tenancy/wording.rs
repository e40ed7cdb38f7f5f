//! A provider's texts in the language of a person.

use std::collections::BTreeMap;

use link_types::challenge::ChallengeKind;
use link_types::link::{AccountProgress, LinkPhase};
use link_types::provider::{Choice, FieldSchema, LoginOption, Provider, Translations};

use crate::kernel::languages::Languages;

/// The translations of one provider into one language, by the default text. Texts without one stay as they are.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'a>(Option<&'a BTreeMap<String, String>>);

impl<'a> Wording<'a> {
    /// Chooses the best of a provider's translations.
    pub fn for_languages(translations: &'a Translations, languages: &Languages) -> Self {
        let best = languages.best(translations.keys().map(String::as_str));
        Self(best.and_then(|locale| translations.get(locale)))
    }

    fn text(self, text: String) -> String {
        match self.0.and_then(|words| words.get(&text)) {
            Some(translation) => translation.clone(),
            None => text,
        }
    }

    /// Translates every text of a provider that a person reads.
    pub fn provider(self, provider: Provider) -> Provider {
        let option = |option: LoginOption| LoginOption {
            label: self.text(option.label),
            fields: option.fields.into_iter().map(|it| self.field(it)).collect(),
            ..option
        };
        Provider {
            name: self.text(provider.name),
            long_name: self.text(provider.long_name),
            login_options: provider.login_options.into_iter().map(option).collect(),
            ..provider
        }
    }

    fn field(self, field: FieldSchema) -> FieldSchema {
        FieldSchema {
            label: self.text(field.label),
            help: field.help.map(|it| self.text(it)),
            choices: self.choices(field.choices),
            ..field
        }
    }

    fn choices(self, choices: Vec<Choice>) -> Vec<Choice> {
        choices.into_iter().map(|it| Choice { label: self.text(it.label), ..it }).collect()
    }

    /// Translates the question and choices of a challenge that the account waits for.
    pub fn progress(self, progress: AccountProgress) -> AccountProgress {
        match progress.phase {
            LinkPhase::Challenge { challenge } => {
                let challenge =
                    link_types::challenge::Challenge { kind: self.challenge(challenge.kind), ..challenge };
                AccountProgress { phase: LinkPhase::Challenge { challenge }, ..progress }
            }
            LinkPhase::Connecting { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {} => progress,
        }
    }

    fn challenge(self, kind: ChallengeKind) -> ChallengeKind {
        match kind {
            ChallengeKind::Choice { question, choices } => {
                ChallengeKind::Choice { question: self.text(question), choices: self.choices(choices) }
            }
            ChallengeKind::Question { question, format } => {
                ChallengeKind::Question { question: self.text(question), format }
            }
            kind @ (ChallengeKind::OneTimeCode { .. }
            | ChallengeKind::Image { .. }
            | ChallengeKind::Approve { .. }
            | ChallengeKind::EmailLink { .. }
            | ChallengeKind::Redirect { .. }) => kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use link_types::format::FieldFormat;
    use link_types::provider::FieldType;

    fn translations() -> Translations {
        let pairs = [
            ("Portal", "Portal del empleado"),
            ("User name", "Usuario"),
            ("Retired", "Jubilado"),
            ("Which?", "¿Cuál?"),
        ];
        let words = pairs.map(|(text, other)| (text.to_owned(), other.to_owned()));
        Translations::from([("es-MX".to_owned(), words.into()), ("fil".to_owned(), BTreeMap::new())])
    }

    fn provider() -> Provider {
        let choices = vec![Choice { value: "r".to_owned(), label: "Retired".to_owned() }];
        let format = FieldFormat::Text { min: 1, max: 9 };
        let user = FieldSchema {
            help: Some("Which?".to_owned()),
            choices,
            ..FieldSchema::new("user", "User name", FieldType::Text, format)
        };
        let option =
            LoginOption { id: "password".to_owned(), label: "Portal".to_owned(), fields: vec![user] };
        Provider { name: "Portal".to_owned(), login_options: vec![option], ..fixture::provider() }
    }

    #[test]
    fn texts_of_a_provider_are_in_the_language_of_the_person() {
        let translations = translations();
        let shown = Wording::for_languages(&translations, &Languages::from_header("es")).provider(provider());
        assert_eq!((shown.name.as_str(), &shown.long_name), ("Portal del empleado", &provider().long_name));
        let option = &shown.login_options[0];
        assert_eq!((option.id.as_str(), option.label.as_str()), ("password", "Portal del empleado"));
        let field = &option.fields[0];
        let texts = (
            field.name.as_str(),
            field.label.as_str(),
            field.help.as_deref(),
            field.choices[0].label.as_str(),
        );
        assert_eq!(texts, ("user", "Usuario", Some("¿Cuál?"), "Jubilado"));
        assert_eq!(field.choices[0].value, "r");
    }

    #[test]
    fn texts_without_a_translation_stay_as_they_are() {
        let translations = translations();
        for language in ["ar", "fil", ""] {
            assert_eq!(
                Wording::for_languages(&translations, &Languages::from_header(language)).provider(provider()),
                provider()
            );
        }
    }

    #[test]
    fn question_is_translated_and_its_values_are_not() {
        let translations = translations();
        let choices = vec![Choice { value: "Retired".to_owned(), label: "Retired".to_owned() }];
        let asked = ChallengeKind::Choice { question: "Which?".to_owned(), choices };
        let shown = Wording::for_languages(&translations, &Languages::from_header("es-MX")).challenge(asked);
        let choices = vec![Choice { value: "Retired".to_owned(), label: "Jubilado".to_owned() }];
        assert_eq!(shown, ChallengeKind::Choice { question: "¿Cuál?".to_owned(), choices });
    }
}
