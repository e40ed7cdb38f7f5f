//! Inputs that an account can receive.

use std::time::Duration;

use link_types::challenge::CodeChannel;
use link_types::format::FormatError;
use link_types::id::{ChallengeId, LinkSiteSessionId, ProviderId, TaskId, UserId};
use link_types::link::GuessLimit;
use link_types::template::{Retention, SyncInterval};

use super::pending_input::Login;
use super::redirect::ProviderResponse;
use crate::data::data_point::Known;
use crate::data::payload::PayloadLinks;
use crate::data::provider_file::FetchedFile;
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::sealing::Sealed;
use crate::kernel::source::RevokedBy;
use crate::linking::account_source::{Read, SourceState, Step};
use crate::linking::consent::Consent;
use crate::linking::guesses::{TooManyGuessesError, Tries};
use crate::linking::link_history::LinkHistory;

/// User and provider of a new account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// Tenant and environment of the account.
    pub owner: Owner,
    /// User who links the account.
    pub user_id: UserId,
    /// Provider of the account.
    pub provider_id: ProviderId,
    /// Visit of the hosted pages in which the account is created.
    pub visit_id: Option<LinkSiteSessionId>,
}

/// A submitted login form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Login. `None` for a provider that needs no login.
    pub login: Option<Login>,
    /// Interval of continuous sync once the account is connected. `None` if the link template does not enable it, or
    /// the provider does not support it.
    pub sync: Option<SyncInterval>,
    /// Start of the account's 60 days, as the link template says.
    pub retention: Retention,
    /// Consent that the person gave. `None` if the consent of a connected account covers the terms.
    pub consent: Option<Consent>,
    /// Tries of this login. Their login hash becomes the account's.
    pub tries: Tries,
}

impl Submission {
    /// Returns whether the account connects at once, because its provider needs no login.
    pub const fn connects_at_once(&self) -> bool {
        self.login.is_none()
    }
}

/// An answer to a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A code, the text in an image, or the answer to a question, encrypted.
    Text(Sealed),
    /// Value of the selected choice.
    Choice(String),
}

/// An input to an account.
#[expect(clippy::large_enum_variant, reason = "an input is moved into the transition once")]
pub enum AccountInput<'a> {
    /// The person submits a login: a retry, or a re-authorization of a connected account.
    Submit(Submission),
    /// The source finished the step that was scheduled at this version.
    Stepped {
        /// Version that scheduled the step.
        version: u32,
        /// Result of the step.
        step: Step,
        /// Tries of this login. `None` for a provider without a login.
        tries: Option<Tries>,
    },
    /// The person answers the challenge.
    Answer {
        /// Challenge that the person answered.
        challenge_id: ChallengeId,
        /// Answer to the challenge.
        answer: Answer,
        /// Tries of this login. `None` for a provider without a login.
        tries: Option<Tries>,
    },
    /// The provider sent the person back from its page.
    Redirected {
        /// Challenge whose page the person opened.
        challenge_id: ChallengeId,
        /// Response of the provider.
        response: ProviderResponse,
    },
    /// The person requests the code again.
    Resend {
        /// Challenge that the person sees.
        challenge_id: ChallengeId,
        /// Channel to send the code through.
        channel: CodeChannel,
    },
    /// The person requests more time.
    Extend {
        /// Challenge that the person sees.
        challenge_id: ChallengeId,
    },
    /// The challenge expired without an answer.
    ChallengeLapsed {
        /// Challenge that expired.
        challenge_id: ChallengeId,
    },
    /// The source finished reading.
    Read {
        /// Task that reports the reading.
        task_id: TaskId,
        /// Session state of the source when the reading began.
        from: SourceState,
        /// Data that was read.
        read: Read,
        /// Files that were fetched for its documents.
        files: Vec<FetchedFile>,
        /// Data points of the account that are stored.
        known: Known,
        /// Times at which the person linked this provider, including this account's own links.
        history: LinkHistory,
        /// Creates the cursors and the URLs of files in a payload.
        links: &'a dyn PayloadLinks,
    },
    /// Continuous sync is due.
    Sync,
    /// The tenant requests a reading.
    Refresh,
    /// The person or the tenant revokes access.
    Revoke {
        /// Who revokes it.
        by: RevokedBy,
    },
    /// The account's 60 days have passed.
    Expire,
    /// The link was inactive for a day.
    Abandon,
    /// The tenant disables continuous sync.
    DisableMonitor {
        /// Data points of the account that are stored.
        known: Known,
        /// Creates the cursors and the URLs of files in a payload.
        links: &'a dyn PayloadLinks,
    },
    /// The tenant enables continuous sync again.
    EnableMonitor,
}

/// Reason why an input is illegal in the account's state. The account is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTransitionError {
    /// The step was scheduled by an older version.
    #[error("the step is outdated")]
    StaleStep,
    /// No challenge is waiting for an answer.
    #[error("no challenge is waiting for an answer")]
    NoChallenge,
    /// A different challenge is waiting for an answer.
    #[error("a different challenge is waiting for an answer")]
    StaleChallenge,
    /// The challenge requires a different kind of answer.
    #[error("the challenge requires a different kind of answer")]
    WrongAnswerKind,
    /// The answer does not match the challenge's format.
    #[error("the answer {0}")]
    MalformedAnswer(FormatError),
    /// The code cannot be resent, or not through this channel.
    #[error("the code cannot be resent this way")]
    ResendRefused,
    /// The code cannot be resent yet.
    #[error("the code cannot be resent yet")]
    ResendTooEarly {
        /// Time until the code can be resent.
        wait: Duration,
    },
    /// The challenge's time cannot be extended, or not any more.
    #[error("the challenge's time cannot be extended")]
    ExtensionRefused,
    /// Too many tries of a login.
    #[error("{}", words(*limit))]
    TooManyTries {
        /// Limit that was reached.
        limit: GuessLimit,
        /// Time until another try is accepted.
        wait: Duration,
    },
    /// The person has not consented.
    #[error("the person has not consented")]
    NoConsent,
    /// The account is not connected.
    #[error("the account is not connected")]
    NotConnected,
    /// The account is already connected.
    #[error("the account is already connected")]
    AlreadyConnected,
    /// The account is already disconnected.
    #[error("the account is already disconnected")]
    AlreadyDisconnected,
    /// The reading is not the current one.
    #[error("the reading is not the current one")]
    StaleReading,
    /// The input arrived before it was due.
    #[error("it is too early for this operation")]
    NotDue {
        /// When the input is due.
        due_at: TenantTime,
    },
    /// The account does not support continuous sync.
    #[error("the account does not support continuous sync")]
    MonitorUnsupported,
    /// Continuous sync is disabled, or waits until the person signs in.
    #[error("continuous sync of the account is not active")]
    SyncInactive,
    /// The tenant requested a reading less than an hour ago.
    #[error("a reading of the account was already requested within the last hour")]
    RefreshedAlready {
        /// Time until another request is accepted.
        wait: Duration,
    },
}

const fn words(limit: GuessLimit) -> &'static str {
    match limit {
        GuessLimit::Login => "too many tries of this login",
        GuessLimit::User => "too many different logins tried by this user today",
        GuessLimit::Session => "too many failed tries in this session",
        GuessLimit::Network => "too many failed tries from this network",
        GuessLimit::Provider => "too many failed tries at this provider",
    }
}

impl From<TooManyGuessesError> for IllegalTransitionError {
    fn from(TooManyGuessesError { limit, wait }: TooManyGuessesError) -> Self {
        Self::TooManyTries { limit, wait }
    }
}
