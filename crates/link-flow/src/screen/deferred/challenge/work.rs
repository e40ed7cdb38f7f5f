//! The work under way on a challenge page, and how its requests continue.

use link_types::id::AccountId;

use crate::call::{Call, Trouble};
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::poll::Poll;

/// The work under way.
#[derive(Debug)]
pub(super) enum Work {
    /// The person answers. A poll reports what became of an expired challenge.
    Answering(Option<Poll>),
    /// The person answers while more time is requested.
    Extending(RequestId),
    /// The answer was sent.
    Sending(RequestId),
    /// Waits for the provider's verdict on the answer.
    Checking(Poll),
    /// A new code is requested.
    Resending(RequestId),
    /// Waits while the provider sends a new code.
    Renewing(Poll),
    /// The reply to the answer was lost: the state of the attempt is requested.
    Asking(Call),
}

impl Work {
    /// Returns the number of the request under way.
    pub(super) fn request(&self) -> Option<RequestId> {
        match self {
            Self::Answering(poll) => poll.as_ref().and_then(Poll::request),
            Self::Checking(poll) | Self::Renewing(poll) => poll.request(),
            Self::Extending(request) | Self::Sending(request) | Self::Resending(request) => Some(*request),
            Self::Asking(call) => call.request(),
        }
    }

    /// Returns the timer under way.
    pub(super) fn timer(&self) -> Option<TimerId> {
        match self {
            Self::Answering(poll) => poll.as_ref().and_then(Poll::timer),
            Self::Checking(poll) | Self::Renewing(poll) => poll.timer(),
            Self::Asking(call) => call.timer(),
            Self::Extending(_) | Self::Sending(_) | Self::Resending(_) => None,
        }
    }

    /// Whether the connection has been lost for long enough to show a notice.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            Self::Answering(poll) => poll.as_ref().is_some_and(Poll::is_lost),
            Self::Checking(poll) | Self::Renewing(poll) => poll.is_lost(),
            Self::Extending(_) | Self::Sending(_) | Self::Resending(_) | Self::Asking(_) => false,
        }
    }

    /// Handles a reply without a change since that version of the account.
    pub(super) fn handle_unchanged(&mut self, account: &AccountId, version: u32, context: &mut Context) {
        match self {
            Self::Answering(Some(poll)) | Self::Checking(poll) | Self::Renewing(poll) => {
                poll.handle_unchanged(context)
            }
            Self::Sending(_) => *self = Self::Checking(Poll::start(account, version, context)),
            Self::Resending(_) => *self = Self::Renewing(Poll::start(account, version, context)),
            Self::Extending(_) => *self = Self::Answering(None),
            Self::Answering(None) | Self::Asking(_) => {}
        }
    }

    /// Handles a failed poll.
    pub(super) fn handle_failure(&mut self, trouble: Trouble, context: &mut Context) {
        match self {
            Self::Answering(Some(poll)) | Self::Checking(poll) | Self::Renewing(poll) => {
                poll.handle_failure(trouble, context)
            }
            Self::Answering(None)
            | Self::Extending(_)
            | Self::Sending(_)
            | Self::Resending(_)
            | Self::Asking(_) => {}
        }
    }

    /// Handles the timer of a delay.
    pub(super) fn handle_timer(&mut self, elapsed_ms: u32, context: &mut Context) {
        match self {
            Self::Answering(Some(poll)) | Self::Checking(poll) | Self::Renewing(poll) => {
                poll.handle_timer(context)
            }
            Self::Asking(call) => call.handle_timer(elapsed_ms, context),
            Self::Answering(None) | Self::Extending(_) | Self::Sending(_) | Self::Resending(_) => {}
        }
    }
}
