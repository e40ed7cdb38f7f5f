//! The sandbox's challenges after a login, and the correct answers.

use std::time::Duration;

use link_domain::ports::{PosedChallenge, Resend};
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::format::FieldFormat;
use link_types::provider::Choice;
use link_types::scenario::ScenarioAsk;
use serde::{Deserialize, Serialize};

use super::picture;
use crate::mfa_image;

/// The code for every one-time code.
const CODE: &str = "1234";
/// The text in the picture.
const PICTURED: &str = "K7M4";
/// The answer to the security question.
const FIRST_SCHOOL: &str = "aurora";
/// The wrong choice.
const NONE: &str = "none";

const LASTS: Duration = Duration::from_secs(5 * 60);
const LASTS_BRIEFLY: Duration = Duration::from_secs(15);
const RESEND_AFTER: Duration = Duration::from_secs(20);
const APPROVED_AFTER: Duration = Duration::from_secs(4);

/// A challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ask {
    /// A one-time code.
    Code,
    /// A one-time code with a short time limit.
    HastyCode,
    /// A choice.
    Choice,
    /// A text in a picture.
    Image,
    /// A security question.
    Question,
    /// Approval on a phone, given automatically.
    Push,
    /// Approval on a phone, denied.
    RefusedPush,
    /// Approval on a phone, never given.
    ForgottenPush,
    /// A link in an email, followed automatically.
    EmailLink,
}

impl From<ScenarioAsk> for Ask {
    fn from(ask: ScenarioAsk) -> Self {
        match ask {
            ScenarioAsk::Code => Self::Code,
            ScenarioAsk::Choice => Self::Choice,
            ScenarioAsk::Image => Self::Image,
            ScenarioAsk::Question => Self::Question,
            ScenarioAsk::Push => Self::Push,
            ScenarioAsk::EmailLink => Self::EmailLink,
        }
    }
}

/// The result of checking whether the user completed a challenge elsewhere.
pub(super) enum Elsewhere {
    /// The user approved it.
    Approved,
    /// The user denied it.
    Refused,
    /// The user has not responded yet.
    Nothing,
}

impl Ask {
    /// Returns the correct answer as a user enters it. `None` if there is nothing to type or choose.
    pub const fn answer(self) -> Option<&'static str> {
        match self {
            Self::Code | Self::HastyCode => Some(CODE),
            Self::Choice => Some("every company"),
            Self::Image => Some(PICTURED),
            Self::Question => Some(FIRST_SCHOOL),
            Self::Push | Self::RefusedPush | Self::ForgottenPush | Self::EmailLink => None,
        }
    }

    /// Returns whether a typed answer is correct.
    pub(super) fn is_text_right(self, text: &str) -> bool {
        let text = text.trim();
        match self {
            Self::Code | Self::HastyCode => text == CODE,
            Self::Image => text.eq_ignore_ascii_case(PICTURED),
            Self::Question => text.eq_ignore_ascii_case(FIRST_SCHOOL),
            Self::Choice | Self::Push | Self::RefusedPush | Self::ForgottenPush | Self::EmailLink => false,
        }
    }

    /// Returns whether a choice is correct.
    pub(super) fn is_choice_right(self, value: &str) -> bool {
        self == Self::Choice && value != NONE
    }

    /// Returns what the user did elsewhere.
    pub(super) const fn elsewhere(self) -> Elsewhere {
        match self {
            Self::Push | Self::EmailLink => Elsewhere::Approved,
            Self::RefusedPush => Elsewhere::Refused,
            Self::Code
            | Self::HastyCode
            | Self::Choice
            | Self::Image
            | Self::Question
            | Self::ForgottenPush => Elsewhere::Nothing,
        }
    }

    /// Returns the challenge for the user's screen.
    pub(super) fn posed(self, tries_left: u8, wrong_answer: bool, channel: CodeChannel) -> PosedChallenge {
        let waits_elsewhere = matches!(self, Self::Push | Self::RefusedPush | Self::EmailLink);
        let is_typed =
            matches!(self, Self::Code | Self::HastyCode | Self::Choice | Self::Image | Self::Question);
        let lasts_briefly = matches!(self, Self::HastyCode | Self::ForgottenPush);
        PosedChallenge {
            kind: self.kind(channel),
            lasts: Some(if lasts_briefly { LASTS_BRIEFLY } else { LASTS }),
            check_after: waits_elsewhere.then_some(APPROVED_AFTER),
            extendable: self.is_extendable(),
            resend: self.resend(),
            tries_left: is_typed.then_some(tries_left),
            wrong_answer,
        }
    }

    const fn is_extendable(self) -> bool {
        matches!(self, Self::Code | Self::HastyCode | Self::Question | Self::Image)
    }

    fn resend(self) -> Option<Resend> {
        let channels = match self {
            Self::Code | Self::HastyCode => vec![CodeChannel::Sms, CodeChannel::Voice, CodeChannel::Email],
            Self::Push | Self::RefusedPush | Self::ForgottenPush => vec![CodeChannel::App],
            Self::EmailLink => vec![CodeChannel::Email],
            Self::Choice | Self::Image | Self::Question => return None,
        };
        Some(Resend { after: RESEND_AFTER, channels })
    }

    fn kind(self, channel: CodeChannel) -> ChallengeKind {
        match self {
            Self::Code | Self::HastyCode => ChallengeKind::OneTimeCode {
                channel,
                destination: destination(channel),
                format: FieldFormat::Digits { min: 4, max: 4 },
            },
            Self::Choice => ChallengeKind::Choice {
                question: "Which of these companies have you worked for?".to_owned(),
                choices: vec![
                    choice("aurora", "Talleres Aurora"),
                    choice("bahia", "Bahía Azul Foods"),
                    choice("cumbre", "Cumbre Logistics"),
                    choice(NONE, "None of these"),
                ],
            },
            Self::Image => ChallengeKind::Image {
                image: mfa_image::data_url(&picture::of(PICTURED)).unwrap_or_default(),
                format: FieldFormat::Alphanumeric { min: 4, max: 4 },
            },
            Self::Question => ChallengeKind::Question {
                question: "What was the name of your first school?".to_owned(),
                format: FieldFormat::Text { min: 1, max: 64 },
            },
            Self::Push | Self::RefusedPush | Self::ForgottenPush => {
                ChallengeKind::Approve { device: Some("Pixel 6a".to_owned()) }
            }
            Self::EmailLink => ChallengeKind::EmailLink { destination: destination(CodeChannel::Email) },
        }
    }
}

fn choice(value: &str, label: &str) -> Choice {
    Choice { value: value.to_owned(), label: label.to_owned() }
}

fn destination(channel: CodeChannel) -> Option<String> {
    match channel {
        CodeChannel::Sms | CodeChannel::Voice => Some("•••• 0142".to_owned()),
        CodeChannel::Email => Some("l•••a@example.com".to_owned()),
        CodeChannel::App => None,
    }
}
