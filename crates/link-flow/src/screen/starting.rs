//! Before the first screen: the token becomes a session, and a provider that is already known is loaded.

use link_types::Sensitive;
use link_types::link::{AccountProgress, AttemptState, LinkPhase, LinkSession};
use link_types::problem::ProblemCode;

use super::{Footer, Input, Sheet, action, heading_with, notice, paragraph, trouble_blocks};
use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::rest::{self, Door};
use crate::screen::consent;
use crate::screen::login_options;
use crate::screen::providers::Providers;
use crate::screen::token_expired::TokenExpired;
use crate::session::Session;
use crate::state::State;
use crate::view::block::{Block, Emblem, Severity};

/// How far the start has come.
#[derive(Debug)]
pub(crate) enum Starting {
    /// The host page has not opened the widget yet.
    Waiting,
    /// A token is exchanged, or that failed.
    Exchanging(Call),
    /// What is needed to go on is loaded, or that failed.
    Loading { call: Call, then: Then },
    /// The service does not know the token.
    Refused,
}

/// What is loaded, and why.
#[derive(Debug)]
pub(crate) enum Then {
    /// A provider, to sign in there, by a login option when one was chosen before.
    SignIn(Option<String>),
    /// A provider, because an attempt has an account under way at it: go on there.
    Resume(Box<AccountProgress>),
    /// The rest of the program, to go there.
    Enter(Door),
}

impl Starting {
    /// Exchanges a token.
    pub(crate) fn exchange(token: Sensitive, context: &mut Context) -> State {
        context.announce(Message::StartingText);
        State::Starting(Self::Exchanging(Call::send(Ask::Exchange(token), context)))
    }

    /// Loads the provider to go to.
    pub(crate) fn load(provider: link_types::id::ProviderId, then: Then, context: &mut Context) -> State {
        context.turn_page();
        State::Starting(Self::Loading { call: Call::send(Ask::Provider(provider), context), then })
    }

    /// Loads the rest of the program.
    pub(crate) fn load_rest(then: Then, context: &mut Context) -> State {
        context.turn_page();
        State::Starting(Self::Loading { call: Call::send(Ask::Rest, context), then })
    }

    /// The call under way.
    pub(crate) fn call(&self) -> Option<&Call> {
        match self {
            Self::Exchanging(call) | Self::Loading { call, .. } => Some(call),
            Self::Waiting | Self::Refused => None,
        }
    }

    pub(crate) fn handle(self, input: Input, context: &mut Context) -> State {
        match (self, input) {
            (Self::Exchanging(call), Input::Replied(reply)) => exchanged(call, reply, context),
            (Self::Loading { call, then }, Input::Replied(reply)) => match reply {
                Reply::Provider(Ok(provider)) => match then {
                    Then::SignIn(option) => login_options::open(*provider, option.as_deref(), context),
                    Then::Resume(progress) => {
                        let linking =
                            Linking::resumed(*provider, &progress, context.place.at.login_option.as_deref());
                        linking.announce_created(context);
                        linking.follow(progress.phase, context)
                    }
                    Then::Enter(_) => State::Starting(Self::Loading { call, then }),
                },
                Reply::Done(Ok(())) => match then {
                    Then::Enter(door) => rest::enter(door, context),
                    Then::SignIn(_) | Then::Resume(_) => State::Starting(Self::Loading { call, then }),
                },
                Reply::Provider(Err(refusal)) | Reply::Done(Err(refusal)) => {
                    State::Starting(Self::Loading { call: refused(call, &refusal, context), then })
                }
                Reply::Session(_)
                | Reply::Providers(_)
                | Reply::Account(_)
                | Reply::Linked(_)
                | Reply::Archive(_)
                | Reply::Revocation(_) => State::Starting(Self::Loading { call, then }),
            },
            (
                mut screen @ (Self::Exchanging(_) | Self::Loading { .. }),
                Input::TimerFired { elapsed_ms, .. },
            ) => {
                if let Self::Exchanging(call) | Self::Loading { call, .. } = &mut screen {
                    call.rested(elapsed_ms, context);
                }
                State::Starting(screen)
            }
            (mut screen @ (Self::Exchanging(_) | Self::Loading { .. }), Input::Pressed(Press::Retry)) => {
                context.turn_page();
                if let Self::Exchanging(call) | Self::Loading { call, .. } = &mut screen {
                    call.retry(context);
                }
                State::Starting(screen)
            }
            (Self::Loading { .. }, Input::Pressed(Press::ChooseAnother)) => Providers::enter(context),
            (
                screen @ (Self::Waiting | Self::Refused),
                Input::Replied(_) | Input::TimerFired { .. } | Input::Pressed(_),
            )
            | (screen @ (Self::Exchanging(_) | Self::Loading { .. }), Input::Pressed(_))
            | (
                screen,
                Input::Chosen { .. }
                | Input::Searched { .. }
                | Input::Filtered { .. }
                | Input::Edited { .. }
                | Input::Left { .. }
                | Input::SecretLeft { .. }
                | Input::Submitted(_),
            ) => State::Starting(screen),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let title = Message::DialogTitle.into();
        let blocks = match self {
            Self::Waiting => waiting_blocks(),
            Self::Exchanging(call) => match call.trouble() {
                None => waiting_blocks(),
                Some(trouble) => trouble_blocks(trouble, None),
            },
            Self::Loading { call, then } => match (call.trouble(), then) {
                (None, _) => waiting_blocks(),
                (Some(Trouble::Refused), Then::SignIn(_) | Then::Resume(_)) => vec![
                    heading_with(Emblem::Warning, Message::ProviderMissingTitle.into()),
                    paragraph(Message::ProviderMissingText.into()),
                    Block::Actions {
                        primary: action(Message::ActionChooseAnother, Press::ChooseAnother),
                        secondary: Some(action(Message::ActionClose, Press::Leave)),
                    },
                ],
                (Some(trouble @ Trouble::Refused), Then::Enter(_))
                | (
                    Some(
                        trouble @ (Trouble::Offline
                        | Trouble::Unavailable
                        | Trouble::Unreadable
                        | Trouble::Busy(_)),
                    ),
                    _,
                ) => trouble_blocks(trouble, None),
            },
            Self::Refused => vec![
                heading_with(Emblem::Warning, Message::RefusedTitle.into()),
                notice(Severity::Warning, None, Message::RefusedText.into()),
                Block::Actions { primary: action(Message::ActionClose, Press::Leave), secondary: None },
            ],
        };
        let footer = if context.session.is_some() { Footer::Password } else { Footer::None };
        Sheet::new(title, footer, blocks)
    }
}

fn exchanged(call: Call, reply: Reply, context: &mut Context) -> State {
    match reply {
        Reply::Session(Ok(session)) => arrive(*session, context),
        Reply::Session(Err(refusal)) => match verdict(&refusal) {
            Verdict::Expired => TokenExpired::before_start(context),
            Verdict::Unknown => {
                context.turn_page();
                State::Starting(Starting::Refused)
            }
            Verdict::Trouble => State::Starting(Starting::Exchanging(refused(call, &refusal, context))),
        },
        Reply::Providers(_)
        | Reply::Provider(_)
        | Reply::Account(_)
        | Reply::Linked(_)
        | Reply::Archive(_)
        | Reply::Revocation(_)
        | Reply::Done(_) => State::Starting(Starting::Exchanging(call)),
    }
}

/// A call failed; when it was given up, the page says so and takes the focus.
fn refused(mut call: Call, refusal: &Refusal, context: &mut Context) -> Call {
    call.refused(refusal, context);
    if call.trouble().is_some() {
        context.turn_page();
    }
    call
}

/// What a refused exchange means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The token was good once: a new one continues.
    Expired,
    /// The token never was good, or not for this template or page.
    Unknown,
    /// The request itself failed.
    Trouble,
}

