//! The places a person can go to. A route carries plain data; only `navigate.rs` builds screens from it.

use link_types::archive::ArchiveType;
use link_types::id::{AccountId, ProviderId};
use link_types::link::{AccountProgress, AttemptState, LinkPhase};
use link_types::provider::Provider;
use link_types::uploading::{ArchiveProgress, ResumePoint};

use crate::context::Context;
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::login_draft::LoginDraft;
use crate::resume_point;

/// The destination of a person who leaves a screen.
#[derive(Debug)]
pub(crate) enum Route {
    /// The first step of linking: consent, unless it was given, then the provider.
    Start,
    /// The consent page.
    Consent(AfterConsent),
    /// The page that lets the person choose what to share.
    DataChoice(AfterConsent),
    /// The consent page with the terms as they are now, which must be loaded first.
    Terms(AfterConsent),
    /// The provider list.
    Providers,
    /// A provider that must be loaded first.
    LoadProvider(ProviderId, LoadPurpose),
    /// The login options of a provider.
    LoginOptions(Box<Provider>),
    /// The empty login form of the login option with this index.
    Login(Box<Provider>, usize),
    /// A login form that was shown before.
    LoginAgain(Box<LoginDraft>),
    /// The screen of an account's phase.
    Linking(Box<Linking>, Box<LinkPhase>),
    /// All linked accounts and uploads.
    Accounts,
    /// One linked account, as the tenant's page asked for, or its login.
    Account(AccountId),
    /// The survey about an employer that is not listed.
    Survey,
    /// A page of the document upload. An upload that is not submitted needs consent first.
    Uploads(UploadRoute),
    /// The upload of an earlier page or session; without one, the account of the attempt.
    ResumeUpload(Box<AttemptState>),
    /// The request for a new token, because the first one has expired.
    TokenExpired,
    /// A page of a hand-off to a phone.
    Handoff(HandoffRoute),
}

/// A page of a hand-off.
#[derive(Debug)]
pub(crate) enum HandoffRoute {
    /// On the computer: the code with which this step continues on a phone.
    Offer(Origin),
    /// On the phone: the question whether to continue there.
    Arrival,
    /// On the phone: the page that leads back to the computer.
    Over(Over),
}

/// Why the phone does not continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// The step is finished.
    Done,
    /// The computer shows what to do next.
    GoBack,
    /// The computer took the step back, or its session ended: the service no longer accepts the phone.
    TakenBack,
    /// The code was already used, or has expired.
    DeadCode,
}

/// The step that continues on a phone.
#[derive(Debug)]
pub(crate) enum Origin {
    /// The challenges of an account.
    Challenge(Box<Linking>),
    /// The upload of this kind of document.
    Upload(ArchiveType),
}

/// A page of the document upload.
#[derive(Debug)]
pub(crate) enum UploadRoute {
    /// The document kinds to choose from, or the only one.
    Start,
    /// A new upload of this kind.
    Kind(ArchiveType),
    /// The page of an existing upload's phase.
    Archive(Box<ArchiveProgress>),
}

/// The next step after the person gives consent.
#[derive(Debug)]
pub(crate) enum AfterConsent {
    /// The provider.
    Provider,
    /// This page of the document upload.
    Uploads(UploadRoute),
    /// Back to a login form: a resumed attempt has no consent of this opening.
    Login(Box<LoginDraft>),
}

/// Reason why a provider is loaded.
#[derive(Debug)]
pub(crate) enum LoadPurpose {
    /// To sign in, with the login option that was chosen before.
    SignIn(Option<String>),
    /// To resume this account of the attempt.
    Resume(Box<AccountProgress>),
}

impl AfterConsent {
    /// Returns the route of the next step.
    pub(crate) fn route(self, context: &Context) -> Route {
        match self {
            Self::Provider => Route::provider(context),
            Self::Uploads(route) => Route::Uploads(route),
            Self::Login(draft) => Route::LoginAgain(draft),
        }
    }

    /// Returns the text about the data that leaving would lose.
    pub(crate) fn loss(&self) -> Option<Message> {
        match self {
            Self::Login(draft) => draft.loss(),
            Self::Provider | Self::Uploads(_) => None,
        }
    }
}

impl Route {
    /// Returns whether the screen is in the deferred chunk, which must be loaded first.
    ///
    /// The first part calls such a screen only through [`Deferred`](crate::screen::deferred_screen::Deferred), so that the compiler
    /// cannot inline it into the first part (ADR 213).
    pub(crate) fn needs_chunk(&self) -> bool {
        match self {
            Self::Linking(_, phase) => !matches!(**phase, LinkPhase::Disconnected {}),
            Self::DataChoice(_)
            | Self::LoginOptions(_)
            | Self::Login(..)
            | Self::LoginAgain(_)
            | Self::Accounts
            | Self::Account(_)
            | Self::Survey
            | Self::Uploads(_)
            | Self::ResumeUpload(_)
            | Self::Handoff(_) => true,
            Self::Start
            | Self::Consent(_)
            | Self::Terms(_)
            | Self::Providers
            | Self::LoadProvider(..)
            | Self::TokenExpired => false,
        }
    }

    /// Goes to the provider of the account to sign in to again, the one that the tenant's page asked for, the one
    /// chosen before, or the list.
    pub(crate) fn provider(context: &Context) -> Self {
        let ResumePoint { provider_id, login_option, account_id, .. } = context.resume_point.at.clone();
        let asked = context.preferences.provider.clone().filter(|_| account_id.is_none());
        match asked.or(provider_id) {
            Some(provider) => Self::LoadProvider(provider, LoadPurpose::SignIn(login_option)),
            None => Self::Providers,
        }
    }

    /// Goes back from the login of a provider: to the accounts if the person signs in again, else to the provider list.
    pub(crate) fn before_login(context: &mut Context) -> Self {
        if context.resume_point.at.account_id.is_some() {
            resume_point::at_provider(None, None, context);
            Self::Accounts
        } else {
            Self::Providers
        }
    }

    /// Goes to the login form of a provider, or to its login options if there are several and none is chosen.
    pub(crate) fn sign_in(provider: Box<Provider>, option: Option<&str>) -> Self {
        let known = provider.login_options.iter().position(|it| Some(it.id.as_str()) == option);
        match known {
            Some(option) => Self::Login(provider, option),
            None if provider.login_options.len() > 1 => Self::LoginOptions(provider),
            None => Self::Login(provider, 0),
        }
    }

    /// Goes to the login form after a failed login: open fields are filled in, secret fields are empty.
    pub(crate) fn sign_in_again(linking: Box<Linking>, context: &Context) -> Self {
        let draft = Box::new(LoginDraft::again(*linking));
        if context.needs_consent() {
            Self::Consent(AfterConsent::Login(draft))
        } else {
            Self::LoginAgain(draft)
        }
    }

    /// Goes to the screen of an account's phase.
    pub(crate) fn linking(linking: Box<Linking>, phase: LinkPhase) -> Self {
        Self::Linking(linking, Box::new(phase))
    }
}
