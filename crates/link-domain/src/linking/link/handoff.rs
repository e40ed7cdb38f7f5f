//! The hand-off: the person continues one step of a session on their phone. A code that they scan carries a token that
//! works once. With it, the phone gets its own credential for the session, limited to that step.

mod transition;

#[cfg(test)]
mod tests;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_types::Sensitive;
use link_types::archive::ArchiveType;
use link_types::handoff::{HANDOFF_PREFIX, HandoffPhase};
use link_types::id::{AccountId, LinkSessionId, UserId};
use link_types::link as wire;
use link_types::uploading::{ArchivePhase, ArchiveProgress, ResumePoint};

use super::session::LinkSession;
use super::token::{Consumption, ExchangeRequest, REPLAY_WINDOW, TokenError, Verdict};
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::linking::account::{Account, AccountState};

/// How long a code can be scanned: 10 minutes.
pub const HANDOFF_LIFE: Duration = Duration::from_secs(10 * 60);
/// Maximum number of codes of one session. A person needs one or two.
pub const HANDOFFS_LIMIT: u32 = 10;

/// The latest hand-off of a session. Creating another one replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handoff {
    /// Session that is continued.
    pub session_id: LinkSessionId,
    /// Tenant and environment of the session.
    pub owner: Owner,
    /// User of the session.
    pub user_id: UserId,
    /// SHA-256 of the token in the code.
    pub token_hash: Digest32,
    /// Step that continues on the phone.
    pub step: HandoffStep,
    /// Number of hand-offs that the session has created so far.
    pub number: u32,
    /// When the code was created.
    pub created_at: Wall,
    /// Use of the code by a phone, with the digest of the phone's credential. `None` while the code is unused.
    pub continued: Option<Consumption>,
    /// How the hand-off ended. `None` while the code or the phone's credential works.
    pub ended: Option<HandoffEnd>,
}

/// The step that continues on the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandoffStep {
    /// Answering the challenges of one login.
    Challenge {
        /// Account of the login.
        account_id: AccountId,
        /// Digest of the encrypted form, which identifies the login.
        login: Digest32,
    },
    /// Uploading a document of this kind.
    Upload(ArchiveType),
}

/// How far a step that continues on the phone is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepProgress {
    /// The step is under way.
    Open,
    /// The login has connected the account or failed, or the account is gone.
    Decided,
    /// Another login has begun at the account. It is not the phone's step.
    Replaced,
}

impl HandoffStep {
    /// Returns the step of answering the challenges of the account's login. `None` for a provider without a login, which
    /// asks for no challenges.
    pub fn challenges_of(account: &Account) -> Option<Self> {
        Some(Self::Challenge { account_id: account.id.clone(), login: account.login_form()? })
    }

    /// Returns whether the step is about this account.
    pub fn has_account(&self, account_id: &AccountId) -> bool {
        self.account_id() == Some(account_id)
    }

    /// Returns the account of the step.
    pub fn account_id(&self) -> Option<&AccountId> {
        match self {
            Self::Challenge { account_id, .. } => Some(account_id),
            Self::Upload(_) => None,
        }
    }

    /// Returns how far the step is. `account` is the account of the step. The end of an upload is an end of the hand-off
    /// ([`HandoffEnd::Submitted`]).
    pub fn progress(&self, account: Option<&Account>) -> StepProgress {
        match (self, account) {
            (Self::Upload(_), _) => StepProgress::Open,
            (Self::Challenge { .. }, None) => StepProgress::Decided,
            (Self::Challenge { login, .. }, Some(account)) => match &account.state {
                AccountState::Disconnected(_) => StepProgress::Decided,
                AccountState::Linking(_) | AccountState::Connected(_)
                    if account.login_form() != Some(*login) =>
                {
                    StepProgress::Replaced
                }
                AccountState::Linking(_) | AccountState::Connected(_) => match account.link() {
                    Some(link) if link.is_under_way() => StepProgress::Open,
                    Some(_) | None => StepProgress::Decided,
                },
            },
        }
    }

    /// Returns whether the step uploads this kind of document.
    pub fn accepts(&self, kind: ArchiveType) -> bool {
        *self == Self::Upload(kind)
    }
}

/// Reason why a hand-off ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoffEnd {
    /// The phone submitted the document.
    Submitted,
    /// The phone closed its page.
    Left,
    /// The session took the step back.
    TakenBack,
}

/// Reason why a session creates no hand-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandoffError {
    /// The session has reached [`HANDOFFS_LIMIT`].
    #[error("the session has already created {HANDOFFS_LIMIT} codes")]
    TooMany,
    /// The attempt has no such step under way.
    #[error("this account has no challenge, or the link template does not accept this document")]
    NothingToContinue,
}

/// The access of a phone to the session of its hand-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhoneAccess {
    /// It works on its step, and keeps the session alive.
    Works,
    /// Its step is decided: its last page reads how, and reports what it did.
    Reads,
}

/// Error for a phone whose hand-off has ended or was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hand-off has ended")]
pub struct HandoffOverError;

