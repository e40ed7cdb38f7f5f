//! Port to data providers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::id::ProviderId;
use link_types::link::GuessLimit;
use link_types::provider::{Provider, Translations};
use link_types::{LinkErrorCode, Sensitive};
use serde::{Deserialize, Serialize};

use crate::data::batch::Batch;
use crate::data::provider_file::{FileBytes, FileReference};
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::system::BoxFuture;
use crate::linking::withdrawal::{NotWithdrawnError, WithdrawRequest};
use crate::tenancy::logo::LogoName;

/// Source of accounts and their data. It is stateless between calls: all state is in the [`SourceState`], so that
/// multi-factor authentication survives a restart and can continue on another node.
pub trait AccountSource: Send + Sync {
    /// Returns the providers, including those in maintenance.
    fn providers(&self) -> Arc<[Provider]>;

    /// Returns whether the operator has configured a source of providers. `false` means that there can be none.
    fn is_configured(&self) -> bool {
        true
    }

    /// Returns the translations of a provider's texts. By default, there are none.
    fn translations(&self, _provider: &ProviderId) -> Arc<Translations> {
        Arc::default()
    }

    /// Returns the PNG file of a provider's logo that this process encoded. By default, there are none.
    fn logo(&self, _name: &LogoName) -> Option<Arc<[u8]>> {
        None
    }

    /// Reloads the list of providers, if it can change while the service runs.
    fn renew_providers(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// Returns how tries of this login are limited. By default, every limit applies.
    fn guessing<'a>(
        &'a self,
        _owner: &'a Owner,
        _provider: &'a ProviderId,
        _login_name: &'a str,
    ) -> BoxFuture<'a, Guessing> {
        Box::pin(std::future::ready(Guessing::default()))
    }

    /// Takes the next step of a login. Repeating a step must be safe, because a crash may have lost the result.
    fn step<'a>(&'a self, request: StepRequest<'a>) -> BoxFuture<'a, Step>;

    /// Reads the data of a connected account.
    fn read<'a>(&'a self, request: ReadRequest<'a>) -> BoxFuture<'a, Read>;

    /// Fetches a file that a reading offered ([`Batch::files`]). Returns `None` if the source no longer has the file, or
    /// returns something that is not a file. The source logs the reason. By default, there are no files.
    ///
    /// # Errors
    ///
    /// [`FileUnavailableError`] if the source does not answer, so that asking for other files would be useless.
    fn file<'a>(
        &'a self,
        _request: FileRequest<'a>,
    ) -> BoxFuture<'a, Result<Option<FileBytes>, FileUnavailableError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Ends the access that the provider gave when the person signed in on its page. Repeating it must be safe. It has no
    /// default, because a source that wraps another one and did not forward it would end nothing.
    ///
    /// # Errors
    ///
    /// [`NotWithdrawnError`] if the provider must be asked again.
    fn withdraw<'a>(&'a self, request: WithdrawRequest<'a>) -> BoxFuture<'a, Result<(), NotWithdrawnError>>;
}

/// A file to fetch.
#[derive(Clone, Copy, Debug)]
pub struct FileRequest<'a> {
    /// Provider of the account.
    pub provider_id: &'a ProviderId,
    /// Session state after the reading that offered the file.
    pub state: &'a SourceState,
    /// The source's name for the file.
    pub reference: &'a FileReference,
}

/// Error of a source that does not answer when it is asked for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the source does not answer")]
pub struct FileUnavailableError;

/// How a source wants tries of a login to be limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Guessing {
    /// All limits apply.
    #[default]
    Limited,
    /// The password is public, so it cannot be guessed. Only the user's own failures of the login count.
    Published,
    /// A sandbox login that demonstrates one limit, which applies after one failure.
    Shown(GuessLimit),
}

/// A step to take.
#[derive(Clone, Copy, Debug)]
pub struct StepRequest<'a> {
    /// Tenant and environment of the account.
    pub owner: &'a Owner,
    /// Provider of the account.
    pub provider_id: &'a ProviderId,
    /// Session state from the previous step.
    pub state: &'a SourceState,
    /// Input of the step.
    pub input: &'a SourceInput,
}

/// Session state that a source stores for one account, in its own format (JSON). It may contain cookies or tokens, so
/// it is stored encrypted and never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceState(String);

impl SourceState {
    /// Wraps a state in the source's own format.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the state in the source's own format. Empty before the first step.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SourceState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SourceState(…)")
    }
}

/// Values of the login form by field name. They exist only in memory, while a step runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials(pub BTreeMap<String, Sensitive>);

/// Input of a source's step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceInput {
    /// The person submitted a login. `login_option` is `None` for a provider without login options.
    LogIn {
        /// Login option of the provider.
        login_option: Option<String>,
        /// Values of the form.
        credentials: Credentials,
    },
    /// The person typed an answer to the challenge.
    AnswerText {
        /// Text that the person typed.
        text: Sensitive,
    },
    /// The person selected an answer to the challenge.
    AnswerChoice {
        /// Value of the choice.
        value: String,
    },
    /// The person signed in on the provider's page, which sent them back with a code.
    AnswerRedirect {
        /// The provider's authorization code. It works once.
        code: Sensitive,
        /// Address that the provider sent the person back to.
        redirect_uri: String,
    },
    /// The person requested the code again.
    Resend {
        /// Channel to send the code through.
        channel: CodeChannel,
    },
    /// The wait that the source requested is over.
    Continue {},
}

