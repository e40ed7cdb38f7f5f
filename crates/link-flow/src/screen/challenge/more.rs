//! Further actions on a challenge: ask for more time, or have the code sent another way. They are rows; their ids begin
//! with a slash so that they differ from the provider's choices.

use link_types::challenge::{Challenge, ChallengeKind, CodeChannel};

use super::ChallengeScreen;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{Block, Choice};
use crate::view::build::rows;

/// Id of the row that asks for more time.
pub(super) const EXTEND: &str = "/extend";

/// Builds the rows, if there are any.
pub(super) fn block(screen: &ChallengeScreen) -> Option<Block> {
    let mut choices = Vec::new();
    if screen.challenge.extendable {
        choices.push(row(EXTEND, Message::ChallengeExtend));
    }
    let usual = usual_channel(&screen.challenge);
    for channel in channels(&screen.challenge).iter().filter(|channel| Some(**channel) != usual) {
        let mut choice = row(id(*channel), by(*channel));
        choice.disabled = !screen.clock.may_resend();
        choice.detail = choice.disabled.then(|| wait(screen)).flatten();
        choices.push(choice);
    }
    (!choices.is_empty()).then(|| rows(choices, !screen.is_answering()))
}

/// Returns the time until a code may be sent again, in words.
pub(super) fn wait(screen: &ChallengeScreen) -> Option<Text> {
    let seconds = screen.clock.resend_seconds().filter(|seconds| *seconds > 0)?;
    Some(Text::with(Message::ChallengeResendWait, vec![seconds.into()]))
}

fn row(id: &str, title: Message) -> Choice {
    crate::view::build::row(id, title.into())
}

fn channels(challenge: &Challenge) -> &[CodeChannel] {
    challenge.resend.as_ref().map_or(&[], |rule| &rule.channels)
}

/// Returns the channel of the current code if it may be used again, otherwise the first allowed one.
pub(super) fn usual_channel(challenge: &Challenge) -> Option<CodeChannel> {
    let channels = channels(challenge);
    let came_by = match &challenge.kind {
        ChallengeKind::OneTimeCode { channel, .. } => Some(*channel),
        ChallengeKind::Choice { .. }
        | ChallengeKind::Image { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. } => None,
    };
    channels.iter().copied().find(|channel| Some(*channel) == came_by).or(channels.first().copied())
}

/// Returns the channel of a row.
pub(super) fn other_channel(challenge: &Challenge, row: &str) -> Option<CodeChannel> {
    channels(challenge).iter().copied().find(|channel| id(*channel) == row)
}

const fn id(channel: CodeChannel) -> &'static str {
    match channel {
        CodeChannel::Sms => "/sms",
        CodeChannel::Email => "/email",
        CodeChannel::Voice => "/voice",
        CodeChannel::App => "/app",
    }
}

const fn by(channel: CodeChannel) -> Message {
    match channel {
        CodeChannel::Sms => Message::ChallengeBySms,
        CodeChannel::Email => Message::ChallengeByEmail,
        CodeChannel::Voice => Message::ChallengeByVoice,
        CodeChannel::App => Message::ChallengeByApp,
    }
}
