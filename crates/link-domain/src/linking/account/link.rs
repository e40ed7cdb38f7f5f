//! A link in progress: the login, the challenge, the failure.

use std::time::Duration;

use link_types::LinkErrorCode;
use link_types::Sensitive;
use link_types::challenge::{Challenge, ChallengeKind, ResendRule};
use link_types::id::ChallengeId;
use link_types::template::{Retention, SyncInterval};
use serde::{Deserialize, Serialize};

use super::pending_input::PendingInput;
use super::redirect::RedirectTicket;
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::digest::Digest32;
use crate::kernel::sealed;
use crate::linking::account_source::{PosedChallenge, SourceState};
use crate::linking::consent::Consent;
use crate::linking::guesses::Tried;

/// A link, from a submitted login to its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Login name as it was typed. `None` for a provider without a login.
    #[serde(with = "sealed::option")]
    pub login_name: Option<Sensitive>,
    /// Interval of continuous sync once the account is connected. `None` for an account that is not in sync.
    pub sync: Option<SyncInterval>,
    /// Start of the account's 60 days once it is connected.
    pub retention: Retention,
    /// New consent for an account that is already connected. It replaces the account's consent once the link connects.
    #[serde(default)]
    pub consent: Option<Consent>,
    /// Login that was submitted. `None` for a provider without a login.
    #[serde(default)]
    pub submitted: Option<Box<Submitted>>,
    /// Whether the person signed in on the provider's page, so that the provider gave an access that it can end.
    #[serde(default)]
    pub on_provider_page: bool,
    /// Progress of the link.
    pub step: LinkStep,
}

/// Submitted login of a link, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    /// Digest of the encrypted form. A submission of the same form is a repeated request.
    pub form: Digest32,
    /// Tries of the login, as they are counted.
    pub tried: Tried,
}

/// Progress of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkStep {
    /// The source has a step to take, and a job is scheduled for it.
    #[serde(rename_all = "camelCase")]
    Working {
        /// Account version that scheduled the step. A result for an older step is ignored. Other changes to the account
        /// do not cancel the step.
        requested_at_version: u32,
        /// Session state of the source.
        source: SourceState,
        /// Input of the step. Credentials and answers are stored here, encrypted, only while the step is pending.
        input: PendingInput,
        /// Whether the login was already accepted and the step checks an answer to a challenge.
        answering: bool,
    },
    /// The person has a challenge to answer.
    #[serde(rename_all = "camelCase")]
    Challenged {
        /// Session state of the source.
        source: SourceState,
        /// Challenge to answer.
        challenge: Box<PendingChallenge>,
        /// Account version that scheduled a check of the source. `Some` if approval can arrive elsewhere, without an
        /// answer in the widget.
        #[serde(default)]
        requested_at_version: Option<u32>,
    },
    /// The last submission failed.
    Failed(Failure),
}

/// A challenge that is waiting for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingChallenge {
    /// Identifier of the challenge. Answers to other challenges are rejected.
    pub id: ChallengeId,
    /// When the challenge was issued.
    pub posed_at: TenantTime,
    /// Challenge as the source issued it.
    pub posed: PosedChallenge,
    /// Time added by extensions.
    #[serde(default)]
    pub extended_by: Duration,
    /// Number of extensions.
    #[serde(default)]
    pub extensions: u8,
    /// Ticket that leads to the provider's page. `None` if the challenge has no such page.
    #[serde(default)]
    pub ticket: Option<RedirectTicket>,
}

/// Failure of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// Error code.
    pub code: LinkErrorCode,
    /// Whether the person declined the request in the provider's app.
    pub declined: bool,
    /// When the next submission of this login is accepted.
    pub retry_at: Wall,
}

impl Link {
    /// Returns the login name as events contain it.
    pub(super) fn show_login_name(&self) -> Option<String> {
        self.login_name.as_ref().map(|name| name.expose().to_owned())
    }

    /// Returns whether the login is being checked, or a challenge waits for an answer.
    pub const fn is_under_way(&self) -> bool {
        match self.step {
            LinkStep::Working { .. } | LinkStep::Challenged { .. } => true,
            LinkStep::Failed(_) => false,
        }
    }

