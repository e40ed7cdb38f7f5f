//! The sandbox's challenges after a login, and the correct answers.

use std::time::Duration;

use link_domain::linking::account_source::{PosedChallenge, Resend};
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::format::FieldFormat;
use link_types::provider::Choice;
use link_types::scenario::ScenarioAsk;
use serde::{Deserialize, Serialize};

use super::{picture, recording};

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
/// Shorter than [`APPROVED_AFTER`], so that a person can choose another way.
const OTHER_WAY_AFTER: Duration = Duration::from_secs(2);
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
    /// A text in a picture, with a recording and other ways.
    Image,
    /// A text in a picture, without a recording or other ways.
    OnlyImage,
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

/// Message that the sandbox sent for a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sent {
    /// The channel of the last request.
    pub(super) channel: CodeChannel,
    /// Number of pictures before this one.
    pub(super) pictures: u8,
}

impl Sent {
    /// Returns the first request of a challenge.
    pub(super) const fn first(ask: Ask) -> Self {
        Self { channel: ask.channel(), pictures: 0 }
    }

    /// Returns the next request.
    pub(super) const fn again(self, channel: CodeChannel) -> Self {
        Self { channel, pictures: self.pictures.wrapping_add(1) }
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
    /// Returns the channel of the challenge's first request.
    pub(super) const fn channel(self) -> CodeChannel {
        match self {
            Self::Push | Self::RefusedPush | Self::ForgottenPush => CodeChannel::App,
            Self::EmailLink => CodeChannel::Email,
            Self::Image | Self::OnlyImage => CodeChannel::Picture,
            Self::Code | Self::HastyCode | Self::Choice | Self::Question => CodeChannel::Sms,
        }
    }

    /// Returns the challenge after a request for this channel: a one-time code can replace a picture, an approval or a
    /// link.
    pub(super) fn for_channel(self, channel: CodeChannel) -> Self {
        match self {
            Self::Push | Self::RefusedPush | Self::ForgottenPush | Self::EmailLink | Self::Image
                if channel != self.channel() =>
            {
                Self::Code
            }
            Self::Code
            | Self::HastyCode
            | Self::Choice
            | Self::Image
            | Self::OnlyImage
            | Self::Question
            | Self::Push
            | Self::RefusedPush
            | Self::ForgottenPush
            | Self::EmailLink => self,
        }
    }

    /// Returns the correct answer as a user enters it. `None` if there is nothing to type or choose.
    pub const fn answer(self) -> Option<&'static str> {
        match self {
            Self::Code | Self::HastyCode => Some(CODE),
            Self::Choice => Some("any company"),
            Self::Image | Self::OnlyImage => Some(PICTURED),
            Self::Question => Some(FIRST_SCHOOL),
            Self::Push | Self::RefusedPush | Self::ForgottenPush | Self::EmailLink => None,
        }
    }

    /// Returns whether a typed answer is correct.
    pub(super) fn is_text_right(self, text: &str) -> bool {
        let text = text.trim();
        match self {
            Self::Code | Self::HastyCode => text == CODE,
            Self::Image | Self::OnlyImage => text.eq_ignore_ascii_case(PICTURED),
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
            | Self::OnlyImage
            | Self::Question
            | Self::ForgottenPush => Elsewhere::Nothing,
        }
    }

    /// Returns the challenge for the user's screen.
    pub(super) fn into_challenge(self, tries_left: u8, wrong_answer: bool, sent: Sent) -> PosedChallenge {
        let waits_elsewhere = matches!(self, Self::Push | Self::RefusedPush | Self::EmailLink);
        let is_typed = !matches!(self.channel(), CodeChannel::App | CodeChannel::Email);
        let lasts_briefly = matches!(self, Self::HastyCode | Self::ForgottenPush);
        PosedChallenge {
            kind: self.kind(sent),
            lasts: Some(if lasts_briefly { LASTS_BRIEFLY } else { LASTS }),
            check_after: waits_elsewhere.then_some(APPROVED_AFTER),
            extendable: self.is_extendable(),
            resend: self.resend(),
            tries_left: is_typed.then_some(tries_left),
            wrong_answer,
            redirect: None,
        }
    }

    const fn is_extendable(self) -> bool {
        matches!(self, Self::Code | Self::HastyCode | Self::Question | Self::Image | Self::OnlyImage)
    }

    fn resend(self) -> Option<Resend> {
        let channels = match self {
            Self::Code | Self::HastyCode => vec![CodeChannel::Sms, CodeChannel::Voice, CodeChannel::Email],
            Self::Push | Self::RefusedPush | Self::ForgottenPush => vec![CodeChannel::App, CodeChannel::Sms],
            Self::EmailLink => vec![CodeChannel::Email, CodeChannel::Sms],
            Self::Image => vec![CodeChannel::Picture, CodeChannel::Voice],
            Self::OnlyImage => vec![CodeChannel::Picture],
            Self::Choice | Self::Question => return None,
        };
        let after = match self {
            Self::Image | Self::OnlyImage => Duration::ZERO,
            Self::Push | Self::RefusedPush | Self::ForgottenPush | Self::EmailLink => OTHER_WAY_AFTER,
            Self::Code | Self::HastyCode | Self::Choice | Self::Question => RESEND_AFTER,
        };
        Some(Resend { after, channels })
    }

    fn kind(self, Sent { channel, pictures }: Sent) -> ChallengeKind {
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
            Self::Image | Self::OnlyImage => ChallengeKind::Image {
                image: picture::data_url(&picture::draw(PICTURED, pictures)),
                recording: (self == Self::Image).then(|| recording::to_data_url(PICTURED)),
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
        CodeChannel::App | CodeChannel::Picture => None,
    }
}
