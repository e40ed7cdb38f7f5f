//! Further actions on a challenge: ask for more time, confirm another way, or leave. They are rows; their ids begin
//! with a slash so that they differ from the provider's choices.

use link_types::challenge::{Challenge, ChallengeKind, CodeChannel};

use super::ChallengeScreen;
use super::ask::is_answered_here;
use crate::context::Context;
use crate::generated::message::Message;
use crate::route::{Route, UploadRoute};
use crate::screen::parts::{PHONE, UPLOAD};
use crate::view::block::{Block, Choice};
use crate::view::build::rows;

/// Id of the row that asks for more time.
pub(super) const EXTEND: &str = "/extend";

/// Id of the row that leads to the provider list.
pub(super) const ELSEWHERE: &str = "/providers";

/// Builds the rows, if there are any.
pub(super) fn block(screen: &ChallengeScreen, context: &Context) -> Option<Block> {
    let mut choices = Vec::new();
    if screen.challenge.extendable {
        choices.push(row(EXTEND, Message::ChallengeExtend));
    }
    let usual = usual_channel(&screen.challenge);
    for channel in channels(&screen.challenge).iter().filter(|channel| Some(**channel) != usual) {
        let mut choice = row(id(*channel), by(*channel));
        choice.disabled = !screen.clock.may_resend();
        choices.push(choice);
    }
    let ways = [(UPLOAD, Message::ActionUpload), (ELSEWHERE, Message::ActionChooseAnother)];
    let is_open = |id: &str| has_fallback(screen) && route(screen, id, context).is_some();
    if context.may_hand_off() {
        choices.push(row(PHONE, Message::HandoffOffer));
    }
    choices.extend(ways.into_iter().filter(|(id, _)| is_open(id)).map(|(id, title)| row(id, title)));
    (!choices.is_empty()).then(|| rows(choices, !screen.is_answering()))
}

/// Returns the route of a row that leads away from the page.
pub(super) fn route(screen: &ChallengeScreen, row: &str, context: &Context) -> Option<Route> {
    match row {
        UPLOAD if has_fallback(screen) && context.may_upload() && !context.is_phone() => {
            Some(Route::Uploads(UploadRoute::Start))
        }
        ELSEWHERE if may_choose_another(screen, context) => Some(Route::Providers),
        _ => None,
    }
}

/// Whether the page offers documents and other providers at once: a person who cannot see the picture has no other way
/// at this provider, and no recording. Or the person must leave for the provider's page, and may not want to.
fn has_fallback(screen: &ChallengeScreen) -> bool {
    if matches!(screen.challenge.kind, ChallengeKind::Redirect { .. }) {
        return true;
    }
    let has_other_way = channels(&screen.challenge).iter().any(|channel| *channel != CodeChannel::Picture);
    matches!(screen.challenge.kind, ChallengeKind::Image { .. }) && !has_other_way && !screen.may_listen()
}

/// Whether the person can leave for another provider: while they wait for an answer elsewhere, or with the fallback.
pub(super) fn may_choose_another(screen: &ChallengeScreen, context: &Context) -> bool {
    !context.preferences.is_fixed()
        && !context.is_phone()
        && (!is_answered_here(&screen.challenge) || has_fallback(screen))
}

fn row(id: &str, title: Message) -> Choice {
    crate::view::build::row(id, title.into())
}

fn channels(challenge: &Challenge) -> &[CodeChannel] {
    challenge.resend.as_ref().map_or(&[], |rule| &rule.channels)
}

/// Returns the channel of the current code, picture or request, if it may be used again.
pub(super) fn usual_channel(challenge: &Challenge) -> Option<CodeChannel> {
    let channels = channels(challenge);
    let came_by = match &challenge.kind {
        ChallengeKind::OneTimeCode { channel, .. } => Some(*channel),
        ChallengeKind::Image { .. } => Some(CodeChannel::Picture),
        ChallengeKind::Approve { .. } => Some(CodeChannel::App),
        ChallengeKind::EmailLink { .. } => Some(CodeChannel::Email),
        ChallengeKind::Choice { .. } | ChallengeKind::Question { .. } | ChallengeKind::Redirect { .. } => {
            None
        }
    };
    channels.iter().copied().find(|channel| Some(*channel) == came_by)
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
        CodeChannel::Picture => "/picture",
    }
}

const fn by(channel: CodeChannel) -> Message {
    match channel {
        CodeChannel::Sms => Message::ChallengeBySms,
        CodeChannel::Email => Message::ChallengeByEmail,
        CodeChannel::Voice => Message::ChallengeByVoice,
        CodeChannel::App => Message::ChallengeByApp,
        CodeChannel::Picture => Message::ChallengePicture,
    }
}