/// Sorts a refused exchange.
pub(crate) fn verdict(refusal: &Refusal) -> Verdict {
    let Refusal::Problem(problem) = refusal else { return Verdict::Trouble };
    match problem.code {
        ProblemCode::TokenExpired | ProblemCode::TokenUsed => Verdict::Expired,
        ProblemCode::ServiceUnavailable
        | ProblemCode::SystemError
        | ProblemCode::RequestLimitExceeded
        | ProblemCode::LoginLimitExceeded => Verdict::Trouble,
        ProblemCode::Unauthorized
        | ProblemCode::InvalidToken
        | ProblemCode::InvalidParameters
        | ProblemCode::MissingResource
        | ProblemCode::MethodNotAllowed
        | ProblemCode::Conflict
        | ProblemCode::IdempotencyKeyReused
        | ProblemCode::PayloadTooLarge
        | ProblemCode::UnsupportedType => Verdict::Unknown,
    }
}

/// The session is there: go on where the person was, or begin.
pub(crate) fn arrive(session: LinkSession, context: &mut Context) -> State {
    let AttemptState { account, archives, place, id } = Session::begin(session, context);
    context.adopt(place);
    let wanted = context.preferences.account.clone();
    let is_wanted = account.as_ref().is_some_and(|progress| Some(&progress.account_id) == wanted.as_ref());
    if let Some(wanted) = wanted.filter(|_| !is_wanted) {
        return rest::open(Door::Account(wanted), context);
    }
    let place = context.place.at.clone();
    if !archives.is_empty() || place.archive_type.is_some() {
        let attempt = AttemptState { account, archives, place, id };
        return rest::open(Door::Uploading(Box::new(attempt)), context);
    }
    go_on(account, context)
}

/// Nothing is being uploaded: go on where the person was with an account, or begin.
pub(crate) fn go_on(account: Option<AccountProgress>, context: &mut Context) -> State {
    match account {
        Some(progress) if is_under_way(&progress, context) => {
            Starting::load(progress.provider_id.clone(), Then::Resume(Box::new(progress)), context)
        }
        Some(_) | None => {
            let is_on_the_way = context.consent.is_some() || context.preferences.provider.is_some();
            if context.has_linked() && !is_on_the_way {
                rest::open(Door::Accounts, context)
            } else {
                consent::begin(context)
            }
        }
    }
}

/// Whether the person was in the middle of linking that account.
fn is_under_way(progress: &AccountProgress, context: &Context) -> bool {
    match progress.phase {
        LinkPhase::Connecting { .. } | LinkPhase::Challenge { .. } | LinkPhase::Connected {} => true,
        LinkPhase::Failed { .. } => context.place.at.provider_id.as_ref() == Some(&progress.provider_id),
        LinkPhase::Disconnected {} => false,
    }
}

fn waiting_blocks() -> Vec<Block> {
    vec![
        super::heading(Message::StartingTitle.into()),
        super::remark(Message::StartingText.into()),
        Block::Skeleton { rows: 3 },
    ]
}
