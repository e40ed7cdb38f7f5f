//! Where the person is. A state owns what its screen knows; leaving it drops that. The larger ones are boxed, so that
//! going from state to state moves a pointer.

use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::rest::Door;
use crate::screen::accounts::Accounts;
use crate::screen::challenge::ChallengeScreen;
use crate::screen::connecting::Connecting;
use crate::screen::consent::Consent;
use crate::screen::failure::Failure;
use crate::screen::leaving::Leaving;
use crate::screen::login::Login;
use crate::screen::login_options::LoginOptions;
use crate::screen::providers::Providers;
use crate::screen::starting::{Starting, Then};
use crate::screen::success::Success;
use crate::screen::survey::Survey;
use crate::screen::token_expired::TokenExpired;
use crate::screen::{Footer, Input, Sheet};
use crate::uploads::Uploads;

/// One variant a screen.
#[derive(Debug)]
pub(crate) enum State {
    /// The token is exchanged, or something is loaded before the first screen.
    Starting(Starting),
    /// The person reads what is shared.
    Consent(Consent),
    /// The person looks for the provider.
    Providers(Box<Providers>),
    /// The person chooses a way to sign in.
    LoginOptions(Box<LoginOptions>),
    /// The person signs in.
    Login(Box<Login>),
    /// The service is at work.
    Connecting(Box<Connecting>),
    /// The provider asks for something.
    Challenge(Box<ChallengeScreen>),
    /// Linked.
    Success(Box<Success>),
    /// Not linked.
    Failure(Box<Failure>),
    /// What is already linked.
    Accounts(Box<Accounts>),
    /// An employer that is not listed.
    Survey(Box<Survey>),
    /// Documents are uploaded.
    Uploads(Box<Uploads>),
    /// The token or session has expired; a new token continues.
    TokenExpired(Box<TokenExpired>),
    /// Asked whether to leave.
    Leaving(Leaving),
    /// Closed; nothing happens any more.
    Closed,
}

impl State {
    /// The next state for an input.
    pub(crate) fn handle(self, input: Input, context: &mut Context) -> Self {
        match self {
            Self::Starting(screen) => screen.handle(input, context),
            Self::Consent(screen) => screen.handle(input, context),
            Self::Providers(screen) => screen.handle(input, context),
            Self::LoginOptions(screen) => screen.handle(input, context),
            Self::Login(screen) => screen.handle(input, context),
            Self::Connecting(screen) => screen.handle(input, context),
            Self::Challenge(screen) => screen.handle(input, context),
            Self::Success(screen) => screen.handle(input, context),
            Self::Failure(screen) => screen.handle(input, context),
            Self::Accounts(screen) => screen.handle(input, context),
            Self::Survey(screen) => screen.handle(input, context),
            Self::Uploads(screen) => screen.handle(input, context),
            Self::TokenExpired(screen) => screen.handle(input, context),
            Self::Leaving(screen) => screen.handle(input, context),
            Self::Closed => Self::Closed,
        }
    }

