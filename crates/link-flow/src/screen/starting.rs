//! Before the first screen: exchanges the token for a session and loads what the next route needs.

use link_types::Sensitive;
use link_types::handoff::HANDOFF_PREFIX;
use link_types::host::LinkMistake;
use link_types::id::ProviderId;

use crate::arrival;
use crate::call::{Ask, Call, Trouble, Verdict, verdict};
use crate::chunk;
use crate::context::Context;
use crate::emit;
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::linking::Linking;
use crate::route::{AfterConsent, HandoffRoute, LoadPurpose, Over, Route};
use crate::screen::deferred::uploads::Uploads;
use crate::screen::page_call;
use crate::screen::parts::{slow_blocks, trouble_blocks};
use crate::session::Session;
use crate::sheet::{Footer, Sheet};
use crate::view::block::{Block, Emblem};
use crate::view::build::{action, heading, heading_with, paragraph, remark};

/// The progress of the start.
#[derive(Debug)]
pub(crate) enum Starting {
    /// The host page has not opened the widget yet.
    Waiting,
    /// Exchanges a token, or shows that the exchange failed.
    Exchanging(Call),
    /// Loads a provider, or shows that the request failed.
    LoadingProvider { call: Call, purpose: LoadPurpose },
    /// Loads the deferred chunk for a route, or shows that the request failed.
    LoadingChunk { call: Call, then: Box<Route> },
    /// Loads the session again, because its terms have changed, or shows that the request failed.
    LoadingTerms { call: Call, then: AfterConsent },
    /// The service does not know the token.
    Refused,
}

impl Starting {
    /// Exchanges a token.
    pub(crate) fn exchange(token: Sensitive, context: &mut Context) -> Self {
        context.announce(Message::StartingText);
        Self::Exchanging(Call::send(Ask::Exchange(token), context))
    }

    /// Loads a provider.
    pub(crate) fn load_provider(provider: ProviderId, purpose: LoadPurpose, context: &mut Context) -> Self {
        context.turn_page();
        chunk::prefetch(context);
        Self::LoadingProvider { call: Call::send(Ask::Provider(provider), context), purpose }
    }

    /// Loads the deferred chunk.
    pub(crate) fn load_chunk(then: Route, context: &mut Context) -> Self {
        context.turn_page();
        Self::LoadingChunk { call: Call::send(Ask::Chunk, context), then: Box::new(then) }
    }

    /// Loads the terms as they are now.
    pub(crate) fn load_terms(then: AfterConsent, context: &mut Context) -> Self {
        context.turn_page();
        Self::LoadingTerms { call: Call::send(Ask::Session, context), then }
    }

    /// Resumes after a pause: sends the request under way again.
    pub(crate) fn resume(mut self, context: &mut Context) -> Self {
        if let Self::LoadingProvider { call, .. }
        | Self::LoadingChunk { call, .. }
        | Self::LoadingTerms { call, .. } = &mut self
        {
            *call = Call::send(call.ask().clone(), context);
        }
        self
    }

    /// The request under way.
    pub(crate) fn call(&self) -> Option<&Call> {
        match self {
            Self::Exchanging(call)
            | Self::LoadingProvider { call, .. }
            | Self::LoadingChunk { call, .. }
            | Self::LoadingTerms { call, .. } => Some(call),
            Self::Waiting | Self::Refused => None,
        }
    }

    fn call_mut(&mut self) -> Option<&mut Call> {
        match self {
            Self::Exchanging(call)
            | Self::LoadingProvider { call, .. }
            | Self::LoadingChunk { call, .. }
            | Self::LoadingTerms { call, .. } => Some(call),
            Self::Waiting | Self::Refused => None,
        }
    }

