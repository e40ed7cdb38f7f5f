//! A request that is safe to repeat: the flow retries it twice after short delays, then the person can.

use link_types::Sensitive;
use link_types::id::ProviderId;
use link_types::problem::ProblemCode;
use link_types::uploading::{ConfirmRevocation, EmployerSurvey};

use crate::context::Context;
use crate::effect::{ArchiveAsk, Effect, HandoffAsk, ItemId};
use crate::event::{RequestError, RequestId, TimerId};
use crate::wait::Wait;

/// How often a request is sent before the person must retry it.
const MAX_TRIES: u8 = 3;

/// Delay before the first retry. Each further delay is three times as long.
const FIRST_RETRY_DELAY_MS: u32 = 800;

/// How long a response may take before the person reads that it takes longer than usual.
pub(crate) const SLOW_MS: u32 = 8_000;

/// The request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ask {
    /// A session for a token.
    Exchange(Sensitive),
    /// The state of the attempt.
    Session,
    /// A page of the provider list.
    Providers { cursor: Option<String> },
    /// One provider with its login options.
    Provider(ProviderId),
    /// The linked accounts and uploads.
    Linked,
    /// A confirmation token for a removal.
    Revocation(ItemId),
    /// The removal.
    Revoke(ItemId, ConfirmRevocation),
    /// The deferred chunk of the program.
    Chunk,
    /// The survey about an employer that is not listed.
    Survey(EmployerSurvey),
    /// A request about an archive.
    Archive(ArchiveAsk),
    /// A request about the hand-off to a phone.
    Handoff(HandoffAsk),
}

/// The wait if the service is busy and does not say for how long.
const DEFAULT_WAIT_MS: u32 = 30_000;

/// A request and its progress.
#[derive(Debug)]
pub(crate) struct Call {
    ask: Ask,
    tries: u8,
    state: CallState,
}

#[derive(Debug)]
enum CallState {
    /// `timeout` is the timer after which the response takes longer than usual; `None` after that.
    Sent {
        request: RequestId,
        timeout: Option<TimerId>,
    },
    BackingOff(TimerId),
    /// The service accepts the next request later; it is then sent automatically.
    Limited(Wait),
    Failed(Trouble),
}

/// Reason why a request failed, as far as the person needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// No response.
    Offline,
    /// The service has a problem.
    Unavailable,
    /// This build cannot read the response.
    Unreadable,
    /// Too many requests. The service accepts the next one after this many milliseconds.
    Busy(u32),
    /// The service rejects this request and would reject a retry.
    Refused,
}

impl Call {
    /// Sends the request for the first time.
    pub(crate) fn send(ask: Ask, context: &mut Context) -> Self {
        let state = CallState::start(&ask, context);
        Self { ask, tries: 1, state }
    }

    /// Handles a failure: schedules a retry or gives up.
    pub(crate) fn handle_refusal(&mut self, refusal: &RequestError, context: &mut Context) {
        let trouble = Trouble::from_refusal(refusal);
        self.state = match trouble {
            Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable if self.tries < MAX_TRIES => {
                let delay_ms = FIRST_RETRY_DELAY_MS * 3_u32.pow(u32::from(self.tries) - 1);
                CallState::BackingOff(context.start_timer(delay_ms))
            }
            Trouble::Busy(left_ms) => match Wait::start(left_ms, context) {
                Some(wait) => CallState::Limited(wait),
                None => CallState::Failed(trouble),
            },
            Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable | Trouble::Refused => {
                CallState::Failed(trouble)
            }
        };
    }

    /// Handles the timer of a delay, of one second of a longer wait, or of a response that does not come.
    pub(crate) fn handle_timer(&mut self, elapsed_ms: u32, context: &mut Context) {
        if let CallState::Sent { timeout, .. } = &mut self.state {
            *timeout = None;
            return;
        }
        if let CallState::Limited(wait) = &self.state
            && let Some(wait) = wait.tick(elapsed_ms, context)
        {
            self.state = CallState::Limited(wait);
            return;
        }
        self.again(context);
    }

    fn again(&mut self, context: &mut Context) {
        self.tries = self.tries.saturating_add(1);
        self.state = CallState::start(&self.ask, context);
    }

    /// Sends the request again, because the person asked for it.
    pub(crate) fn retry(&mut self, context: &mut Context) {
        if self.is_slow() || matches!(self.state, CallState::Failed(_)) {
            self.tries = 0;
            self.again(context);
        }
    }

    /// Returns the request.
    pub(crate) fn ask(&self) -> &Ask {
        &self.ask
    }

    /// Returns the number of the request under way.
    pub(crate) fn request(&self) -> Option<RequestId> {
        match self.state {
            CallState::Sent { request, .. } => Some(request),
            CallState::BackingOff(_) | CallState::Limited(_) | CallState::Failed(_) => None,
        }
    }

    /// Returns the timer under way.
    pub(crate) fn timer(&self) -> Option<TimerId> {
        match self.state {
            CallState::BackingOff(timer) => Some(timer),
            CallState::Limited(ref wait) => Some(wait.timer()),
            CallState::Sent { timeout, .. } => timeout,
            CallState::Failed(_) => None,
        }
    }

    /// Returns whether the response takes longer than usual. The person can keep waiting or send the request again.
    pub(crate) fn is_slow(&self) -> bool {
        matches!(self.state, CallState::Sent { timeout: None, .. })
    }