impl Handoff {
    /// Returns a new token: 256 random bits.
    fn token(context: &mut Context) -> Sensitive {
        Sensitive::new(format!("{HANDOFF_PREFIX}{}", URL_SAFE_NO_PAD.encode(context.secret())))
    }

    /// Returns whether a token is that of a hand-off and not of a tenant or a hosted page.
    pub fn is_token(token: &Sensitive) -> bool {
        token.expose().starts_with(HANDOFF_PREFIX)
    }

    /// Returns the digest by which the store finds a hand-off.
    pub fn hash(token: &Sensitive) -> Digest32 {
        Digest32::from_text(token.expose())
    }

    /// Returns the state.
    pub fn phase(&self, progress: StepProgress, now: Wall) -> HandoffPhase {
        let is_decided = match progress {
            StepProgress::Open => false,
            StepProgress::Decided | StepProgress::Replaced => true,
        };
        match self.ended {
            Some(HandoffEnd::Submitted) => HandoffPhase::Finished {},
            // On either device, or on none: the person may have approved the request in the provider's app.
            None | Some(HandoffEnd::Left | HandoffEnd::TakenBack) if is_decided => HandoffPhase::Finished {},
            Some(HandoffEnd::Left | HandoffEnd::TakenBack) => HandoffPhase::Ended {},
            None if self.continued.is_some() => HandoffPhase::Continued {},
            None => match (self.created_at + HANDOFF_LIFE).since(now) {
                Duration::ZERO => HandoffPhase::Expired {},
                left => HandoffPhase::Waiting {
                    expires_in_ms: u32::try_from(left.as_millis()).unwrap_or(u32::MAX),
                },
            },
        }
    }

    /// Returns what the phone with this credential may do.
    ///
    /// # Errors
    ///
    /// [`HandoffOverError`] if the hand-off has ended or belongs to another phone, or its step was replaced by another.
    pub fn access(
        &self,
        secret_hash: &Digest32,
        progress: StepProgress,
    ) -> Result<PhoneAccess, HandoffOverError> {
        let is_phone = self.continued.as_ref().is_some_and(|it| it.secret_hash == *secret_hash);
        match progress {
            _ if !is_phone || self.ended.is_some() => Err(HandoffOverError),
            StepProgress::Open => Ok(PhoneAccess::Works),
            StepProgress::Decided => Ok(PhoneAccess::Reads),
            StepProgress::Replaced => Err(HandoffOverError),
        }
    }

    /// Reduces a session to what the phone sees: the step that was handed off. The consent stays on the computer. A
    /// tenant's server can open a session, store a consent and have a person scan the code, so the phone asks for its own
    /// (ADR 184).
    pub fn on_phone(&self, session: wire::LinkSession) -> wire::LinkSession {
        let wire::AttemptState { id, account, archives, .. } = session.attempt;
        let archive_type = match &self.step {
            HandoffStep::Challenge { .. } => None,
            HandoffStep::Upload(kind) => Some(*kind),
        };
        let is_of_step = |it: &ArchiveProgress| {
            self.accepts(it.archive_type) && matches!(it.phase, ArchivePhase::Uploading {})
        };
        let attempt = wire::AttemptState {
            id,
            account: account.filter(|it| self.step.has_account(&it.account_id)),
            archives: archives.into_iter().filter(is_of_step).collect(),
            place: ResumePoint { archive_type, ..ResumePoint::default() },
            // The phone signs in to no account, whose consent could count.
            consent_needed: true,
            chosen_data: Vec::new(),
        };
        wire::LinkSession { has_linked: false, is_handoff: true, may_hand_off: false, attempt, ..session }
    }

    /// Returns whether the phone may upload this kind of document.
    pub fn accepts(&self, kind: ArchiveType) -> bool {
        self.step.accepts(kind)
    }

    /// Returns the result that the use of the code would have now.
    ///
    /// # Errors
    ///
    /// [`TokenError`] if the code gives no access to the session.
    pub fn verdict(
        &self,
        request: &ExchangeRequest,
        session: &LinkSession,
        progress: StepProgress,
        now: Wall,
    ) -> Result<Verdict, TokenError> {
        let is_of_session = self.session_id == session.id && request.template_id == session.template_id;
        if !is_of_session || !request.on_landing_page {
            return Err(TokenError::Invalid);
        }
        match &self.continued {
            Some(used)
                if self.access(&request.secret_hash, progress).is_ok()
                    && session.record_use(now).is_ok()
                    && now.since(used.at) < REPLAY_WINDOW =>
            {
                Ok(Verdict::Replays { secret_hash: used.secret_hash })
            }
            Some(_) => Err(TokenError::Used),
            None if self.ended.is_some()
                || progress != StepProgress::Open
                || session.record_use(now).is_err() =>
            {
                Err(TokenError::Expired)
            }
            None if (self.created_at + HANDOFF_LIFE).since(now).is_zero() => Err(TokenError::Expired),
            None => Ok(Verdict::Opens),
        }
    }
}
