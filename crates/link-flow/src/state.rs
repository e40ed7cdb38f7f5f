//! The state of the flow: a screen, alone or below one of the flow's own dialogs.

use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::screen::Screen;
use crate::screen::deferred_screen::DeferredScreen;
use crate::screen::starting::Starting;
use crate::sheet::{Footer, Sheet};
use crate::token_expired::TokenExpired;

/// The widget's state: the screen, or what replaces it.
#[derive(Debug)]
pub(crate) enum State {
    /// A screen.
    Shown(Screen),
    /// The token or session has expired; a new token continues with the paused screen. Without a screen, the
    /// first token had expired, or the new session belongs to someone else.
    Expired { paused: Option<Box<Screen>>, dialog: Box<TokenExpired> },
    /// The question whether to leave, over a state that continues below it.
    Leaving { under: Box<State>, loss: Message },
    /// Closed: nothing happens any more.
    Closed,
}

impl State {
    /// Returns whether the reply to that request is awaited. Any other reply is stale.
    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        match self {
            Self::Shown(screen) => screen.awaits_reply(request),
            Self::Expired { dialog, .. } => dialog.call().and_then(|call| call.request()) == Some(request),
            Self::Leaving { under, .. } => under.awaits_reply(request),
            Self::Closed => false,
        }
    }

    /// Returns whether that timer is awaited. Any other timer is stale.
    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        match self {
            Self::Shown(screen) => screen.awaits_timer(timer),
            Self::Expired { dialog, .. } => dialog.call().and_then(|call| call.timer()) == Some(timer),
            Self::Leaving { under, .. } => under.awaits_timer(timer),
            Self::Closed => false,
        }
    }

    /// Returns the message about what the person loses by leaving now. `None` closes without a question.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self {
            Self::Shown(screen) => screen.loss(),
            Self::Expired { paused, .. } => paused.as_ref()?.loss(),
            Self::Leaving { .. } | Self::Closed => None,
        }
    }

    /// Returns whether a token is being exchanged, so that a refusal is about the token and not about the session.
    pub(crate) fn is_exchanging(&self) -> bool {
        match self {
            Self::Shown(Screen::Starting(Starting::Exchanging(_))) | Self::Expired { .. } => true,
            Self::Leaving { under, .. } => under.is_exchanging(),
            Self::Shown(_) | Self::Closed => false,
        }
    }

    /// Returns whether the page has a DONE button, which closes with the reason `exit`.
    pub(crate) fn may_finish(&self) -> bool {
        match self {
            Self::Shown(screen) => screen.as_deferred().is_some_and(DeferredScreen::may_finish),
            Self::Expired { .. } | Self::Leaving { .. } | Self::Closed => false,
        }
    }

    /// Returns the screen, also below a dialog, if it is in the deferred chunk.
    pub(crate) fn deferred_mut(&mut self) -> Option<&mut dyn DeferredScreen> {
        match self {
            Self::Shown(screen) => screen.deferred_mut(),
            Self::Expired { paused, .. } => paused.as_mut()?.deferred_mut(),
            Self::Leaving { under, .. } => under.deferred_mut(),
            Self::Closed => None,
        }
    }

    /// Stops the recording of a challenge, before a dialog covers it.
    pub(crate) fn silence(&mut self, context: &mut Context) {
        if let Self::Shown(Screen::Deferred(screen)) = self {
            screen.silence(context);
        }
    }

    /// Returns the content of the page below any dialog.
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match self {
            Self::Shown(screen) => screen.sheet(context),
            Self::Expired { paused: Some(paused), .. } => paused.sheet(context),
            Self::Expired { paused: None, dialog } => dialog.sheet(context),
            Self::Leaving { under, .. } => under.sheet(context),
            Self::Closed => Sheet::new(Message::DialogTitle.into(), Footer::None, Vec::new()),
        }
    }
}
