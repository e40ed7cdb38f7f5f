//! A link under way: the login, the challenge, the failure.

use std::time::Duration;

use link_types::LinkErrorCode;
use link_types::Sensitive;
use link_types::challenge::{Challenge, ResendRule};
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::{ChallengeId, UserId};
use link_types::link::ConsentReceipt;
use serde::{Deserialize, Serialize};

use super::PendingInput;
use crate::clock::{TenantTime, Wall};
use crate::digest::Digest32;
use crate::link::Tried;
use crate::ports::{PosedChallenge, SourceState};
use crate::sealed;
use crate::template::ConsentTemplate;

/// What was consented to, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// The receipt as the widget sent it.
    pub receipt: ConsentReceipt,
    /// When the service took it.
    pub consented_at: TenantTime,
}

impl Consent {
    /// The consent as the tenant reads it back, with the text of its template.
    pub fn record(
        self,
        source_id: String,
        source_type: SourceType,
        user_id: UserId,
        template: &ConsentTemplate,
    ) -> ConsentRecord {
        let shown = &template.template;
        ConsentRecord {
            source_id,
            source_type,
            user_id,
            consent_template_id: self.receipt.consent_template_id,
            consent_type: shown.consent_type.clone(),
            version: self.receipt.version,
            title: shown.title.clone(),
            consented_with: shown.text.clone(),
            locale: self.receipt.locale,
            given_by: self.receipt.given_by,
            consented_at: self.consented_at.into(),
        }
    }
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
    /// What a connected account's person consented to anew; it becomes the account's once it is connected again.
    #[serde(default)]
    pub consent: Option<Consent>,
    /// The login it was submitted with; null for a provider without one.
    #[serde(default)]
    pub submitted: Option<Box<Submitted>>,
    /// How far it has come.
    pub step: LinkStep,
}

/// What a link remembers of the login it was submitted with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    /// The digest of the sealed form: the same form again is the same request.
    pub form: Digest32,
    /// Its tries, as they are counted.
    pub tried: Tried,
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
        /// What the step starts from; credentials and answers live here, in their boxes, and no longer than the step.
        input: PendingInput,
        /// Whether the login itself was accepted before: the step checks an answer to a challenge.
        answering: bool,
    },
    /// The person has a challenge to answer.
    #[serde(rename_all = "camelCase")]
    Challenged {
        /// What the source remembers.
        source: SourceState,
        /// The challenge.
        challenge: Box<PendingChallenge>,
        /// The account's version that owes a look at the source, when approval elsewhere may come without an answer
        /// here.
        #[serde(default)]
        owed_by: Option<u32>,
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
    /// What extensions have added to its time.
    #[serde(default)]
    pub extended_by: Duration,
    /// How often it was extended.
    #[serde(default)]
    pub extensions: u8,
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
    /// Its tries, as they are counted; null for a provider without a login.
    pub fn tried(&self) -> Option<&Tried> {
        self.submitted.as_ref().map(|it| &it.tried)
    }

    /// The digest of its sealed form; null for a provider without a login.
    pub fn form(&self) -> Option<Digest32> {
        self.submitted.as_ref().map(|it| it.form)
    }

    /// What the source is to go on from, when this version owes it a step: what it remembers, and what happened.
    pub fn owed(&self, version: u32) -> Option<(SourceState, PendingInput)> {
        match &self.step {
            LinkStep::Working { owed_by, source, input, .. } if *owed_by == version => {
                Some((source.clone(), input.clone()))
            }
            LinkStep::Challenged { owed_by, source, .. } if *owed_by == Some(version) => {
                Some((source.clone(), PendingInput::Continue {}))
            }
            LinkStep::Working { .. } | LinkStep::Challenged { .. } | LinkStep::Failed(_) => None,
        }
    }
}

/// How often a challenge's time may be extended: WCAG 2.2 asks for ten times at least (SC 2.2.1).
const EXTENSIONS: u8 = 10;

impl PendingChallenge {
    /// A challenge as it is posed.
    pub(super) fn new(id: ChallengeId, posed: PosedChallenge, posed_at: Wall) -> Self {
        Self { id, posed_at, posed, extended_by: Duration::ZERO, extensions: 0 }
    }

    /// How long after `posed_at` it lapses; null when it does not.
    fn lasts(&self) -> Option<Duration> {
        self.posed.lasts.map(|lasts| lasts + self.extended_by)
    }

    /// Whether its time is over.
    pub(super) fn has_lapsed(&self, now: Wall) -> bool {
        self.lasts().is_some_and(|lasts| now.since(self.posed_at) >= lasts)
    }

    /// The challenge with its full time from `now` on, and that time; null when it cannot be extended any more.
    pub(super) fn extended(self, now: Wall) -> Option<(Self, Duration)> {
        let lasts = self.posed.lasts.filter(|_| self.is_extendable())?;
        let extended_by = now.since(self.posed_at);
        Some((Self { extended_by, extensions: self.extensions + 1, ..self }, lasts))
    }

    const fn is_extendable(&self) -> bool {
        self.posed.extendable && self.extensions < EXTENSIONS
    }

    /// The challenge as the widget sees it: its moments become durations from `now`.
    pub fn view(&self, now: Wall) -> Challenge {
        let left = |of: Duration| millis(of.saturating_sub(now.since(self.posed_at)));
        Challenge {
            id: self.id.clone(),
            kind: self.posed.kind.clone(),
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

/// Whole milliseconds, as the wire has them.
pub(super) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
