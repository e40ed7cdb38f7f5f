//! A link under way: the login, the challenge, the failure.

use std::time::Duration;

use link_types::LinkErrorCode;
use link_types::Sensitive;
use link_types::account::ConnectionStatus;
use link_types::challenge::{Challenge, ResendRule};
use link_types::id::ChallengeId;
use link_types::link::ConsentReceipt;
use serde::{Deserialize, Serialize};

use crate::clock::{TenantTime, Wall};
use crate::ports::{PosedChallenge, SourceInput, SourceState};
use crate::sealed;

/// What was consented to, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// The receipt as the widget sent it.
    pub receipt: ConsentReceipt,
    /// When the service took it.
    pub consented_at: TenantTime,
}

/// One link: from a submit to an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The login name as it was typed; null for a provider without one.
    #[serde(with = "sealed::option")]
    pub login_name: Option<Sensitive>,
    /// Whether continuous sync starts once it is connected.
    pub monitored: bool,
    /// How far it has come.
    pub step: LinkStep,
}

/// How far a link has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LinkStep {
    /// The source has a step to take; a job owes it.
    #[serde(rename_all = "camelCase")]
    Working {
        /// The account's version that owes the step: the answer to an older step changes nothing, and whatever
        /// else happens to the account meanwhile does not withdraw it.
        owed_by: u32,
        /// What the source remembers.
        source: SourceState,
        /// What the step starts from; credentials and answers live here and no longer than the step.
        input: SourceInput,
        /// Whether the login itself was accepted before: the step checks an answer to a challenge.
        answering: bool,
    },
    /// The person has a challenge to answer.
    #[serde(rename_all = "camelCase")]
    Challenged {
        /// What the source remembers.
        source: SourceState,
        /// The challenge.
        challenge: PendingChallenge,
    },
    /// The last submission failed.
    Failed(Failure),
}

/// A challenge that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingChallenge {
    /// Its id: an answer to another one changes nothing.
    pub id: ChallengeId,
    /// When it was posed.
    pub posed_at: Wall,
    /// What is asked.
    pub posed: PosedChallenge,
}

/// Why a submission failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The code.
    pub code: LinkErrorCode,
    /// When the next submission of this login is accepted.
    pub retry_at: Wall,
}

impl Link {
    /// The state of an account that is not connected and has this link.
    pub(super) const fn connection_status(&self) -> ConnectionStatus {
        match &self.step {
            LinkStep::Working { answering: false, .. } => ConnectionStatus::Pending,
            LinkStep::Working { answering: true, .. } | LinkStep::Challenged { .. } => {
                ConnectionStatus::AwaitingMfa
            }
            LinkStep::Failed(_) => ConnectionStatus::Error,
        }
    }
}

impl PendingChallenge {
    /// The challenge as the widget sees it: its moments become durations from `now`.
    pub fn view(&self, now: Wall) -> Challenge {
        let left = |of: Duration| millis(of.saturating_sub(now.since(self.posed_at)));
        Challenge {
            id: self.id.clone(),
            kind: self.posed.kind.clone(),
            expires_in_ms: self.posed.lasts.map(left),
            extendable: self.posed.extendable,
            resend: self.posed.resend.as_ref().map(|resend| ResendRule {
                available_in_ms: left(resend.after),
                channels: resend.channels.clone(),
            }),
            tries_left: self.posed.tries_left,
            wrong_answer: self.posed.wrong_answer,
        }
    }
}

/// Whole milliseconds, as the wire has them.
pub(super) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
