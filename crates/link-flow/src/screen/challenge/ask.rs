//! How each kind of challenge looks and reads.

use link_types::Sensitive;
use link_types::challenge::{Challenge, ChallengeKind, CodeChannel};
use link_types::format::FieldFormat;
use link_types::provider::Choice as Answer;

use super::{ANSWER, ChallengeScreen, Remark};
use crate::call::Trouble;
use crate::context::Context;
use crate::event::Press;
use crate::fault;
use crate::generated::message::Message;
use crate::screen::{Footer, Sheet, about, action, heading_with, notice, paragraph, trouble_notice};
use crate::view::Text;
use crate::view::block::{
    Action, ActionState, Block, Choice, ChoiceKind, ChoiceList, Emblem, Field, Input, Severity,
};

/// Whether the page can ask this kind.
pub(super) fn is_supported(challenge: &Challenge) -> bool {
    match challenge.kind {
        ChallengeKind::OneTimeCode { .. } | ChallengeKind::Choice { .. } => true,
        ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. } => false,
    }
}

/// Whether the answer is typed.
pub(super) fn has_input(challenge: &Challenge) -> bool {
    matches!(challenge.kind, ChallengeKind::OneTimeCode { .. })
}

/// Whether that choice is offered.
pub(super) fn has_choice(challenge: &Challenge, id: &str) -> bool {
    match &challenge.kind {
        ChallengeKind::Choice { choices, .. } => choices.iter().any(|choice| choice.value == id),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. } => false,
    }
}

/// A code as it is sent: people copy it with the spaces and dashes it is printed with.
pub(super) fn code(typed: Sensitive) -> Sensitive {
    let is_kept = |letter: &char| !matches!(letter, ' ' | '-' | '\u{a0}' | '\t');
    Sensitive::new(typed.expose().chars().filter(is_kept).collect::<String>())
}

/// What is said after a wrong answer.
pub(super) fn wrong_text(challenge: &Challenge) -> Text {
    match challenge.tries_left {
        Some(left) => Text::with(Message::ChallengeWrongLeft, vec![u32::from(left).into()]),
        None => Message::ChallengeWrong.into(),
    }
}

/// What a remark says first, for the live region.
pub(super) fn remark_title(remark: Remark, challenge: &Challenge, provider: &str) -> Text {
    match remark {
        Remark::Wrong => wrong_text(challenge),
        Remark::Fault(fault) => fault::text(fault, false, provider),
        Remark::NoChoice => Message::ChallengeChoiceMissing.into(),
        Remark::NotSent => Message::ChallengeNotSentTitle.into(),
        Remark::Trouble(Trouble::Busy(_)) => Message::BusyTitle.into(),
        Remark::Trouble(Trouble::Offline) => Message::OfflineTitle.into(),
        Remark::Trouble(Trouble::Unavailable | Trouble::Refused) => Message::UnavailableTitle.into(),
    }
}

/// The page.
pub(super) fn sheet(screen: &ChallengeScreen, context: &Context) -> Sheet {
    let provider = &screen.linking.provider.name;
    let (title, mut blocks) = match &screen.challenge.kind {
        ChallengeKind::OneTimeCode { channel, destination, format } => {
            let title = Text::from(Message::ChallengeCodeTitle);
            let text = sent_text(*channel, destination.as_deref(), provider);
            let mut blocks = vec![heading_with(Emblem::Phone, title.clone()), paragraph(text)];
            blocks.extend(remark_notice(screen));
            blocks.push(Block::Field(Box::new(code_field(screen, format))));
            (title, blocks)
        }
        ChallengeKind::Choice { question, choices } => {
            let title = Text::from(Message::ChallengeChoiceTitle);
            let text = about(Message::ChallengeChoiceText, provider);
            let mut blocks = vec![heading_with(Emblem::Phone, title.clone()), paragraph(text)];
            blocks.extend(remark_notice(screen));
            blocks.push(Block::Choices(answers(screen, question, choices)));
            (title, blocks)
        }
        ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. } => return unsupported(provider, context),
    };
    if let Some((left, total)) = screen.clock.seconds() {
        blocks.push(Block::Countdown { text: screen.clock.text(), left, total });
    }
    blocks.push(Block::Actions { primary: submit(screen), secondary: resend(screen) });
    Sheet { title, blocks, back: false, form: true, footer: Footer::Password }
}

