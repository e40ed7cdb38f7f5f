//! What the widget and the service say to each other: sessions, attempts, accounts under way.
//!
//! The widget is given durations, never instants: its clock may be wrong.

use serde::{Deserialize, Serialize};

use crate::{
    Mode,
    archive::ArchiveType,
    challenge::Challenge,
    error_code::ErrorCode,
    id::{AccountId, AttemptId, ConsentTemplateId, LinkSessionId, LinkTemplateId, ProviderId, UserId},
    sealing::SealedBox,
    sensitive::Sensitive,
    template::Theme,
    uploading::{ArchiveProgress, AttemptPlace},
};

/// Body of `POST …/link/sessions`: exchanges a link token for a session whose bearer is `secret`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenSession {
    /// The link token.
    pub token: Sensitive,
    /// base64url, without padding, of 32 random bytes the frame made: the bearer of everything after.
    pub secret: Sensitive,
    /// The link template the widget was opened with.
    pub template_id: LinkTemplateId,
    /// Origin of the page that embeds the widget.
    pub host_origin: String,
}

/// The text a person consents to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentText {
    /// The consent template.
    pub consent_template_id: ConsentTemplateId,
    /// Its heading.
    pub title: String,
    /// Its version.
    pub version: String,
    /// Plain paragraphs, separated by blank lines.
    pub text: String,
    /// Language of the text, a BCP 47 tag.
    pub locale: String,
}

/// What the widget needs of the link template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionTemplate {
    /// The link template.
    pub id: LinkTemplateId,
    /// The tenant's name as a person sees it.
    pub company_name: String,
    /// What the person is asked to accept.
    pub consent: ConsentText,
    /// Whether the tenant may skip the consent page because it asked for consent itself.
    pub allow_consent_skip: bool,
    /// Providers offered; all, when empty.
    pub providers: Vec<ProviderId>,
    /// Providers shown first.
    pub top_providers: Vec<ProviderId>,
    /// Whether documents may be uploaded.
    pub uploads_enabled: bool,
    /// The kinds of documents that may be uploaded; all, when empty.
    pub file_types: Vec<ArchiveType>,
    /// Colours, already corrected for contrast.
    pub theme: Theme,
}

/// Where the person is: outlives the session, so that a reload goes on where it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttemptState {
    /// The attempt.
    pub id: AttemptId,
    /// The account under way; null before the first submit.
    pub account: Option<AccountProgress>,
    /// Archives begun in this attempt and neither removed nor left behind, the newest last.
    pub archives: Vec<ArchiveProgress>,
    /// Where else the person is.
    pub place: AttemptPlace,
}

/// A widget session: the answer to the exchange, and its state later on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkSession {
    /// The session; not a secret.
    pub session_id: LinkSessionId,
    /// The user who links.
    pub user_id: UserId,
    /// The environment.
    pub mode: Mode,
    /// Milliseconds until the session ends unless it is used.
    pub expires_in_ms: u32,
    /// Milliseconds until it ends even if it is used.
    pub ends_in_ms: u32,
    /// The link template.
    pub template: SessionTemplate,
    /// Whether the person has linked something already, an account or an upload: the widget then begins with it.
    pub has_linked: bool,
    /// Where the person is.
    pub attempt: AttemptState,
}

words! {
    /// Who vouches for the consent.
    ConsentGivenBy {
        /// The person, on the widget's consent page.
        Person = "PERSON",
        /// The tenant, which skipped the page because it asked by itself.
        Tenant = "TENANT",
    }
}

/// What was consented to; travels with the link request, and the service adds the time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConsentReceipt {
    /// The consent template.
    pub consent_template_id: ConsentTemplateId,
    /// Its version as shown.
    pub version: String,
    /// Language in which it was shown, a BCP 47 tag.
    pub locale: String,
    /// Who vouches for it.
    pub given_by: ConsentGivenBy,
}

/// Body of `POST …/link/accounts`. It carries a login's name, so it can be read from the wire but not written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartLink {
    /// The provider.
    pub provider_id: ProviderId,
    /// Which of its login options; null when it needs no login.
    pub login_option: Option<String>,
    /// The text of the option's first field that is no secret: the name by which the login is known again. Null when
    /// the provider needs no login.
    pub login_name: Option<Sensitive>,
    /// The login form's values by field name, sealed. Null when the provider needs no login.
    pub credentials: Option<SealedBox>,
    /// What was consented to.
    pub consent: ConsentReceipt,
}

words! {
    /// What the service is doing while the widget waits.
    ConnectStep {
        /// The request waits for its turn.
        Queued = "QUEUED",
        /// Logging in at the provider.
        LoggingIn = "LOGGING_IN",
        /// Checking an answer at the provider.
        CheckingAnswer = "CHECKING_ANSWER",
    }
}

/// How far linking an account has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum LinkPhase {
    /// The service is at work (connectionStatus PENDING).
    #[serde(rename_all = "camelCase")]
    Connecting {
        /// What it is doing.
        step: ConnectStep,
    },
    /// The provider asks for something (AWAITING_MFA).
    #[serde(rename_all = "camelCase")]
    Challenge {
        /// What it asks.
        challenge: Challenge,
    },
    /// Linked (CONNECTED); its data follows.
    Connected {},
    /// The last try failed (ERROR).
    #[serde(rename_all = "camelCase")]
    Failed {
        /// Why.
        error_code: ErrorCode,
        /// Milliseconds until another try is accepted; 0 when at once.
        retry_in_ms: u32,
    },
    /// Revoked (DISCONNECTED).
    Disconnected {},
}

/// An account under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountProgress {
    /// The account.
    pub account_id: AccountId,
    /// Its provider.
    pub provider_id: ProviderId,
    /// Grows with every change; `?after=` it to wait for the next.
    pub version: u32,
    /// How far it has come.
    pub phase: LinkPhase,
}
