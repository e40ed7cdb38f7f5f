//! What is under way on the page of a challenge, and how each request of it goes on.

use link_types::id::AccountId;

use crate::call::Call;
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::poll::Poll;

/// What is under way.
#[derive(Debug)]
pub(super) enum Work {
    /// The person answers. The poll sees what becomes of a challenge whose time is over.
    Answering(Option<Poll>),
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
            Self::Sending(request) | Self::Resending(request) => Some(*request),
            Self::Asking(call) => call.request(),
        }
    }

    /// The timer that is waited for.
    pub(super) fn timer(&self) -> Option<TimerId> {
        match self {
            Self::Answering(poll) => poll.as_ref().and_then(Poll::timer),
            Self::Checking(poll) | Self::Renewing(poll) => poll.timer(),
            Self::Asking(call) => call.timer(),
            Self::Sending(_) | Self::Resending(_) => None,
        }
    }

    /// Whether the connection has been lost for long enough to say so.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            Self::Answering(poll) => poll.as_ref().is_some_and(Poll::is_lost),
            Self::Checking(poll) | Self::Renewing(poll) => poll.is_lost(),
            Self::Sending(_) | Self::Resending(_) | Self::Asking(_) => false,
        }
    }

    /// The service answered, and nothing has changed since that version of the account.
    pub(super) fn without_news(self, account: &AccountId, version: u32, context: &mut Context) -> Self {
        match self {
            Self::Answering(poll) => Self::Answering(poll.map(|poll| poll.calm(context))),
            Self::Checking(poll) => Self::Checking(poll.calm(context)),
            Self::Renewing(poll) => Self::Renewing(poll.calm(context)),
            Self::Sending(_) => Self::Checking(Poll::start(account, version, context)),
            Self::Resending(_) => Self::Renewing(Poll::start(account, version, context)),
            Self::Asking(call) => Self::Asking(call),
        }
    }

    /// A poll was not answered.
    pub(super) fn unanswered(self, context: &mut Context) -> Self {
        match self {
            Self::Answering(poll) => Self::Answering(poll.map(|poll| poll.failed(context))),
            Self::Checking(poll) => Self::Checking(poll.failed(context)),
            Self::Renewing(poll) => Self::Renewing(poll.failed(context)),
            work @ (Self::Sending(_) | Self::Resending(_) | Self::Asking(_)) => work,
        }
    }

    /// A rest is over.
    pub(super) fn rested(self, context: &mut Context) -> Self {
        match self {
            Self::Answering(poll) => Self::Answering(poll.map(|poll| poll.rested(context))),
            Self::Checking(poll) => Self::Checking(poll.rested(context)),
            Self::Renewing(poll) => Self::Renewing(poll.rested(context)),
            Self::Asking(call) => Self::Asking(call.rested(context)),
            work @ (Self::Sending(_) | Self::Resending(_)) => work,
        }
    }
}
