//! The recording of a picture: one button plays it, stops it, and plays it again.

use link_types::challenge::{Challenge, ChallengeKind};
use link_types::uploading::{FileFact, FileOrder};

use super::ChallengeScreen;
use crate::context::Context;
use crate::effect::Effect;
use crate::generated::message::Message;
use crate::view::block::Recording;

/// The state of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listening {
    /// Not played yet, or stopped.
    Silent,
    /// Plays. A live region does not say so, because it would talk over the recording.
    Playing,
    /// Played to its end.
    Ended,
    /// The browser did not play it.
    Failed,
}

impl Listening {
    /// Prepares for the recording of a challenge, if it has one.
    pub(super) fn start(challenge: &Challenge, context: &mut Context) -> Self {
        if recording(challenge).is_some() {
            context.effect(Effect::File(FileOrder::Prepare {}));
        }
        Self::Silent
    }

    /// Handles a press of the button.
    pub(super) fn handle_press(&mut self, challenge: &Challenge, context: &mut Context) {
        match (&self, recording(challenge)) {
            (Self::Playing, _) => self.stop(context),
            (Self::Silent | Self::Ended | Self::Failed, Some(recording)) => {
                context.effect(Effect::File(FileOrder::Play { recording: recording.to_owned() }));
                *self = Self::Playing;
            }
            (Self::Silent | Self::Ended | Self::Failed, None) => {}
        }
    }

    /// Stops the recording, if it plays.
    pub(super) fn stop(&mut self, context: &mut Context) {
        if *self == Self::Playing {
            context.effect(Effect::File(FileOrder::Silence {}));
            *self = Self::Silent;
        }
    }

    pub(super) fn handle_report(&mut self, fact: &FileFact, context: &mut Context) {
        let (state, text) = match fact {
            FileFact::Played {} => (Self::Ended, Message::ChallengeListenEnded),
            FileFact::Unplayable {} => (Self::Failed, Message::ChallengeListenFailed),
            FileFact::Connection { .. }
            | FileFact::Chosen { .. }
            | FileFact::Picked { .. }
            | FileFact::Inspected { .. }
            | FileFact::Sending { .. }
            | FileFact::Sent { .. }
            | FileFact::Cut { .. }
            | FileFact::Dropped { .. } => return,
        };
        // A report about a recording that the person has stopped is late.
        if *self != Self::Playing {
            return;
        }
        *self = state;
        context.announce(text);
        if state == Self::Failed {
            // The order to play waits until the script has loaded. It must not play by surprise.
            context.effect(Effect::File(FileOrder::Silence {}));
        }
    }

    /// Builds the button and the line below it.
    pub(super) fn view(self, challenge: &Challenge, disabled: bool) -> Option<Recording> {
        recording(challenge)?;
        let (label, state) = match self {
            Self::Silent => (Message::ChallengeListen, None),
            Self::Playing => (Message::ChallengeListenStop, Some(Message::ChallengeListening)),
            Self::Ended => (Message::ChallengeListenAgain, Some(Message::ChallengeListenEnded)),
            Self::Failed => (Message::ChallengeListenAgain, Some(Message::ChallengeListenFailed)),
        };
        let state = state.map(Into::into);
        Some(Recording { label: label.into(), state, failed: self == Self::Failed, disabled })
    }
}

impl ChallengeScreen {
    /// Whether the person can listen instead of looking at the picture.
    pub(super) fn may_listen(&self) -> bool {
        recording(&self.challenge).is_some() && self.listening != Listening::Failed
    }
}

fn recording(challenge: &Challenge) -> Option<&str> {
    match &challenge.kind {
        ChallengeKind::Image { recording, .. } => recording.as_deref(),
        ChallengeKind::OneTimeCode { .. }
        | ChallengeKind::Choice { .. }
        | ChallengeKind::Question { .. }
        | ChallengeKind::Approve { .. }
        | ChallengeKind::EmailLink { .. }
        | ChallengeKind::Redirect { .. } => None,
    }
}