    /// Returns why the request was given up; `None` while it is under way.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        match self.state {
            CallState::Failed(trouble) => Some(trouble),
            CallState::Limited(ref wait) => Some(Trouble::Busy(wait.left_ms())),
            CallState::Sent { .. } | CallState::BackingOff(_) => None,
        }
    }
}

impl CallState {
    fn start(ask: &Ask, context: &mut Context) -> Self {
        Self::Sent { request: emit(ask, context), timeout: Some(context.start_timer(SLOW_MS)) }
    }
}

impl Trouble {
    /// Classifies a refusal.
    pub(crate) fn from_refusal(refusal: &RequestError) -> Self {
        match refusal {
            RequestError::Unreachable => Self::Offline,
            RequestError::Limited { retry_in_ms } | RequestError::LoginLimited { retry_in_ms } => {
                Self::Busy(*retry_in_ms)
            }
            RequestError::Unreadable { status } => Self::of_status(*status),
            RequestError::Problem(problem) => match problem.code {
                ProblemCode::RequestLimitExceeded | ProblemCode::LoginLimitExceeded => {
                    Self::Busy(DEFAULT_WAIT_MS)
                }
                ProblemCode::ServiceUnavailable | ProblemCode::SystemError | ProblemCode::TenantSuspended => {
                    Self::Unavailable
                }
                ProblemCode::Unauthorized
                | ProblemCode::KeyExpired
                | ProblemCode::InsufficientScope
                | ProblemCode::TokenExpired
                | ProblemCode::TokenUsed
                | ProblemCode::InvalidToken
                | ProblemCode::InvalidParameters
                | ProblemCode::MissingResource
                | ProblemCode::MethodNotAllowed
                | ProblemCode::Conflict
                | ProblemCode::ConsentRequired
                | ProblemCode::AccountMismatch
                | ProblemCode::IdempotencyKeyReused
                | ProblemCode::PayloadTooLarge
                | ProblemCode::UnsupportedType => Self::of_status(problem.status),
            },
        }
    }

    /// Returns whether the request is sent again automatically after a wait.
    pub(crate) fn is_limited(self) -> bool {
        matches!(self, Self::Busy(left_ms) if left_ms > 0)
    }

    fn of_status(status: u16) -> Self {
        match status {
            429 => Self::Busy(DEFAULT_WAIT_MS),
            200..=299 => Self::Unreadable,
            500.. => Self::Unavailable,
            _ => Self::Refused,
        }
    }
}

/// Returns whether the service no longer accepts the session.
pub(crate) fn ends_session(refusal: &RequestError) -> bool {
    match refusal {
        RequestError::Problem(problem) => problem.status == 401,
        RequestError::Unreadable { status } => *status == 401,
        RequestError::Unreachable | RequestError::Limited { .. } | RequestError::LoginLimited { .. } => false,
    }
}

/// Returns whether the service refused a request with this code.
pub(crate) fn is_coded(refusal: &RequestError, code: ProblemCode) -> bool {
    matches!(refusal, RequestError::Problem(problem) if problem.code == code)
}

fn emit(ask: &Ask, context: &mut Context) -> RequestId {
    let request = context.new_request();
    context.effect(match ask {
        Ask::Exchange(token) => Effect::Exchange { request, token: token.clone() },
        Ask::Session => Effect::LoadSession { request },
        Ask::Providers { cursor } => Effect::LoadProviders { request, cursor: cursor.clone() },
        Ask::Linked => Effect::LoadLinked { request },
        Ask::Chunk => Effect::LoadChunk { request },
        Ask::Revocation(item) => Effect::AskRevocation { request, item: item.clone() },
        Ask::Revoke(item, body) => Effect::Revoke { request, item: item.clone(), body: body.clone() },
        Ask::Survey(body) => Effect::SendSurvey { request, body: body.clone() },
        Ask::Archive(ask) => Effect::Archive { request, ask: ask.clone() },
        Ask::Handoff(ask) => Effect::Handoff { request, ask: *ask },
        Ask::Provider(provider) => Effect::LoadProvider { request, provider: provider.clone() },
    });
    request
}

/// The meaning of a refused exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The token was valid before: a new one continues.
    Expired,
    /// The token never was valid, or not for this template or page.
    Unknown,
    /// The request itself failed.
    Trouble,
}

/// Classifies a refused exchange.
pub(crate) fn verdict(refusal: &RequestError) -> Verdict {
    let RequestError::Problem(problem) = refusal else { return Verdict::Trouble };
    match problem.code {
        ProblemCode::TokenExpired | ProblemCode::TokenUsed => Verdict::Expired,
        ProblemCode::ServiceUnavailable
        | ProblemCode::SystemError
        | ProblemCode::TenantSuspended
        | ProblemCode::RequestLimitExceeded
        | ProblemCode::LoginLimitExceeded => Verdict::Trouble,
        ProblemCode::Unauthorized
        | ProblemCode::KeyExpired
        | ProblemCode::InsufficientScope
        | ProblemCode::InvalidToken
        | ProblemCode::InvalidParameters
        | ProblemCode::MissingResource
        | ProblemCode::MethodNotAllowed
        | ProblemCode::Conflict
        | ProblemCode::ConsentRequired
        | ProblemCode::AccountMismatch
        | ProblemCode::IdempotencyKeyReused
        | ProblemCode::PayloadTooLarge
        | ProblemCode::UnsupportedType => Verdict::Unknown,
    }
}
