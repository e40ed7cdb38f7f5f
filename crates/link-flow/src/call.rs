//! A request that may be sent again without harm: twice by itself after a short rest, then when the person asks for it.

use link_types::Sensitive;
use link_types::id::ProviderId;
use link_types::problem::ProblemCode;
use link_types::uploading::{ConfirmRevocation, EmployerSurvey};

use crate::context::Context;
use crate::effect::{ArchiveAsk, Effect, Given};
use crate::event::{Refusal, RequestId, TimerId};
use crate::wait::Wait;

/// How often it is sent by itself.
const MOST_TRIES: u8 = 3;

/// How long it rests after the first failure; each further rest is three times as long.
const FIRST_REST_MS: u32 = 800;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ask {
    /// A session for a token.
    Exchange(Sensitive),
    /// Where the attempt stands.
    Session,
    /// A page of the provider list.
    Providers { cursor: Option<String> },
    /// One provider with its login options.
    Provider(ProviderId),
    /// What is already linked.
    Linked,
    /// The right to take something back.
    Revocation(Given),
    /// Take it back.
    Revoke(Given, ConfirmRevocation),
    /// The part of the program that most people never need.
    Rest,
    /// An employer that is not listed.
    Survey(EmployerSurvey),
    /// Something about an archive.
    Archive(ArchiveAsk),
}

/// How long to wait when the service is busy and does not say for how long.
const DEFAULT_WAIT_MS: u32 = 30_000;

/// A request and how far it has come.
#[derive(Debug)]
pub(crate) struct Call {
    ask: Ask,
    tries: u8,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Sent(RequestId),
    Resting(TimerId),
    /// The service accepts the next one later; it is then sent by itself.
    Limited(Wait),
    Failed(Trouble),
}

/// Why a request failed, as far as it matters to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nothing came back.
    Offline,
    /// The service is in trouble.
    Unavailable,
    /// The service answered something that this build cannot read.
    Unreadable,
    /// Too many requests: the next one is accepted after this many milliseconds.
    Busy(u32),
    /// The service does not accept this request, and would not accept it again.
    Refused,
}

impl Call {
    /// Sends the request for the first time.
    pub(crate) fn send(ask: Ask, context: &mut Context) -> Self {
        let stage = Stage::Sent(emit(&ask, context));
        Self { ask, tries: 1, stage }
    }

    /// The request failed: rest and send it again, or give up.
    pub(crate) fn refused(&mut self, refusal: &Refusal, context: &mut Context) {
        let trouble = Trouble::of(refusal);
        self.stage = match trouble {
            Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable if self.tries < MOST_TRIES => {
                let rest = FIRST_REST_MS * 3_u32.pow(u32::from(self.tries) - 1);
                Stage::Resting(context.start_timer(rest))
            }
            Trouble::Busy(left_ms) => match Wait::start(left_ms, context) {
                Some(wait) => Stage::Limited(wait),
                None => Stage::Failed(trouble),
            },
            Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable | Trouble::Refused => {
                Stage::Failed(trouble)
            }
        };
    }

    /// A timer ran out: the rest is over, or a second of a longer wait.
    pub(crate) fn rested(&mut self, elapsed_ms: u32, context: &mut Context) {
        if let Stage::Limited(wait) = &self.stage
            && let Some(wait) = wait.tick(elapsed_ms, context)
        {
            self.stage = Stage::Limited(wait);
            return;
        }
        self.again(context);
    }

    fn again(&mut self, context: &mut Context) {
        self.tries = self.tries.saturating_add(1);
        self.stage = Stage::Sent(emit(&self.ask, context));
    }

    /// The person asked for it.
    pub(crate) fn retry(&mut self, context: &mut Context) {
        if matches!(self.stage, Stage::Failed(_)) {
            self.tries = 0;
            self.again(context);
        }
    }

    /// What is asked for.
    pub(crate) fn ask(&self) -> &Ask {
        &self.ask
    }

    /// The request whose reply is waited for.
    pub(crate) fn request(&self) -> Option<RequestId> {
        match self.stage {
            Stage::Sent(request) => Some(request),
            Stage::Resting(_) | Stage::Limited(_) | Stage::Failed(_) => None,
        }
    }

    /// The timer that is waited for.
    pub(crate) fn timer(&self) -> Option<TimerId> {
        match self.stage {
            Stage::Resting(timer) => Some(timer),
            Stage::Limited(ref wait) => Some(wait.timer()),
            Stage::Sent(_) | Stage::Failed(_) => None,
        }
    }

    /// Why it was given up; `None` while it is under way.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        match self.stage {
            Stage::Failed(trouble) => Some(trouble),
            Stage::Limited(ref wait) => Some(Trouble::Busy(wait.left_ms())),
            Stage::Sent(_) | Stage::Resting(_) => None,
        }
    }
}

impl Trouble {
    /// Sorts a refusal.
    pub(crate) fn of(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Unreachable => Self::Offline,
            Refusal::Limited { retry_in_ms } | Refusal::LoginLimited { retry_in_ms } => {
                Self::Busy(*retry_in_ms)
            }
            Refusal::Unreadable { status } => Self::of_status(*status),
            Refusal::Problem(problem) => match problem.code {
                ProblemCode::RequestLimitExceeded | ProblemCode::LoginLimitExceeded => {
                    Self::Busy(DEFAULT_WAIT_MS)
                }
                ProblemCode::ServiceUnavailable | ProblemCode::SystemError => Self::Unavailable,
                ProblemCode::Unauthorized
                | ProblemCode::TokenExpired
                | ProblemCode::TokenUsed
                | ProblemCode::InvalidToken
                | ProblemCode::InvalidParameters
                | ProblemCode::MissingResource
                | ProblemCode::MethodNotAllowed
                | ProblemCode::Conflict
                | ProblemCode::IdempotencyKeyReused
                | ProblemCode::PayloadTooLarge
                | ProblemCode::UnsupportedType => Self::of_status(problem.status),
            },
        }
    }

    /// Whether it goes on by itself after a wait.
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

/// Whether the service no longer accepts the session itself.
pub(crate) fn ends_session(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Problem(problem) => problem.status == 401,
        Refusal::Unreadable { status } => *status == 401,
        Refusal::Unreachable | Refusal::Limited { .. } | Refusal::LoginLimited { .. } => false,
    }
}

fn emit(ask: &Ask, context: &mut Context) -> RequestId {
    let request = context.new_request();
    context.effect(match ask {
        Ask::Exchange(token) => Effect::Exchange { request, token: token.clone() },
        Ask::Session => Effect::LoadSession { request },
        Ask::Providers { cursor } => Effect::LoadProviders { request, cursor: cursor.clone() },
        Ask::Linked => Effect::LoadLinked { request },
        Ask::Rest => Effect::LoadRest { request },
        Ask::Revocation(given) => Effect::AskRevocation { request, given: given.clone() },
        Ask::Revoke(given, body) => Effect::Revoke { request, given: given.clone(), body: body.clone() },
        Ask::Survey(body) => Effect::SendSurvey { request, body: body.clone() },
        Ask::Archive(ask) => Effect::Archive { request, ask: ask.clone() },
        Ask::Provider(provider) => Effect::LoadProvider { request, provider: provider.clone() },
    });
    request
}
