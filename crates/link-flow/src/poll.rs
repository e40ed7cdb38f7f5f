//! The long poll of an account or archive, and the poll of a hand-off. It runs while the screen waits, with growing
//! delays after replies without a change.

use link_types::id::{AccountId, ArchiveId};

use crate::call::Trouble;
use crate::context::Context;
use crate::effect::{ArchiveAsk, Effect, HandoffAsk, ItemId};
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;

/// How long the service may hold a poll: below its limit of 25 s and the shell's deadline.
const WAIT_MS: u32 = 20_000;

/// Delay after a reply without a change. It doubles up to the longest, so that a service that ends polls early is not
/// flooded.
const FIRST_POLL_DELAY_MS: u32 = 500;
const MAX_POLL_DELAY_MS: u32 = 2_000;

/// Delay after the first failure. It doubles up to the longest.
const FIRST_RETRY_DELAY_MS: u32 = 1_000;
const MAX_RETRY_DELAY_MS: u32 = 8_000;

/// The page shows a notice after this many failures.
const LOST_AFTER: u8 = 2;

/// A poll and its progress.
#[derive(Debug)]
pub(crate) struct Poll {
    about: Polled,
    failures: u8,
    /// Consecutive replies without a change.
    unchanged: u8,
    state: PollState,
}

/// The subject of a poll.
#[derive(Debug)]
enum Polled {
    /// An account or archive, for a newer version than `after`.
    Item { item: ItemId, after: u32 },
    /// The hand-off to a phone. The service does not hold these polls.
    Handoff,
}

#[derive(Debug)]
enum PollState {
    Sent(RequestId),
    Delayed(TimerId),
}

impl Poll {
    /// Polls an account for a newer version than this one.
    pub(crate) fn start(account: &AccountId, after: u32, context: &mut Context) -> Self {
        Self::for_item(ItemId::Account(account.clone()), after, context)
    }

    /// Polls an archive for a newer version than this one.
    pub(crate) fn archive(archive: &ArchiveId, after: u32, context: &mut Context) -> Self {
        Self::for_item(ItemId::Archive(archive.clone()), after, context)
    }

    fn for_item(item: ItemId, after: u32, context: &mut Context) -> Self {
        let about = Polled::Item { item, after };
        let state = PollState::Sent(emit(&about, context));
        Self { about, failures: 0, unchanged: 0, state }
    }

    /// Polls the hand-off, whose state is known now.
    pub(crate) fn handoff(context: &mut Context) -> Self {
        let state = PollState::Delayed(context.start_timer(MAX_POLL_DELAY_MS));
        // Each further delay is the longest, too.
        Self { about: Polled::Handoff, failures: 0, unchanged: u8::MAX, state }
    }

    /// Handles a reply without a change.
    pub(crate) fn handle_unchanged(&mut self, context: &mut Context) {
        self.failures = 0;
        let delay_ms = FIRST_POLL_DELAY_MS.saturating_mul(1 << self.unchanged.min(2)).min(MAX_POLL_DELAY_MS);
        self.unchanged = self.unchanged.saturating_add(1);
        self.state = PollState::Delayed(context.start_timer(delay_ms));
    }

    /// Handles a failure. Announces when it has failed often enough to show a notice.
    pub(crate) fn handle_failure(&mut self, trouble: Trouble, context: &mut Context) {
        let delay_ms = FIRST_RETRY_DELAY_MS.saturating_mul(1 << self.failures.min(3)).min(MAX_RETRY_DELAY_MS);
        let delay_ms =
            if let Trouble::Busy(retry_in_ms) = trouble { delay_ms.max(retry_in_ms) } else { delay_ms };
        self.failures = self.failures.saturating_add(1);
        if self.failures == LOST_AFTER {
            context.announce(Message::ConnectingLostTitle);
        }
        self.state = PollState::Delayed(context.start_timer(delay_ms));
    }

    /// Polls again after a delay.
    pub(crate) fn handle_timer(&mut self, context: &mut Context) {
        self.state = PollState::Sent(emit(&self.about, context));
    }

    /// Returns whether it failed often enough to show a notice.
    pub(crate) fn is_lost(&self) -> bool {
        self.failures >= LOST_AFTER
    }

    /// Returns the number of the request under way.
    pub(crate) fn request(&self) -> Option<RequestId> {
        match self.state {
            PollState::Sent(request) => Some(request),
            PollState::Delayed(_) => None,
        }
    }

    /// Returns the timer under way.
    pub(crate) fn timer(&self) -> Option<TimerId> {
        match self.state {
            PollState::Delayed(timer) => Some(timer),
            PollState::Sent(_) => None,
        }
    }
}

fn emit(about: &Polled, context: &mut Context) -> RequestId {
    let request = context.new_request();
    context.effect(match about {
        Polled::Item { item: ItemId::Account(account), after } => {
            Effect::PollAccount { request, account: account.clone(), after: *after, wait_ms: WAIT_MS }
        }
        Polled::Handoff => Effect::Handoff { request, ask: HandoffAsk::Poll },
        Polled::Item { item: ItemId::Archive(archive), after } => {
            let ask = ArchiveAsk::Poll { archive: archive.clone(), after: *after, wait_ms: WAIT_MS };
            Effect::Archive { request, ask }
        }
    });
    request
}
