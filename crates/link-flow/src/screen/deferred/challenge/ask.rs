//! The page of each kind of challenge.

use link_types::Sensitive;
use link_types::challenge::{Challenge, ChallengeKind, CodeChannel};
use link_types::format::{FieldFormat, FormatError};
use link_types::provider::Choice as Answer;

use super::{ANSWER, ChallengeScreen, Notice, more, redirect};
use crate::call::Trouble;
use crate::context::Context;
use crate::event::Press;
use crate::fault;
use crate::generated::message::Message;
use crate::screen::parts::{elsewhere, limit_notice, lost_notice, trouble_notice};
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{
    Action, ActionState, Block, Choice, ChoiceKind, ChoiceList, Emblem, Field, Input, Severity,
};
use crate::view::build::{about, heading_with, notice, paragraph, remark, row};

/// Whether the person answers on this page and not on a phone or in an email.
pub(super) fn is_answered_here(challenge: &Challenge) -> bool {
    match challenge.kind {
        ChallengeKind::Approve { .. } | ChallengeKind::EmailLink { .. } | ChallengeKind::Redirect { .. } => {
            false
        }
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Choice { .. }
        | ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. } => true,
    }
}

/// Whether the answer is typed.
pub(super) fn has_input(challenge: &Challenge) -> bool {
    is_answered_here(challenge) && !matches!(challenge.kind, ChallengeKind::Choice { .. })
}

/// Whether the challenge offers that choice.
pub(super) fn has_choice(challenge: &Challenge, id: &str) -> bool {
    match &challenge.kind {
        ChallengeKind::Choice { choices, .. } => choices.iter().any(|choice| choice.value == id),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. }
        | ChallengeKind::Redirect { .. } => false,
    }
}

/// Reads an answer. People copy codes with separators, or the whole message with the code.
pub(super) fn answer(
    challenge: &Challenge,
    format: &FieldFormat,
    typed: &Sensitive,
) -> Result<Sensitive, FormatError> {
    let read = match challenge.kind {
        ChallengeKind::Question { .. } => format.read(typed.expose().trim()),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Image { .. }
        | ChallengeKind::Choice { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. }
        | ChallengeKind::Redirect { .. } => format.read_code(typed.expose()),
    };
    read.map(Sensitive::new)
}

/// Returns the text after a wrong answer.
pub(super) fn wrong_text(challenge: &Challenge) -> Text {
    match challenge.tries_left {
        Some(left) => Text::with(Message::ChallengeWrongLeft, vec![u32::from(left).into()]),
        None if has_input(challenge) => Message::ChallengeWrong.into(),
        None => Message::ChallengeWrongChoice.into(),
    }
}

/// Returns the announcement after a new code, picture or request was sent.
pub(super) fn renewed_text(kind: &ChallengeKind) -> Text {
    match kind {
        ChallengeKind::Image { .. } => Message::ChallengePictureNew.into(),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Choice { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. }
        | ChallengeKind::Redirect { .. } => Message::ChallengeResent.into(),
    }
}

/// Returns the sentence that says what the provider asks for.
pub(super) fn text(kind: &ChallengeKind, provider: &str) -> Text {
    words(kind, provider).1
}

/// Returns the announcement of a notice.
pub(super) fn notice_title(notice: Notice, challenge: &Challenge, provider: &str) -> Text {
    match notice {
        Notice::Wrong => wrong_text(challenge),
        Notice::Error(fault) => fault::text(fault, false, provider),
        Notice::NoChoice => Message::ChallengeChoiceMissing.into(),
        Notice::NotSent => Message::ChallengeNotSentTitle.into(),
        Notice::NothingYet => about(Message::ChallengeRedirectNothing, provider),
        Notice::TooManyTries => Message::LoginLimitTitle.into(),
        Notice::Trouble(Trouble::Busy(_)) => Message::BusyTitle.into(),
        Notice::Trouble(Trouble::Offline) => Message::OfflineTitle.into(),
        Notice::Trouble(Trouble::Unavailable | Trouble::Unreadable | Trouble::Refused) => {
            Message::UnavailableTitle.into()
        }
    }
}

