//! The screens, one file each: what a screen owns, how it handles each input, what it shows. Those of the first open are here,
//! all others in `deferred/`.
//!
//! A screen never builds another screen: it returns a route in its [`Outcome`].

pub(crate) mod consent;
pub(crate) mod deferred;
pub(crate) mod deferred_screen;
pub(crate) mod page_call;
pub(crate) mod parts;
pub(crate) mod providers;
pub(crate) mod starting;

use self::consent::Consent;
use self::deferred_screen::{Deferred, DeferredScreen};
use self::providers::Providers;
use self::starting::Starting;
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome;
use crate::sheet::Sheet;

/// The screens of the first open, and all others behind a pointer. The larger ones are boxed, so that a transition moves a
/// pointer.
#[derive(Debug)]
pub(crate) enum Screen {
    /// Exchanges the token, or loads what the next screen needs.
    Starting(Starting),
    /// Shows what is shared and asks for consent.
    Consent(Consent),
    /// Lists the providers.
    Providers(Box<Providers>),
    /// Any other screen.
    Deferred(Deferred),
}

impl Screen {
    /// Handles an input.
    pub(crate) fn handle(self, input: Input, context: &mut Context) -> Outcome<Self> {
        match self {
            Self::Starting(screen) => screen.handle(input, context).map(Self::Starting),
            Self::Consent(screen) => screen.handle(input, context).map(Self::Consent),
            Self::Providers(screen) => screen.handle(input, context).map(Self::Providers),
            Self::Deferred(screen) => screen.handle(input, context).map(Self::Deferred),
        }
    }

    /// Whether the screen waits for the reply to that request. Any other reply is stale.
    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        match self {
            Self::Starting(screen) => screen.call().and_then(|call| call.request()) == Some(request),
            Self::Consent(_) => false,
            Self::Providers(screen) => screen.awaits_reply(request),
            Self::Deferred(screen) => screen.awaits_reply(request),
        }
    }

    /// Whether the screen waits for that timer. Any other timer is stale.
    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        match self {
            Self::Starting(screen) => screen.call().and_then(|call| call.timer()) == Some(timer),
            Self::Consent(_) => false,
            Self::Providers(screen) => screen.awaits_timer(timer),
            Self::Deferred(screen) => screen.awaits_timer(timer),
        }
    }

    /// Returns the text about the data that the person would lose by leaving now. `None` closes without a question.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self {
            Self::Starting(screen) => screen.loss(),
            Self::Consent(screen) => screen.loss(),
            Self::Providers(_) => None,
            Self::Deferred(screen) => screen.loss(),
        }
    }

    /// Whether the screen needs a session. There is none before the start, and the success page needs none.
    pub(crate) fn needs_session(&self) -> bool {
        match self {
            Self::Starting(Starting::Waiting | Starting::Exchanging(_) | Starting::Refused) => false,
            Self::Starting(
                Starting::LoadingProvider { .. }
                | Starting::LoadingChunk { .. }
                | Starting::LoadingTerms { .. },
            )
            | Self::Consent(_)
            | Self::Providers(_) => true,
            Self::Deferred(screen) => screen.needs_session(),
        }
    }

    /// Returns the screen, if it is in the deferred chunk.
    pub(crate) fn as_deferred(&self) -> Option<&dyn DeferredScreen> {
        match self {
            Self::Deferred(screen) => Some(&**screen),
            Self::Starting(_) | Self::Consent(_) | Self::Providers(_) => None,
        }
    }

    /// Returns the screen for a change, if it is in the deferred chunk.
    pub(crate) fn deferred_mut(&mut self) -> Option<&mut dyn DeferredScreen> {
        match self {
            Self::Deferred(screen) => Some(&mut **screen),
            Self::Starting(_) | Self::Consent(_) | Self::Providers(_) => None,
        }
    }

    /// The content of the page.
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match self {
            Self::Starting(screen) => screen.sheet(context),
            Self::Consent(screen) => screen.sheet(context),
            Self::Providers(screen) => screen.sheet(context),
            Self::Deferred(screen) => screen.sheet(context),
        }
    }
}
