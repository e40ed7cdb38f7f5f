//! Stored input of a pending step. What the person typed stays encrypted until the worker decrypts it.

use link_types::LinkErrorCode;
use link_types::Sensitive;
use link_types::challenge::CodeChannel;
use link_types::format::FieldFormat;
use link_types::id::ChallengeId;
use link_types::provider::Provider;
use link_types::sealing::SealedPurpose;
use serde::{Deserialize, Serialize};

use crate::kernel::sealed;
use crate::kernel::sealing::Sealed;
use crate::linking::account_source::{Credentials, SourceInput, Step};
use crate::linking::login_form;

/// Input of the source's next step. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PendingInput {
    /// The person submitted a login.
    Login(Box<Login>),
    /// The person typed an answer to a challenge.
    #[serde(rename_all = "camelCase")]
    Text {
        /// Challenge that the answer was encrypted for.
        challenge_id: ChallengeId,
        /// Format of the answer.
        format: FieldFormat,
        /// Encrypted answer.
        text: Box<Sealed>,
    },
    /// The person selected an answer to a challenge.
    Choice {
        /// Value of the choice.
        value: String,
    },
    /// The person signed in on the provider's page.
    #[serde(rename_all = "camelCase")]
    Redirect {
        /// The provider's authorization code.
        #[serde(with = "sealed")]
        code: Sensitive,
        /// Address that the provider sent the person back to.
        redirect_uri: String,
    },
    /// The person requested the code again.
    Resend {
        /// Channel to send the code through.
        channel: CodeChannel,
    },
    /// The wait that the source requested is over.
    Continue {},
}

/// A submitted login.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    /// Login option of the provider.
    pub option: String,
    /// Login name: the value of the option's first field that is not a secret.
    #[serde(with = "sealed")]
    pub name: Sensitive,
    /// All values of the form, encrypted.
    pub form: Sealed,
}

impl PendingInput {
    /// Decrypts the input for the source, and validates it as the widget does. The source does not receive a refused
    /// input: the step fails instead. An answer that does not match its format (INVALID_MFA) counts as a guess, and
    /// other refused inputs do not ([`GuessOutcome::from_step`](crate::linking::guesses::GuessOutcome::from_step)).
    ///
    /// # Errors
    ///
    /// The failed step of a refused input. Its code is INVALID_AUTH if the text was encrypted for another purpose, or
    /// contains another login name than the one submitted. AUTH_REQUIRED if the form is invalid. INVALID_MFA if the
    /// answer does not match the requested format. UNSUPPORTED_AUTH_TYPE if the provider does not have the login
    /// option.
    pub fn for_source(&self, root: &[u8; 32], provider: &Provider) -> Result<SourceInput, Step> {
        self.open(root, provider).map_err(|code| Step::Failed { code })
    }

    fn open(&self, root: &[u8; 32], provider: &Provider) -> Result<SourceInput, LinkErrorCode> {
        match self {
            Self::Login(login) => login.open(root, provider),
            Self::Text { challenge_id, format, text } => {
                let opened = text.open::<Sensitive>(root, SealedPurpose::Answer, challenge_id.as_str());
                let text = opened.map_err(|_| LinkErrorCode::InvalidAuth)?;
                let read = format.read(text.expose()).map_err(|_| LinkErrorCode::InvalidMfa)?;
                Ok(SourceInput::AnswerText { text: Sensitive::new(read) })
            }
            Self::Choice { value } => Ok(SourceInput::AnswerChoice { value: value.clone() }),
            Self::Redirect { code, redirect_uri } => {
                Ok(SourceInput::AnswerRedirect { code: code.clone(), redirect_uri: redirect_uri.clone() })
            }
            Self::Resend { channel } => Ok(SourceInput::Resend { channel: *channel }),
            Self::Continue {} => Ok(SourceInput::Continue {}),
        }
    }
}

impl Login {
    fn open(&self, root: &[u8; 32], provider: &Provider) -> Result<SourceInput, LinkErrorCode> {
        let option = provider.login_options.iter().find(|option| option.id == self.option);
        let option = option.ok_or(LinkErrorCode::UnsupportedAuthType)?;
        let opened = self.form.open(root, SealedPurpose::Credentials, provider.id.as_str());
        let credentials = Credentials(opened.map_err(|_| LinkErrorCode::InvalidAuth)?);
        let name = login_form::name_field(option).and_then(|field| credentials.0.get(&field.name));
        if name != Some(&self.name) {
            return Err(LinkErrorCode::InvalidAuth);
        }
        if !login_form::fits(option, &credentials) {
            return Err(LinkErrorCode::AuthRequired);
        }
        Ok(SourceInput::LogIn { login_option: Some(self.option.clone()), credentials })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, sealing};
    use rstest::rstest;

    #[rstest]
    #[case::valid(r#"{"username": "good", "password": "pass"}"#, None)]
    #[case::different_name(r#"{"username": "bad", "password": "pass"}"#, Some(LinkErrorCode::InvalidAuth))]
    #[case::missing_name(r#"{"password": "pass"}"#, Some(LinkErrorCode::InvalidAuth))]
    #[case::not_an_object("\"pass\"", Some(LinkErrorCode::InvalidAuth))]
    #[case::missing_password(r#"{"username": "good"}"#, Some(LinkErrorCode::AuthRequired))]
    #[case::unknown_field(
        r#"{"username": "good", "password": "pass", "odd": ""}"#,
        Some(LinkErrorCode::AuthRequired)
    )]
    fn login_form_is_decrypted_and_validated(#[case] form: &str, #[case] code: Option<LinkErrorCode>) {
        let provider = fixture::provider();
        let form = sealing::seal(SealedPurpose::Credentials, provider.id.as_str(), form);
        let login = Login { option: "password".into(), name: Sensitive::new("good"), form };
        let opened = PendingInput::Login(Box::new(login.clone())).open(&sealing::ROOT, &provider);
        assert_eq!(opened.err(), code);
        let unknown = PendingInput::Login(Box::new(Login { option: "fax".into(), ..login }));
        assert_eq!(unknown.open(&sealing::ROOT, &provider), Err(LinkErrorCode::UnsupportedAuthType));
    }

    #[rstest]
    #[case::valid("ch-00000000000000000000000000000001", "\"1234\"", None)]
    #[case::wrong_format("ch-00000000000000000000000000000001", "\"12345\"", Some(LinkErrorCode::InvalidMfa))]
    #[case::other_challenge(
        "ch-00000000000000000000000000000002",
        "\"1234\"",
        Some(LinkErrorCode::InvalidAuth)
    )]
    fn challenge_answer_is_decrypted_and_validated(
        #[case] sealed_for: &str,
        #[case] answer: &str,
        #[case] code: Option<LinkErrorCode>,
    ) {
        let pending = PendingInput::Text {
            challenge_id: "ch-00000000000000000000000000000001".parse().unwrap(),
            format: FieldFormat::Digits { min: 4, max: 4 },
            text: Box::new(sealing::seal(SealedPurpose::Answer, sealed_for, answer)),
        };
        assert_eq!(pending.open(&sealing::ROOT, &fixture::provider()).err(), code);
    }
}