    /// Returns the session state of a login on the provider's page that has not ended. It may open an access.
    pub(super) const fn provider_access(&self) -> Option<&SourceState> {
        match &self.step {
            LinkStep::Working { source, .. } | LinkStep::Challenged { source, .. }
                if self.on_provider_page =>
            {
                Some(source)
            }
            LinkStep::Working { .. } | LinkStep::Challenged { .. } | LinkStep::Failed(_) => None,
        }
    }

    /// Returns the counted tries of the login, or `None` for a provider without a login.
    pub fn tried_login(&self) -> Option<&Tried> {
        self.submitted.as_ref().map(|it| &it.tried)
    }

    /// Returns the digest of the encrypted form, or `None` for a provider without a login.
    pub fn form(&self) -> Option<Digest32> {
        self.submitted.as_ref().map(|it| it.form)
    }

    /// Returns the session state and the input of the step that this version scheduled, if it is still pending.
    pub fn requested_step(&self, version: u32) -> Option<(SourceState, PendingInput)> {
        match &self.step {
            LinkStep::Working { requested_at_version, source, input, .. }
                if *requested_at_version == version =>
            {
                Some((source.clone(), input.clone()))
            }
            LinkStep::Challenged { requested_at_version, source, .. }
                if *requested_at_version == Some(version) =>
            {
                Some((source.clone(), PendingInput::Continue {}))
            }
            LinkStep::Working { .. } | LinkStep::Challenged { .. } | LinkStep::Failed(_) => None,
        }
    }
}

/// How often a challenge's time can be extended. WCAG 2.2 requires at least 10 times (SC 2.2.1).
const EXTENSIONS: u8 = 10;

impl PendingChallenge {
    /// Creates a challenge that was issued at `posed_at`.
    pub(super) fn new(
        id: ChallengeId,
        posed: PosedChallenge,
        posed_at: TenantTime,
        ticket: Option<RedirectTicket>,
    ) -> Self {
        Self { id, posed_at, posed, extended_by: Duration::ZERO, extensions: 0, ticket }
    }

    /// Returns how long after `posed_at` the challenge expires, or `None` if it does not.
    fn lasts(&self) -> Option<Duration> {
        self.posed.lasts.map(|lasts| lasts + self.extended_by)
    }

    /// Returns whether the challenge has expired.
    pub(super) fn has_lapsed(&self, now: TenantTime) -> bool {
        self.lasts().is_some_and(|lasts| now.since(self.posed_at) >= lasts)
    }

    /// Restarts the challenge's full time at `now` and returns it with that time. `None` if it cannot be extended any
    /// more.
    pub(super) fn extend(self, now: TenantTime) -> Option<(Self, Duration)> {
        let lasts = self.posed.lasts.filter(|_| self.is_extendable())?;
        let extended_by = now.since(self.posed_at);
        Some((Self { extended_by, extensions: self.extensions + 1, ..self }, lasts))
    }

    const fn is_extendable(&self) -> bool {
        self.posed.extendable && self.extensions < EXTENSIONS
    }

    /// Returns the challenge as the widget sees it, with times as durations from `now`.
    pub fn view(&self, now: TenantTime) -> Challenge {
        let left = |of: Duration| millis(of.saturating_sub(now.since(self.posed_at)));
        Challenge {
            id: self.id.clone(),
            kind: match &self.ticket {
                Some(ticket) => ChallengeKind::Redirect { address: ticket.path() },
                None => self.posed.kind.clone(),
            },
            expires_in_ms: self.lasts().map(left),
            extendable: self.is_extendable(),
            resend: self.posed.resend.as_ref().map(|resend| ResendRule {
                available_in_ms: left(resend.after),
                channels: resend.channels.clone(),
            }),
            tries_left: self.posed.tries_left,
            wrong_answer: self.posed.wrong_answer,
        }
    }
}

/// Converts a duration to whole milliseconds, as used on the wire.
pub(super) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
