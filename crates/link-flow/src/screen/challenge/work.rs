//! What is under way on the page of a challenge, and how each request of it goes on.

use link_types::id::AccountId;

use crate::call::{Call, Trouble};
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::poll::Poll;

/// What is under way.
#[derive(Debug)]
pub(super) enum Work {
    /// The person answers. The poll sees what becomes of a challenge whose time is over.
    Answering(Option<Poll>),
    /// The person answers, and more time is asked for.
    Extending(RequestId),
    /// The answer is on its way.
    Sending(RequestId),
    /// What the provider says of the answer is waited for.
    Checking(Poll),
    /// A new code is asked for.
    Resending(RequestId),
    /// The provider sends a new code.
    Renewing(Poll),
    /// An answer was lost: ask where the attempt stands.
    Asking(Call),
}

impl Work {
    /// The request whose reply is waited for.
    pub(super) fn request(&self) -> Option<RequestId> {
        match self {
            Self::Answering(poll) => poll.as_ref().and_then(Poll::request),
            Self::Checking(poll) | Self::Renewing(poll) => poll.request(),
            Self::Extending(request) | Self::Sending(request) | Self::Resending(request) => Some(*request),
            Self::Asking(call) => call.request(),
        }
    }

    /// The timer that is waited for.
    pub(super) fn timer(&self) -> Option<TimerId> {
        match self {
            Self::Answering(poll) => poll.as_ref().and_then(Poll::timer),
            Self::Checking(poll) | Self::Renewing(poll) => poll.timer(),
            Self::Asking(call) => call.timer(),
            Self::Extending(_) | Self::Sending(_) | Self::Resending(_) => None,
        }
    }

    /// Whether the connection has been lost for long enough to say so.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            Self::Answering(poll) => poll.as_ref().is_some_and(Poll::is_lost),
            Self::Checking(poll) | Self::Renewing(poll) => poll.is_lost(),
            Self::Extending(_) | Self::Sending(_) | Self::Resending(_) | Self::Asking(_) => false,
        }
    }

    /// The service answered, and nothing has changed since that version of the account.
    pub(super) fn without_news(&mut self, account: &AccountId, version: u32, context: &mut Context) {
        match self {
            Self::Answering(Some(poll)) | Self::Checking(poll) | Self::Renewing(poll) => poll.calm(context),
            Self::Sending(_) => *self = Self::Checking(Poll::start(account, version, context)),
            Self::Resending(_) => *self = Self::Renewing(Poll::start(account, version, context)),
            Self::Extending(_) => *self = Self::Answering(None),
            Self::Answering(None) | Self::Asking(_) => {}
        }
    }

    /// A poll was not answered.
    pub(super) fn unanswered(&mut self, trouble: Trouble, context: &mut Context) {
        match self {
            Self::Answering(Some(poll)) | Self::Checking(poll) | Self::Renewing(poll) => {
                poll.failed(trouble, context)
            }
            Self::Answering(None)
            | Self::Extending(_)
            | Self::Sending(_)
            | Self::Resending(_)
            | Self::Asking(_) => {}
        }
    }

    /// A rest is over.
    pub(super) fn rested(&mut self, elapsed_ms: u32, context: &mut Context) {
        match self {
            Self::Answering(Some(poll)) | Self::Checking(poll) | Self::Renewing(poll) => poll.rested(context),
            Self::Asking(call) => call.rested(elapsed_ms, context),
            Self::Answering(None) | Self::Extending(_) | Self::Sending(_) | Self::Resending(_) => {}
        }
    }
}
