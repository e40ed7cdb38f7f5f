//! The port to data providers.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::data::DataPointBody;
use link_types::id::ProviderId;
use link_types::provider::Provider;
use link_types::{LinkErrorCode, Sensitive};
use serde::{Deserialize, Serialize};

use super::Answer;
use crate::clock::TenantTime;
use crate::link::Guessing;
use crate::owner::Owner;

/// Where accounts and their data come from. It keeps nothing between calls: what it must remember is in the
/// [`SourceState`], so that an MFA survives a restart and may go on at another node.
pub trait AccountSource: Send + Sync {
    /// The providers it knows, those in maintenance included.
    fn providers(&self) -> Arc<[Provider]>;

    /// Asks anew which providers there are, where that can change while the service runs.
    fn renew_providers(&self) -> Answer<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// How tries of this login are limited. Every limit applies unless the source says otherwise.
    fn guessing<'a>(
        &'a self,
        _owner: &'a Owner,
        _provider: &'a ProviderId,
        _login_name: &'a str,
    ) -> Answer<'a, Guessing> {
        Box::pin(std::future::ready(Guessing::default()))
    }

    /// Takes the next step of a login. Running the same step again must be safe: a crash may have lost the answer.
    fn step<'a>(&'a self, request: StepRequest<'a>) -> Answer<'a, Step>;

    /// Reads the data of a connected account.
    fn read<'a>(&'a self, request: ReadRequest<'a>) -> Answer<'a, Read>;
}

/// One step to take.
#[derive(Clone, Copy, Debug)]
pub struct StepRequest<'a> {
    /// Whose account.
    pub owner: &'a Owner,
    /// The provider.
    pub provider_id: &'a ProviderId,
    /// What the source remembers of the step before.
    pub state: &'a SourceState,
    /// What the person did.
    pub input: &'a SourceInput,
}

/// What a source remembers of one account, in its own form (JSON). It may hold cookies or tokens: it is stored
/// sealed and never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceState(String);

impl SourceState {
    /// A state in the source's own form.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The source's own form; empty before the first step.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SourceState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SourceState(…)")
    }
}

/// The login form's values by field name. They are nowhere but in memory, for as long as a step takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials(pub BTreeMap<String, Sensitive>);

/// What a source's step starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceInput {
    /// The person submitted a login; `login_option` is null for a provider without one.
    LogIn {
        /// Which of the provider's login options.
        login_option: Option<String>,
        /// The form's values.
        credentials: Credentials,
    },
    /// The person typed an answer to the challenge.
    AnswerText {
        /// What was typed.
        text: Sensitive,
    },
    /// The person chose an answer to the challenge.
    AnswerChoice {
        /// The choice's value.
        value: String,
    },
    /// The person asked for the code once more.
    Resend {
        /// By which channel.
        channel: CodeChannel,
    },
    /// The wait that the source asked for is over.
    Continue {},
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Logged in. The state is what reading needs.
    Connected {
        /// What to remember.
        state: SourceState,
    },
    /// The provider asks for something.
    Challenge {
        /// What to remember.
        state: SourceState,
        /// What is asked.
        challenge: PosedChallenge,
    },
    /// Nothing yet: come back with [`SourceInput::Continue`].
    Wait {
        /// What to remember.
        state: SourceState,
        /// How long to wait.
        for_at_least: Duration,
    },
    /// The login failed.
    Failed {
        /// Why.
        code: LinkErrorCode,
    },
}

/// A challenge as a source poses it; the domain gives it its id and keeps its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PosedChallenge {
    /// What is asked.
    pub kind: ChallengeKind,
    /// How long an answer is accepted.
    pub lasts: Option<Duration>,
    /// When to look, with [`SourceInput::Continue`], whether the challenge was met elsewhere: on the person's phone, by
    /// a link in an e-mail. Null when only an answer here can meet it. [`Step::Wait`] then leaves the challenge on the
    /// screen and says when to look again.
    #[serde(default)]
    pub check_after: Option<Duration>,
    /// Whether the person may ask for more time.
    pub extendable: bool,
    /// When and how the code may be sent again.
    pub resend: Option<Resend>,
    /// Tries left, this one included.
    pub tries_left: Option<u8>,
    /// Whether the answer before this was wrong.
    pub wrong_answer: bool,
}

/// When and how a code may be sent again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resend {
    /// The time that must pass first.
    pub after: Duration,
    /// The channels it may be sent by.
    pub channels: Vec<CodeChannel>,
}

/// A reading to do.
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest<'a> {
    /// Whose account.
    pub owner: &'a Owner,
    /// The provider.
    pub provider_id: &'a ProviderId,
    /// What the source remembers of the login.
    pub state: &'a SourceState,
    /// The moment of the reading, on the tenant's clock.
    pub at: TenantTime,
    /// When the account was last read with success; null for the first reading.
    pub last_read_at: Option<TenantTime>,
}

/// What a reading came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// What to remember.
    pub state: SourceState,
    /// What was read.
    pub batch: Batch,
    /// Whether that is all.
    pub outcome: ReadOutcome,
}

/// Data points read together.
#[derive(Clone, Default, PartialEq)]
pub struct Batch {
    /// The data points, the oldest of a kind first. Their ids are placeholders: the domain gives each its own.
    pub bodies: Vec<DataPointBody>,
    /// What share of the salary the contributions are, when the source knows: incomes are estimated with it.
    pub contribution_rate: Option<ContributionRate>,
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Batch({} items)", self.bodies.len())
    }
}

/// The share of the salary that is contributed, in hundredths of a percent; never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContributionRate(NonZeroU32);

impl ContributionRate {
    /// The rate of so many hundredths of a percent; null for none at all.
    pub fn from_basis_points(basis_points: u32) -> Option<Self> {
        NonZeroU32::new(basis_points).map(Self)
    }

    /// The rate in hundredths of a percent.
    pub const fn basis_points(self) -> u32 {
        self.0.get()
    }
}

/// Whether a reading got everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// Everything was read.
    Complete,
    /// Some of it could not be read.
    Partial {
        /// Why the rest could not.
        code: LinkErrorCode,
    },
    /// Nothing could be read.
    Failed {
        /// Why.
        code: LinkErrorCode,
    },
}
