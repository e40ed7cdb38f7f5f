//! What can happen to an account.

use std::time::Duration;

use link_types::challenge::CodeChannel;
use link_types::format::FormatFault;
use link_types::guessing::GuessLimit;
use link_types::id::{ChallengeId, ProviderId, TaskId, UserId};

use super::{Consent, Login};
use crate::clock::TenantTime;
use crate::event::PageCursors;
use crate::link::{TooManyGuesses, Tries};
use crate::link_history::LinkHistory;
use crate::owner::Owner;
use crate::ports::{Read, SourceState, Step};
use crate::sealing::Sealed;

/// Who links what, for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// Whose account it will be.
    pub owner: Owner,
    /// The person.
    pub user_id: UserId,
    /// The provider.
    pub provider_id: ProviderId,
}

/// A submit of the login form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The login; null for a provider that needs none.
    pub login: Option<Login>,
    /// Whether continuous sync starts once it is connected: the link template asks for it and the provider can.
    pub monitored: bool,
    /// What was consented to.
    pub consent: Consent,
    /// How often this login was tried; its hash becomes the account's.
    pub tries: Tries,
}

/// An answer to a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A code, or the text of an image or of an answer, in its box.
    Text(Sealed),
    /// The chosen answer's value.
    Choice(String),
}

/// Something that happens to an account.
pub enum AccountInput<'a> {
    /// The person submits a login: a retry, or a re-authorization of a connected account.
    Submit(Submission),
    /// The source answered the step that this version owed.
    Stepped {
        /// The version that owed it.
        version: u32,
        /// What it came to.
        step: Step,
        /// How often this login was tried; null for a provider without a login.
        tries: Option<Tries>,
    },
    /// The person answers the challenge.
    Answer {
        /// The challenge that was on the person's screen.
        challenge_id: ChallengeId,
        /// The answer.
        answer: Answer,
        /// How often this login was tried; null for a provider without a login.
        tries: Option<Tries>,
    },
    /// The person asks for the code once more.
    Resend {
        /// The challenge that was on the person's screen.
        challenge_id: ChallengeId,
        /// By which channel.
        channel: CodeChannel,
    },
    /// The person asks for more time.
    Extend {
        /// The challenge that was on the person's screen.
        challenge_id: ChallengeId,
    },
    /// Nobody answered the challenge in time.
    ChallengeLapsed {
        /// The challenge.
        challenge_id: ChallengeId,
    },
    /// The source answered the reading.
    Read {
        /// The task that reports it.
        task_id: TaskId,
        /// What the source remembered when the reading began.
        from: SourceState,
        /// What was read.
        read: Read,
        /// When the person linked this provider, the account's own links among them.
        history: LinkHistory,
        /// Makes the cursors of lists longer than a payload may hold.
        cursors: &'a dyn PageCursors,
    },
    /// The person or the tenant revokes access.
    Revoke,
    /// The account's sixty days have passed.
    Expire,
    /// Nobody worked on the link for a day.
    Abandon,
    /// The tenant stops continuous sync.
    DisableMonitor,
    /// The tenant starts continuous sync again.
    EnableMonitor,
}

/// Why an input does not apply to the account as it stands. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTransition {
    /// The source answered a step that is no longer owed.
    #[error("the step is no longer owed")]
    StaleStep,
    /// No challenge waits for an answer.
    #[error("no challenge waits for an answer")]
    NoChallenge,
    /// Another challenge waits for an answer.
    #[error("another challenge waits for an answer")]
    StaleChallenge,
    /// The challenge takes an answer of another kind.
    #[error("the challenge takes an answer of another kind")]
    WrongAnswerKind,
    /// The answer is not of the form the challenge asks for.
    #[error("the answer {0}")]
    MalformedAnswer(FormatFault),
    /// The challenge's code cannot be sent again this way.
    #[error("the code cannot be sent again this way")]
    ResendRefused,
    /// The challenge's code can be sent again later.
    #[error("the code can be sent again later")]
    ResendTooEarly {
        /// How much later.
        wait: Duration,
    },
    /// The challenge's time cannot be extended, or not any more.
    #[error("the challenge's time cannot be extended")]
    ExtensionRefused,
    /// Logins were tried too often.
    #[error("{}", words(*limit))]
    TooManyTries {
        /// The limit that was met.
        limit: GuessLimit,
        /// When a try is accepted again.
        wait: Duration,
    },
    /// The account is not connected.
    #[error("the account is not connected")]
    NotConnected,
    /// The account is connected.
    #[error("the account is connected")]
    AlreadyConnected,
    /// The account is disconnected.
    #[error("the account is disconnected")]
    AlreadyDisconnected,
    /// The reading is not the one under way.
    #[error("the reading is not the one under way")]
    StaleReading,
    /// The moment for it has not come.
    #[error("the moment for it has not come")]
    NotDue {
        /// When it comes.
        due_at: TenantTime,
    },
    /// The account cannot be kept in sync.
    #[error("the account cannot be kept in sync")]
    MonitorUnsupported,
}

const fn words(limit: GuessLimit) -> &'static str {
    match limit {
        GuessLimit::Login => "this login was tried too often",
        GuessLimit::User => "this user tried too many different logins today",
        GuessLimit::Session => "too many tries failed in this session",
        GuessLimit::Network => "too many tries failed from this network",
        GuessLimit::Provider => "too many tries fail at this provider",
    }
}

impl From<TooManyGuesses> for IllegalTransition {
    fn from(TooManyGuesses { limit, wait }: TooManyGuesses) -> Self {
        Self::TooManyTries { limit, wait }
    }
}
