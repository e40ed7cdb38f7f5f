//! What the flow asks of the body. Values, not calls: the body runs them in order, in one exhaustive `match`.

use link_types::Sensitive;
use link_types::challenge::ResendChallenge;
use link_types::host::{Callback, CloseReason};
use link_types::id::{AccountId, ProviderId};

use crate::event::{RequestId, TimerId};
use crate::submission::{AnswerSubmission, LoginSubmission};

/// One thing to do. Effects with a `request` are answered by [`Event::Replied`](crate::Event::Replied) with the same
/// number, exactly once.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The first view stands: take the host's shell away (`LinkHost::ready`). Comes once, before everything else.
    Ready,
    /// Exchange a link token for a session (`LinkHost::exchange`). The same token again must go with the same session
    /// secret, so that a lost answer costs nothing.
    Exchange {
        /// The number of the request.
        request: RequestId,
        /// The link token.
        token: Sensitive,
    },
    /// `GET link/session`: where the attempt stands.
    LoadSession {
        /// The number of the request.
        request: RequestId,
    },
    /// `DELETE link/session`. Its answer is of no interest.
    EndSession,
    /// `GET link/providers`.
    LoadProviders {
        /// The number of the request.
        request: RequestId,
        /// The next page's cursor; `None` asks for the first.
        cursor: Option<String>,
    },
    /// `GET link/providers/{id}`: with its login options and fields.
    LoadProvider {
        /// The number of the request.
        request: RequestId,
        /// Which.
        provider: ProviderId,
    },
    /// `POST link/accounts`: the login leaves here, once.
    StartLink {
        /// The number of the request.
        request: RequestId,
        /// Provider, login, consent receipt.
        body: Box<LoginSubmission>,
    },
    /// `GET link/accounts/{id}?after=&wait=`: the long poll.
    PollAccount {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// The version already known; the service answers when it has a higher one.
        after: u32,
        /// How long the service may wait, in milliseconds.
        wait_ms: u32,
    },
    /// `POST link/accounts/{id}/answer`: the answer to a challenge leaves here, once.
    Answer {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// Challenge and answer.
        body: AnswerSubmission,
    },
    /// `POST link/accounts/{id}/resend`: a new one-time code.
    Resend {
        /// The number of the request.
        request: RequestId,
        /// Which account.
        account: AccountId,
        /// Challenge and channel.
        body: ResendChallenge,
    },
    /// Send [`Event::TimerFired`](crate::Event::TimerFired) after this time.
    StartTimer {
        /// The number of the timer.
        timer: TimerId,
        /// The time.
        after_ms: u32,
    },
    /// Tell the host page (`LinkHost::tell`); one with a known key is dropped there, so it arrives exactly once.
    /// A UI event comes with an empty `event_time`: the body puts its clock's time in.
    Tell {
        /// Attempt, kind and subject; or opening, kind and number.
        key: String,
        /// The callback with its argument.
        callback: Callback,
    },
    /// Close the widget (`LinkHost::close`). The last effect there ever is.
    Close {
        /// The argument of `onClose`.
        reason: CloseReason,
    },
}