/// An honest end: nothing on this page could answer it.
fn unsupported(provider: &str, context: &Context) -> Sheet {
    let title = Text::from(Message::ChallengeUnsupportedTitle);
    let close = action(Message::ActionClose, Press::Leave);
    let (primary, secondary) = if context.preferences.provider.is_some() {
        (close, None)
    } else {
        (action(Message::ActionChooseAnother, Press::ChooseAnother), Some(close))
    };
    let blocks = vec![
        heading_with(Emblem::Warning, title.clone()),
        paragraph(about(Message::ChallengeUnsupportedText, provider)),
        paragraph(about(Message::ChallengeUnsupportedNext, provider)),
        Block::Actions { primary, secondary },
    ];
    Sheet::new(title, Footer::Password, blocks)
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
        (CodeChannel::App, _) => about(Message::ChallengeCodeApp, provider),
    }
}

/// The notice above the answer. A fault of the field stands at the field alone.
fn remark_notice(screen: &ChallengeScreen) -> Option<Block> {
    let warning = |title: Message, text| Some(notice(Severity::Warning, Some(title.into()), text));
    if screen.work.is_lost() {
        return warning(Message::ConnectingLostTitle, Message::ConnectingLostText.into());
    }
    match screen.remark? {
        Remark::Wrong => warning(Message::ChallengeWrongTitle, wrong_text(&screen.challenge)),
        Remark::NotSent => warning(Message::ChallengeNotSentTitle, Message::ChallengeNotSentText.into()),
        Remark::NoChoice => Some(notice(Severity::Warning, None, Message::ChallengeChoiceMissing.into())),
        Remark::Trouble(trouble) => Some(trouble_notice(trouble)),
        Remark::Fault(_) => None,
    }
}

fn code_field(screen: &ChallengeScreen, format: &FieldFormat) -> Field {
    let error = match screen.remark {
        Some(Remark::Fault(fault)) => Some(fault::text(fault, false, &screen.linking.provider.name)),
        Some(Remark::Wrong) => Some(Message::ChallengeWrong.into()),
        Some(Remark::NotSent | Remark::NoChoice | Remark::Trouble(_)) | None => None,
    };
    Field {
        id: ANSWER.to_owned(),
        label: Message::ChallengeCodeLabel.into(),
        input: Input::OneTimeCode { numeric: matches!(format, FieldFormat::Digits { .. }) },
        required: true,
        optional: None,
        help: None,
        prefix: None,
        error,
        hint: None,
        autocomplete: "one-time-code".to_owned(),
        // Room for the spaces and dashes a code may be pasted with.
        max_length: format.lengths().1.map(|most| u32::from(most) * 2),
        disabled: !screen.is_answering(),
    }
}

fn answers(screen: &ChallengeScreen, question: &str, answers: &[Answer]) -> ChoiceList {
    let choice = |answer: &Answer| Choice {
        id: answer.value.clone(),
        title: Text::Verbatim(answer.label.clone()),
        detail: None,
        mark: None,
        selected: screen.selected.as_deref() == Some(&answer.value),
        disabled: false,
        busy: false,
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
    let (label, state) = if screen.is_answering() {
        (Message::ChallengeSubmit, ActionState::Ready)
    } else if screen.is_renewing() {
        (Message::ChallengeSubmit, ActionState::Off)
    } else {
        (Message::ChallengeChecking, ActionState::Busy)
    };
    Action { label: label.into(), press: Press::Submit, state, destructive: false }
}

fn resend(screen: &ChallengeScreen) -> Option<Action> {
    screen.resend_channel()?;
    let seconds = screen.clock.resend_seconds()?;
    let wait = Text::with(Message::ChallengeResendWait, vec![seconds.into()]);
    let label = if seconds == 0 { Message::ChallengeResend.into() } else { wait };
    let state = if screen.is_renewing() {
        ActionState::Busy
    } else if seconds == 0 && screen.is_answering() {
        ActionState::Ready
    } else {
        ActionState::Off
    };
    Some(Action { label, press: Press::Resend, state, destructive: false })
}