/// Result of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The login succeeded. The state is sufficient for reading.
    Connected {
        /// Session state to store.
        state: SourceState,
    },
    /// The provider issued a challenge.
    Challenge {
        /// Session state to store.
        state: SourceState,
        /// Challenge to answer.
        challenge: PosedChallenge,
    },
    /// There is no result yet. Continue later with [`SourceInput::Continue`].
    Wait {
        /// Session state to store.
        state: SourceState,
        /// Time to wait.
        for_at_least: Duration,
    },
    /// The login failed.
    Failed {
        /// Reason for the failure.
        code: LinkErrorCode,
    },
    /// The person declined the request in the provider's app. The account fails with INVALID_MFA.
    Declined {},
}

impl Step {
    /// Returns the step of a source that does not answer in time, or does not know the provider. It counts as no guess.
    pub const fn unavailable() -> Self {
        Self::Failed { code: LinkErrorCode::ServiceUnavailable }
    }
}

/// A challenge as a source issues it. The domain adds the id and tracks its expiry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PosedChallenge {
    /// Kind of challenge, with what to ask for.
    pub kind: ChallengeKind,
    /// How long an answer is accepted.
    pub lasts: Option<Duration>,
    /// When to check, with [`SourceInput::Continue`], whether the challenge was approved elsewhere: on the person's
    /// phone or through a link in an email. `None` if it can only be answered in the widget. If the result is
    /// [`Step::Wait`], the challenge stays open and is checked again later.
    #[serde(default)]
    pub check_after: Option<Duration>,
    /// Whether the person can request more time.
    pub extendable: bool,
    /// When and how the code can be resent.
    pub resend: Option<Resend>,
    /// Remaining attempts, including this one.
    pub tries_left: Option<u8>,
    /// Whether the previous answer was wrong.
    pub wrong_answer: bool,
    /// The provider's page, for [`ChallengeKind::Redirect`].
    #[serde(default)]
    pub redirect: Option<ProviderPage>,
}

/// The page on which a provider asks the person to sign in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderPage {
    /// Authorization address of the provider with all its parameters, except `state` and `redirect_uri`.
    pub url: String,
    /// Issuer that the response must name as `iss` (RFC 9207). `None` if the provider does not name itself.
    pub issuer: Option<String>,
}

impl std::fmt::Debug for ProviderPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProviderPage(…)")
    }
}

/// When and how a code can be resent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resend {
    /// Time until a resend is allowed.
    pub after: Duration,
    /// Channels that the code can be resent through.
    pub channels: Vec<CodeChannel>,
}

/// A reading to perform.
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest<'a> {
    /// Tenant and environment of the account.
    pub owner: &'a Owner,
    /// Provider of the account.
    pub provider_id: &'a ProviderId,
    /// Session state of the login.
    pub state: &'a SourceState,
    /// Whether the person just signed in.
    pub purpose: Purpose,
    /// Time of the reading, on the tenant's clock.
    pub at: TenantTime,
    /// When the account was last read successfully. `None` for the first reading.
    pub last_read_at: Option<TenantTime>,
}

/// The data that a reading requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadCall {
    /// The data of an account to which the person just signed in.
    First,
    /// The data of an account that was last read successfully at this time.
    Again(TenantTime),
}

impl ReadRequest<'_> {
    /// Returns what the source is asked for, by whether the provider supports being read again now. `None` if it must not
    /// be asked: a provider may withdraw its support after accounts were enrolled in continuous sync.
    pub const fn call(&self, is_supported_again: bool) -> Option<ReadCall> {
        match (self.purpose, self.last_read_at) {
            (Purpose::Sync, _) if !is_supported_again => None,
            (_, Some(last)) if is_supported_again => Some(ReadCall::Again(last)),
            (Purpose::SignIn | Purpose::Sync, _) => Some(ReadCall::First),
        }
    }
}

/// Result of a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Session state to store.
    pub state: SourceState,
    /// Data that was read.
    pub batch: Batch,
    /// Whether all data was read.
    pub outcome: ReadOutcome,
}

impl Read {
    /// Returns the reading of a source that does not answer in time.
    pub fn unavailable(state: SourceState) -> Self {
        let outcome = ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable };
        Self { state, batch: Batch::default(), outcome }
    }
}

/// Purpose of a reading. It determines which events report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// The person signed in: TASK_STARTED and TASK_FINISHED.
    SignIn,
    /// Continuous sync: ACCOUNT_SYNC_TASK_FINISHED.
    Sync,
}

/// Whether a reading was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// All data was read.
    Complete,
    /// Some data could not be read.
    Partial {
        /// Reason why some data is missing.
        code: LinkErrorCode,
    },
    /// No data could be read.
    Failed {
        /// Reason for the failure.
        code: LinkErrorCode,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn unmonitored_provider_is_read_only_after_a_login() {
        let (owner, provider) = (fixture::owner(), fixture::provider());
        let at = fixture::context().now().tenant();
        let call = |purpose, last_read_at, is_supported| {
            let (owner, provider_id, state) = (&owner, &provider.id, &SourceState::default());
            ReadRequest { owner, provider_id, state, purpose, at, last_read_at }.call(is_supported)
        };
        assert_eq!(call(Purpose::SignIn, None, true), Some(ReadCall::First));
        assert_eq!(call(Purpose::SignIn, Some(at), true), Some(ReadCall::Again(at)));
        assert_eq!(call(Purpose::Sync, Some(at), true), Some(ReadCall::Again(at)));
        assert_eq!(call(Purpose::Sync, None, true), Some(ReadCall::First));
        assert_eq!(call(Purpose::SignIn, None, false), Some(ReadCall::First));
        assert_eq!(call(Purpose::SignIn, Some(at), false), Some(ReadCall::First));
        assert_eq!(call(Purpose::Sync, Some(at), false), None);
        assert_eq!(call(Purpose::Sync, None, false), None);
    }
}
