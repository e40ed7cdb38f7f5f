//! The screens, one file each: what a screen owns, how it handles each input, what it shows.
//!
//! A screen never builds another screen: it returns a route in its [`Outcome`].

pub(crate) mod accounts;
pub(crate) mod archive_end;
pub(crate) mod archive_reading;
pub(crate) mod challenge;
pub(crate) mod connecting;
pub(crate) mod consent;
pub(crate) mod data_choice;
pub(crate) mod failure;
pub(crate) mod file_types;
pub(crate) mod handoff;
pub(crate) mod login;
pub(crate) mod login_options;
pub(crate) mod page_call;
pub(crate) mod parts;
pub(crate) mod providers;
pub(crate) mod starting;
pub(crate) mod success;
pub(crate) mod survey;
pub(crate) mod upload;
pub(crate) mod uploads;

use self::accounts::Accounts;
use self::challenge::ChallengeScreen;
use self::connecting::Connecting;
use self::consent::Consent;
use self::data_choice::DataChoice;
use self::failure::Failure;
use self::handoff::Handoff;
use self::login::Login;
use self::login_options::LoginOptions;
use self::providers::Providers;
use self::starting::Starting;
use self::success::Success;
use self::survey::Survey;
use self::uploads::Uploads;
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::sheet::Sheet;

/// One variant for each screen. The larger ones are boxed, so that a transition moves a pointer.
#[derive(Debug)]
pub(crate) enum Screen {
    /// Exchanges the token, or loads what the next screen needs.
    Starting(Starting),
    /// Shows what is shared and asks for consent.
    Consent(Consent),
    /// Lets the person choose what to share.
    DataChoice(Box<DataChoice>),
    /// Lists the providers.
    Providers(Box<Providers>),
    /// Lists the login options of a provider.
    LoginOptions(Box<LoginOptions>),
    /// Asks for the login.
    Login(Box<Login>),
    /// Waits while the service links the account.
    Connecting(Box<Connecting>),
    /// Asks for what the provider challenges the person with.
    Challenge(Box<ChallengeScreen>),
    /// Reports that the account is linked.
    Success(Box<Success>),
    /// Reports why the account could not be linked.
    Failure(Box<Failure>),
    /// Lists the linked accounts and uploads.
    Accounts(Box<Accounts>),
    /// Asks which employer is missing.
    Survey(Box<Survey>),
    /// Uploads documents.
    Uploads(Box<Uploads>),
    /// Continues a step on a phone.
    Handoff(Box<Handoff>),
}

impl Screen {
    /// Handles an input.
    pub(crate) fn handle(self, input: Input, context: &mut Context) -> Outcome<Self> {
        match self {
            Self::Starting(screen) => screen.handle(input, context).map(Self::Starting),
            Self::Consent(screen) => screen.handle(input, context).map(Self::Consent),
            Self::DataChoice(screen) => screen.handle(input, context).map(Self::DataChoice),
            Self::Providers(screen) => screen.handle(input, context).map(Self::Providers),
            Self::LoginOptions(screen) => screen.handle(input, context).map(Self::LoginOptions),
            Self::Login(screen) => screen.handle(input, context).map(Self::Login),
            Self::Connecting(screen) => screen.handle(input, context).map(Self::Connecting),
            Self::Challenge(screen) => screen.handle(input, context).map(Self::Challenge),
            Self::Success(screen) => screen.handle(input, context).map(Self::Success),
            Self::Failure(screen) => screen.handle(input, context).map(Self::Failure),
            Self::Accounts(screen) => screen.handle(input, context).map(Self::Accounts),
            Self::Survey(screen) => screen.handle(input, context).map(Self::Survey),
            Self::Uploads(screen) => screen.handle(input, context).map(Self::Uploads),
            Self::Handoff(screen) => screen.handle(input, context).map(Self::Handoff),
        }
    }

    /// Whether the screen waits for the reply to that request. Any other reply is stale.
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
            Self::Handoff(screen) => screen.awaits_reply(request),
            Self::Consent(_)
            | Self::DataChoice(_)
            | Self::LoginOptions(_)
            | Self::Success(_)
            | Self::Failure(_) => false,
        }
    }

    /// Whether the screen waits for that timer. Any other timer is stale.
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
            Self::Handoff(screen) => screen.awaits_timer(timer),
            Self::Consent(_) | Self::DataChoice(_) | Self::LoginOptions(_) | Self::Success(_) => false,
        }
    }

    /// Returns the text about the data that the person would lose by leaving now. `None` closes without a question.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self {
            Self::Starting(screen) => screen.loss(),
            Self::Consent(screen) => screen.loss(),
            Self::DataChoice(screen) => screen.loss(),
            Self::Login(screen) => screen.loss(),
            Self::Connecting(_) | Self::Challenge(_) => Some(Message::LeaveConnecting),
            Self::Uploads(screen) => screen.loss(),
            Self::Handoff(screen) => screen.loss(),
            Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Success(_)
            | Self::Failure(_)
            | Self::Accounts(_)
            | Self::Survey(_) => None,
        }
    }

    /// Whether the page has a DONE button, which closes with the reason `exit`.
    pub(crate) fn may_finish(&self) -> bool {
        match self {
            Self::Success(_) | Self::Accounts(_) => true,
            Self::Uploads(screen) => screen.may_finish(),
            Self::Starting(_)
            | Self::Consent(_)
            | Self::DataChoice(_)
            | Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Login(_)
            | Self::Connecting(_)
            | Self::Challenge(_)
            | Self::Failure(_)
            | Self::Survey(_)
            | Self::Handoff(_) => false,
        }
    }

    /// The upload, if this is its screen.
    pub(crate) fn uploads(&mut self) -> Option<&mut Uploads> {
        match self {
            Self::Uploads(screen) => Some(screen),
            Self::Starting(_)
            | Self::Consent(_)
            | Self::DataChoice(_)
            | Self::Providers(_)
            | Self::LoginOptions(_)
            | Self::Login(_)
            | Self::Connecting(_)
            | Self::Challenge(_)
            | Self::Success(_)
            | Self::Failure(_)
            | Self::Accounts(_)
            | Self::Survey(_)
            | Self::Handoff(_) => None,
        }
    }

    /// The content of the page.
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match self {
            Self::Starting(screen) => screen.sheet(context),
            Self::Consent(screen) => screen.sheet(context),
            Self::DataChoice(screen) => screen.sheet(context),
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
            Self::Handoff(screen) => screen.sheet(context),
        }
    }
}