/// Builds the page.
pub(super) fn sheet(screen: &ChallengeScreen, context: &Context) -> Sheet {
    let provider = &screen.linking.provider.name;
    let (title, text, emblem) = words(&screen.challenge.kind, provider);
    let title = Text::from(title);
    let mut blocks = vec![heading_with(emblem, title.clone()), paragraph(text)];
    blocks.extend(notice_block(screen));
    match &screen.challenge.kind {
        ChallengeKind::OneTimeCode { format, .. } => {
            blocks.push(field(screen, Message::ChallengeCodeLabel.into(), "one-time-code", format));
        }
        ChallengeKind::Choice { question, choices } => {
            blocks.push(Block::Choices(answers(screen, question, choices)));
        }
        ChallengeKind::Image { image, format, recording: _ } => {
            blocks.push(Block::Picture {
                src: Sensitive::new(image.clone()),
                alt: about(Message::ChallengeImageAlt, provider),
                scan: false,
                recording: screen.listening.view(&screen.challenge, !screen.is_answering()),
            });
            blocks.push(field(screen, Message::ChallengeImageLabel.into(), "off", format));
        }
        ChallengeKind::Question { question, format } => {
            blocks.push(field(screen, Text::Verbatim(question.clone()), "off", format));
        }
        ChallengeKind::Approve { .. } | ChallengeKind::EmailLink { .. } => {
            blocks.push(remark(Message::ChallengeWaiting.into()));
        }
        ChallengeKind::Redirect { address } => {
            blocks.extend(redirect::blocks(provider, screen.has_left, address))
        }
    }
    blocks.extend(screen.clock.block());
    blocks.extend(more::block(screen, context));
    if let ChallengeKind::Redirect { address } = &screen.challenge.kind {
        blocks.extend(redirect::actions(provider, screen.has_left, address));
        return Sheet { title, blocks, back: false, form: false, footer: Footer::Consent };
    }
    let form = is_answered_here(&screen.challenge);
    let (primary, secondary) = match (form, resend(screen)) {
        (true, resend) => (submit(screen), resend),
        // Always in the same place, also while the provider does not accept another request yet.
        (false, resend) => (elsewhere(context), resend),
    };
    blocks.push(Block::Actions { primary, secondary });
    Sheet { title, blocks, back: false, form, footer: Footer::Consent }
}

/// Returns title, text and emblem of a kind.
fn words(kind: &ChallengeKind, provider: &str) -> (Message, Text, Emblem) {
    let with = |message, name: &Option<String>, nameless| match name {
        Some(name) => Text::with(message, vec![provider.into(), name.as_str().into()]),
        None => about(nameless, provider),
    };
    match kind {
        ChallengeKind::OneTimeCode { channel, destination, .. } => (
            Message::ChallengeCodeTitle,
            sent_text(*channel, destination.as_deref(), provider),
            Emblem::Phone,
        ),
        ChallengeKind::Choice { .. } => {
            (Message::ChallengeChoiceTitle, about(Message::ChallengeChoiceText, provider), Emblem::Phone)
        }
        ChallengeKind::Image { .. } => {
            (Message::ChallengeImageTitle, about(Message::ChallengeImageText, provider), Emblem::Shield)
        }
        ChallengeKind::Question { .. } => {
            (Message::ChallengeQuestionTitle, about(Message::ChallengeQuestionText, provider), Emblem::Shield)
        }
        ChallengeKind::Approve { device } => (
            Message::ChallengeApproveTitle,
            with(Message::ChallengeApproveOn, device, Message::ChallengeApproveText),
            Emblem::Phone,
        ),
        ChallengeKind::EmailLink { destination } => (
            Message::ChallengeEmailLinkTitle,
            with(Message::ChallengeEmailLinkTo, destination, Message::ChallengeEmailLinkText),
            Emblem::Link,
        ),
        ChallengeKind::Redirect { address } => {
            let text = if address.is_same_tab() {
                Message::ChallengeRedirectHere
            } else {
                Message::ChallengeRedirectText
            };
            (Message::ChallengeRedirectTitle, about(text, provider), Emblem::Link)
        }
    }
}

fn sent_text(channel: CodeChannel, destination: Option<&str>, provider: &str) -> Text {
    let to = |destination: &str, message| Text::with(message, vec![provider.into(), destination.into()]);
    match (channel, destination) {
        (CodeChannel::Sms, Some(destination)) => to(destination, Message::ChallengeCodeSmsTo),
        (CodeChannel::Sms, None) => about(Message::ChallengeCodeSms, provider),
        (CodeChannel::Email, Some(destination)) => to(destination, Message::ChallengeCodeEmailTo),
        (CodeChannel::Email, None) => about(Message::ChallengeCodeEmail, provider),
        (CodeChannel::Voice, Some(destination)) => to(destination, Message::ChallengeCodeVoiceTo),
        (CodeChannel::Voice, None) => about(Message::ChallengeCodeVoice, provider),
        (CodeChannel::App | CodeChannel::Picture, _) => about(Message::ChallengeCodeApp, provider),
    }
}