    /// The requests whose replies are waited for; any other reply is stale.
    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        match self {
            Self::Starting(screen) => screen.call().and_then(|call| call.request()) == Some(request),
            Self::Providers(screen) => screen.awaits_reply(request),
            Self::Login(screen) => screen.awaits_reply(request),
            Self::Connecting(screen) => screen.poll.request() == Some(request),
            Self::Challenge(screen) => screen.awaits_reply(request),
            Self::Accounts(screen) => screen.awaits_reply(request),
            Self::Survey(screen) => screen.call.as_ref().and_then(|call| call.request()) == Some(request),
            Self::Uploads(screen) => screen.awaits_reply(request),
            Self::TokenExpired(screen) => screen.call().and_then(|call| call.request()) == Some(request),
            Self::Leaving(screen) => screen.under.awaits_reply(request),
            Self::Consent(_) | Self::LoginOptions(_) | Self::Success(_) | Self::Failure(_) | Self::Closed => {
                false
            }
        }
    }

    /// Whether that timer is waited for; any other is stale.
    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        match self {
            Self::Starting(screen) => screen.call().and_then(|call| call.timer()) == Some(timer),
            Self::Providers(screen) => screen.awaits_timer(timer),
            Self::Login(screen) => screen.awaits_timer(timer),
            Self::Connecting(screen) => screen.poll.timer() == Some(timer),
            Self::Challenge(screen) => screen.awaits_timer(timer),
            Self::Failure(screen) => screen.awaits_timer(timer),
            Self::Accounts(screen) => screen.awaits_timer(timer),
            Self::Survey(screen) => screen.call.as_ref().and_then(|call| call.timer()) == Some(timer),
            Self::Uploads(screen) => screen.awaits_timer(timer),
            Self::TokenExpired(screen) => screen.call().and_then(|call| call.timer()) == Some(timer),
            Self::Leaving(screen) => screen.under.awaits_timer(timer),
            Self::Consent(_) | Self::LoginOptions(_) | Self::Success(_) | Self::Closed => false,
        }
    }

    /// What would be lost by leaving now; `None` closes without asking.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self {
            Self::Login(screen) => screen.loss(),
            Self::Starting(Starting::Loading { then: Then::Enter(Door::Linking(_)), .. }) => {
                Some(Message::LeaveConnecting)
            }
            Self::Connecting(_) | Self::Challenge(_) => Some(Message::LeaveConnecting),
            Self::Uploads(screen) => screen.loss(),
            Self::TokenExpired(screen) => screen.loss(),
            Self::Starting(_)
            | Self::Consent(_)
            | Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Success(_)
            | Self::Failure(_)
            | Self::Accounts(_)
            | Self::Survey(_)
            | Self::Leaving(_)
            | Self::Closed => None,
        }
    }

    /// Whether a token is being exchanged, so that a refusal is about the token and not about the session.
    pub(crate) fn is_exchanging(&self) -> bool {
        match self {
            Self::Starting(Starting::Exchanging(_)) | Self::TokenExpired(_) => true,
            Self::Leaving(screen) => screen.under.is_exchanging(),
            Self::Starting(Starting::Waiting | Starting::Loading { .. } | Starting::Refused)
            | Self::Consent(_)
            | Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Login(_)
            | Self::Connecting(_)
            | Self::Challenge(_)
            | Self::Success(_)
            | Self::Failure(_)
            | Self::Accounts(_)
            | Self::Survey(_)
            | Self::Uploads(_)
            | Self::Closed => false,
        }
    }

    /// Whether the page has a DONE button, which closes with the reason `exit`.
    pub(crate) fn may_finish(&self) -> bool {
        match self {
            Self::Success(_) | Self::Accounts(_) => true,
            Self::Uploads(screen) => screen.may_finish(),
            Self::Starting(_)
            | Self::Consent(_)
            | Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Login(_)
            | Self::Connecting(_)
            | Self::Challenge(_)
            | Self::Failure(_)
            | Self::Survey(_)
            | Self::TokenExpired(_)
            | Self::Leaving(_)
            | Self::Closed => false,
        }
    }

    /// The upload, whatever lies over it.
    pub(crate) fn uploads(&mut self) -> Option<&mut Uploads> {
        match self {
            Self::Uploads(screen) => Some(screen),
            Self::Leaving(screen) => screen.under.uploads(),
            Self::TokenExpired(screen) => screen.paused.as_mut()?.uploads(),
            Self::Starting(_)
            | Self::Consent(_)
            | Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Login(_)
            | Self::Connecting(_)
            | Self::Challenge(_)
            | Self::Success(_)
            | Self::Failure(_)
            | Self::Accounts(_)
            | Self::Survey(_)
            | Self::Closed => None,
        }
    }

    /// What is on the page.
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match self {
            Self::Starting(screen) => screen.sheet(context),
            Self::Consent(screen) => screen.sheet(context),
            Self::Providers(screen) => screen.sheet(context),
            Self::LoginOptions(screen) => screen.sheet(context),
            Self::Login(screen) => screen.sheet(context),
            Self::Connecting(screen) => screen.sheet(context),
            Self::Challenge(screen) => screen.sheet(context),
            Self::Success(screen) => screen.sheet(context),
            Self::Failure(screen) => screen.sheet(context),
            Self::Accounts(screen) => screen.sheet(context),
            Self::Survey(screen) => screen.sheet(context),
            Self::Uploads(screen) => screen.sheet(context),
            Self::TokenExpired(screen) => screen.sheet(context),
            Self::Leaving(screen) => screen.under.sheet(context),
            Self::Closed => Sheet::new(Message::DialogTitle.into(), Footer::None, Vec::new()),
        }
    }
}
