//! What a step starts from, as it is kept: what a person typed stays in its box until the worker opens it.

use link_types::LinkErrorCode;
use link_types::Sensitive;
use link_types::challenge::CodeChannel;
use link_types::format::FieldFormat;
use link_types::id::ChallengeId;
use link_types::provider::Provider;
use link_types::sealing::SealedPurpose;
use serde::{Deserialize, Serialize};

use crate::form;
use crate::ports::{Credentials, SourceInput};
use crate::sealed;
use crate::sealing::Sealed;

/// What the source's next step starts from. Its one serialised form is a sealed body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PendingInput {
    /// The person submitted a login.
    Login(Box<Login>),
    /// The person typed an answer to a challenge.
    #[serde(rename_all = "camelCase")]
    Text {
        /// The challenge: the box opens for no other.
        challenge_id: ChallengeId,
        /// What its answer looks like.
        format: FieldFormat,
        /// The answer, in its box.
        text: Box<Sealed>,
    },
    /// The person chose an answer to a challenge.
    Choice {
        /// The choice's value.
        value: String,
    },
    /// The person asked for the code once more.
    Resend {
        /// By which channel.
        channel: CodeChannel,
    },
    /// The wait that the source asked for is over.
    Continue {},
}

/// A login as it is submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    /// Which of the provider's login options.
    pub option: String,
    /// The login's name: the value of the option's first field that is no secret.
    #[serde(with = "sealed")]
    pub name: Sensitive,
    /// All of the form's values, in their box.
    pub form: Sealed,
}

impl PendingInput {
    /// What the source is given: boxes are opened, and what is in them is checked as the widget checks it.
    ///
    /// # Errors
    ///
    /// With which code the link fails: INVALID_AUTH for a box that is not for this or says another login than it was
    /// submitted with, AUTH_REQUIRED for a form with faults, INVALID_MFA for an answer of another form than asked for.
    pub fn open(&self, root: &[u8; 32], provider: &Provider) -> Result<SourceInput, LinkErrorCode> {
        match self {
            Self::Login(login) => login.open(root, provider),
            Self::Text { challenge_id, format, text } => {
                let opened = text.open::<Sensitive>(root, SealedPurpose::Answer, challenge_id.as_str());
                let text = opened.map_err(|_| LinkErrorCode::InvalidAuth)?;
                format.check(text.expose()).map_err(|_| LinkErrorCode::InvalidMfa)?;
                Ok(SourceInput::AnswerText { text })
            }
            Self::Choice { value } => Ok(SourceInput::AnswerChoice { value: value.clone() }),
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
        let name = form::name_field(option).and_then(|field| credentials.0.get(&field.name));
        if name != Some(&self.name) {
            return Err(LinkErrorCode::InvalidAuth);
        }
        if !form::fits(option, &credentials) {
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
    #[case::right(r#"{"username": "good", "password": "pass"}"#, None)]
    #[case::another_name(r#"{"username": "bad", "password": "pass"}"#, Some(LinkErrorCode::InvalidAuth))]
    #[case::no_name(r#"{"password": "pass"}"#, Some(LinkErrorCode::InvalidAuth))]
    #[case::no_form("\"pass\"", Some(LinkErrorCode::InvalidAuth))]
    #[case::no_password(r#"{"username": "good"}"#, Some(LinkErrorCode::AuthRequired))]
    #[case::odd(r#"{"username": "good", "password": "pass", "odd": ""}"#, Some(LinkErrorCode::AuthRequired))]
    fn a_login_is_opened_and_checked(#[case] form: &str, #[case] code: Option<LinkErrorCode>) {
        let provider = fixture::provider();
        let form = sealing::seal(SealedPurpose::Credentials, provider.id.as_str(), form);
        let login = Login { option: "password".into(), name: Sensitive::new("good"), form };
        let opened = PendingInput::Login(Box::new(login.clone())).open(&sealing::ROOT, &provider);
        assert_eq!(opened.err(), code);
        let unknown = PendingInput::Login(Box::new(Login { option: "fax".into(), ..login }));
        assert_eq!(unknown.open(&sealing::ROOT, &provider), Err(LinkErrorCode::UnsupportedAuthType));
    }

    #[rstest]
    #[case::right("ch-00000000000000000000000000000001", "\"1234\"", None)]
    #[case::of_another_form(
        "ch-00000000000000000000000000000001",
        "\"12345\"",
        Some(LinkErrorCode::InvalidMfa)
    )]
    #[case::for_another("ch-00000000000000000000000000000002", "\"1234\"", Some(LinkErrorCode::InvalidAuth))]
    fn an_answer_is_opened_and_checked(
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