    /// Returns the text about the data that leaving would lose: an account may wait for the deferred chunk, and a login
    /// for the terms.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self {
            Self::LoadingChunk { then, .. } => match &**then {
                Route::Linking(..) => Some(Message::LeaveConnecting),
                Route::DataChoice(then) => then.loss(),
                Route::Start
                | Route::Consent(_)
                | Route::Terms(_)
                | Route::Providers
                | Route::LoadProvider(..)
                | Route::LoginOptions(_)
                | Route::Login(..)
                // A draft exists only once the chunk is loaded.
                | Route::LoginAgain(_)
                | Route::Accounts
                | Route::Account(_)
                | Route::Survey
                | Route::Uploads(_)
                | Route::ResumeUpload(_)
                | Route::Handoff(_)
                | Route::TokenExpired => None,
            },
            Self::LoadingTerms { then, .. } => then.loss(),
            Self::Waiting | Self::Exchanging(_) | Self::LoadingProvider { .. } | Self::Refused => None,
        }
    }

    pub(crate) fn handle(mut self, input: Input, context: &mut Context) -> Outcome<Self> {
        match input {
            Input::Replied(reply) => return self.handle_reply(reply, context),
            Input::TimerFired { elapsed_ms, .. } => {
                if let Some(call) = self.call_mut() {
                    page_call::handle_timer(call, elapsed_ms, context);
                }
            }
            Input::Pressed(Press::Retry) => {
                if let Some(call) = self.call_mut() {
                    page_call::retry(call, context);
                }
            }
            Input::Pressed(Press::ChooseAnother)
                if matches!(self, Self::LoadingProvider { .. } | Self::LoadingChunk { .. }) =>
            {
                return Go(Route::Providers);
            }
            Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stay(self)
    }

    fn handle_reply(self, reply: Reply, context: &mut Context) -> Outcome<Self> {
        match (self, reply) {
            (Self::Exchanging(_), Reply::Session(Ok(session))) => Go(arrival::arrive(*session, context)),
            (Self::Exchanging(call), Reply::Session(Err(refusal))) => match verdict(&refusal) {
                Verdict::Expired | Verdict::Unknown if is_handoff(&call) => {
                    Go(Route::Handoff(HandoffRoute::Over(Over::DeadCode)))
                }
                Verdict::Expired => Go(Route::TokenExpired),
                Verdict::Unknown => {
                    emit::error(LinkMistake::Token, context);
                    context.turn_page();
                    Stay(Self::Refused)
                }
                Verdict::Trouble => Stay(Self::Exchanging(handle_refusal(call, &refusal, context))),
            },
            (Self::LoadingProvider { purpose, .. }, Reply::Provider(Ok(provider))) => Go(match purpose {
                LoadPurpose::SignIn(option) => Route::sign_in(provider, option.as_deref()),
                LoadPurpose::Resume(progress) => {
                    let option = context.resume_point.at.login_option.as_deref();
                    let linking = Box::new(Linking::resume(*provider, &progress, option));
                    linking.emit_created(context);
                    Route::linking(linking, progress.phase)
                }
            }),
            (Self::LoadingTerms { then, .. }, Reply::Session(Ok(session))) => {
                let attempt = Session::begin(*session, context);
                Go(Route::Consent(match then {
                    AfterConsent::Uploads(route) => {
                        AfterConsent::Uploads(Uploads::continue_route(route, attempt.archives))
                    }
                    then @ (AfterConsent::Provider | AfterConsent::Login(_)) => then,
                }))
            }
            (Self::LoadingTerms { call, then }, Reply::Session(Err(refusal))) => {
                Stay(Self::LoadingTerms { call: handle_refusal(call, &refusal, context), then })
            }
            (Self::LoadingChunk { then, .. }, Reply::Done(Ok(()))) => {
                context.chunk_loaded = true;
                Go(*then)
            }
            (
                Self::LoadingProvider { call, purpose },
                Reply::Provider(Err(refusal)) | Reply::Done(Err(refusal)),
            ) => {
                let call = handle_refusal(call, &refusal, context);
                if call.trouble() == Some(Trouble::Refused) && context.preferences.provider.is_some() {
                    emit::error(LinkMistake::Provider, context);
                }
                Stay(Self::LoadingProvider { call, purpose })
            }
            (
                Self::LoadingChunk { call, then },
                Reply::Provider(Err(refusal)) | Reply::Done(Err(refusal)),
            ) => Stay(Self::LoadingChunk { call: handle_refusal(call, &refusal, context), then }),
            (
                screen,
                Reply::Session(_)
                | Reply::Providers(_)
                | Reply::Provider(_)
                | Reply::Account(_)
                | Reply::Linked(_)
                | Reply::Archive(_)
                | Reply::Revocation(_)
                | Reply::Handoff(_)
                | Reply::Done(_),
            ) => Stay(screen),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let title = Message::DialogTitle.into();
        let blocks = match self {
            Self::Exchanging(call)
            | Self::LoadingChunk { call, .. }
            | Self::LoadingProvider { call, .. }
            | Self::LoadingTerms { call, .. }
                if call.is_slow() =>
            {
                slow_blocks()
            }
            Self::Waiting => waiting_blocks(),
            Self::Exchanging(call) | Self::LoadingChunk { call, .. } | Self::LoadingTerms { call, .. } => {
                match call.trouble() {
                    None => waiting_blocks(),
                    Some(trouble) => trouble_blocks(trouble, None),
                }
            }
            Self::LoadingProvider { call, .. } => match call.trouble() {
                None => waiting_blocks(),
                Some(Trouble::Refused) => vec![
                    heading_with(Emblem::Warning, Message::ProviderMissingTitle.into()),
                    paragraph(Message::ProviderMissingText.into()),
                    Block::Actions {
                        primary: action(Message::ActionChooseAnother, Press::ChooseAnother),
                        secondary: Some(action(Message::ActionClose, Press::Leave)),
                    },
                ],
                Some(
                    trouble @ (Trouble::Offline
                    | Trouble::Unavailable
                    | Trouble::Unreadable
                    | Trouble::Busy(_)),
                ) => trouble_blocks(trouble, None),
            },
            Self::Refused => vec![
                heading_with(Emblem::Warning, Message::RefusedTitle.into()),
                paragraph(Message::RefusedText.into()),
                Block::Actions { primary: action(Message::ActionClose, Press::Leave), secondary: None },
            ],
        };
        let footer = if context.session.is_some() { Footer::Consent } else { Footer::None };
        Sheet::new(title, footer, blocks)
    }
}

/// Returns whether the exchange is for the code of a hand-off. No new token can replace that.
fn is_handoff(call: &Call) -> bool {
    matches!(call.ask(), Ask::Exchange(token) if token.expose().starts_with(HANDOFF_PREFIX))
}

fn handle_refusal(mut call: Call, refusal: &RequestError, context: &mut Context) -> Call {
    page_call::handle_refusal(&mut call, refusal, context);
    call
}

fn waiting_blocks() -> Vec<Block> {
    vec![
        heading(Message::StartingTitle.into()),
        remark(Message::StartingText.into()),
        Block::Skeleton { rows: 3 },
    ]
}