/// Builds the notice above the input. What is wrong with a typed answer is shown at the input only.
fn notice_block(screen: &ChallengeScreen) -> Option<Block> {
    let warning = |title: Message, text| Some(notice(Severity::Warning, Some(title.into()), text));
    if screen.work.is_lost() {
        return Some(lost_notice());
    }
    match screen.notice? {
        Notice::Wrong => {
            let text = wrong_text(&screen.challenge);
            (!has_input(&screen.challenge)).then(|| notice(Severity::Warning, None, text))
        }
        Notice::NotSent => warning(Message::ChallengeNotSentTitle, Message::ChallengeNotSentText.into()),
        Notice::NoChoice => Some(notice(Severity::Warning, None, Message::ChallengeChoiceMissing.into())),
        Notice::TooManyTries => Some(limit_notice(screen.wait.as_ref())),
        Notice::NothingYet => Some(notice(
            Severity::Info,
            None,
            about(Message::ChallengeRedirectNothing, &screen.linking.provider.name),
        )),
        Notice::Trouble(trouble) => Some(trouble_notice(trouble, screen.wait.as_ref())),
        Notice::Error(_) => None,
    }
}

fn field(screen: &ChallengeScreen, label: Text, autocomplete: &str, format: &FieldFormat) -> Block {
    let error = match screen.notice {
        Some(Notice::Error(fault)) => Some(fault::text(fault, false, &screen.linking.provider.name)),
        Some(Notice::Wrong) => Some(wrong_text(&screen.challenge)),
        Some(
            Notice::NotSent
            | Notice::NoChoice
            | Notice::TooManyTries
            | Notice::Trouble(_)
            | Notice::NothingYet,
        )
        | None => None,
    };
    let length = code_length(&screen.challenge.kind);
    Block::Field(Box::new(Field {
        id: ANSWER.to_owned(),
        label,
        input: Input::OneTimeCode { numeric: matches!(format, FieldFormat::Digits { .. }), length },
        required: true,
        optional: None,
        help: length.map(|length| Text::with(Message::ChallengeCodeHelp, vec![u32::from(length).into()])),
        prefix: None,
        error,
        hint: None,
        autocomplete: autocomplete.to_owned(),
        disabled: !screen.is_answering(),
    }))
}

/// Returns the number of characters of a one-time code, if it is known.
fn code_length(kind: &ChallengeKind) -> Option<u16> {
    match kind {
        ChallengeKind::OneTimeCode {
            format: FieldFormat::Digits { min, max } | FieldFormat::Alphanumeric { min, max },
            ..
        } if min == max => Some(*max),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Choice { .. }
        | ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. }
        | ChallengeKind::Redirect { .. } => None,
    }
}

fn answers(screen: &ChallengeScreen, question: &str, answers: &[Answer]) -> ChoiceList {
    let choice = |answer: &Answer| Choice {
        selected: screen.selected.as_deref() == Some(&answer.value),
        ..row(&answer.value, Text::Verbatim(answer.label.clone()))
    };
    ChoiceList {
        label: Text::Verbatim(question.to_owned()),
        label_visible: true,
        kind: ChoiceKind::Radios,
        choices: answers.iter().map(choice).collect(),
        disabled: !screen.is_answering(),
    }
}

fn submit(screen: &ChallengeScreen) -> Action {
    let (label, state) = if screen.is_renewing() || screen.wait.is_some() {
        (Message::ChallengeSubmit, ActionState::Off)
    } else if screen.is_answering() {
        (Message::ChallengeSubmit, ActionState::Ready)
    } else {
        (Message::ChallengeChecking, ActionState::Busy)
    };
    Action { label: label.into(), press: Press::Submit, state, destructive: false }
}

fn resend(screen: &ChallengeScreen) -> Option<Action> {
    let label = match more::usual_channel(&screen.challenge)? {
        CodeChannel::Picture => Message::ChallengePicture,
        CodeChannel::Sms | CodeChannel::Email | CodeChannel::Voice | CodeChannel::App => {
            Message::ChallengeResend
        }
    };
    let state = if screen.is_renewing() {
        ActionState::Busy
    } else if screen.clock.may_resend() && screen.is_answering() {
        ActionState::Ready
    } else {
        ActionState::Off
    };
    Some(Action { label: label.into(), press: Press::Resend, state, destructive: false })
}
