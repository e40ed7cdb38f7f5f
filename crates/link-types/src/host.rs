//! What the widget says to the page that embeds it: options, port messages, callbacks (interface: "Client widget
//! callbacks"; `widget.md`: "The API on the host page").
//!
//! Everything but one window message travels over a `MessagePort`; this is protocol `p1`.

use serde::{Deserialize, Serialize};

use crate::{
    Mode,
    error_code::ErrorCode,
    id::{AccountId, ArchiveId, ProviderId, UserId},
};

/// The frame protocol of this build. Every protocol ever released stays served.
pub const PROTOCOL: &str = "p1";

words! {
    /// Light, dark, or what the person's system says.
    ThemeChoice {
        /// Always light.
        Light = "light",
        /// Always dark.
        Dark = "dark",
        /// As the system says.
        System = "system",
    }
}

/// The options of `new LinkModal({...})` without its callbacks. The link flow validates them, all faults at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WidgetOptions {
    /// Id of the link template. Required.
    pub template_id: String,
    /// Offer only these providers.
    pub providers: Option<Vec<String>>,
    /// Show these first, at most 10.
    pub top_providers: Option<Vec<String>>,
    /// Whether the provider list has a search field; true by default.
    pub enable_search_bar: Option<bool>,
    /// Whether the provider list has type tabs; true by default.
    pub enable_type_bar: Option<bool>,
    /// Whether documents may be uploaded; as the link template says by default.
    pub enable_upload: Option<bool>,
    /// False skips the consent page, if the link template permits it.
    pub enable_consent_page: Option<bool>,
    /// The tenant's name in texts; the consent page always shows the link template's.
    pub company_name: Option<String>,
    /// Language, a BCP 47 tag.
    pub locale: Option<String>,
    /// Light, dark or system; system by default.
    pub theme: Option<ThemeChoice>,
    /// Go straight to this provider.
    pub provider_id: Option<String>,
    /// Re-authorize this account.
    pub account_id: Option<String>,
}

words! {
    /// Why the person left: the argument of `onClose`.
    CloseReason {
        /// The close icon, Escape or the system's back gesture.
        Close = "close",
        /// The DONE button.
        Exit = "exit",
    }
}

words! {
    /// Why the widget could not be shown.
    LoadFailure {
        /// The frame did not answer: its page is not among the link template's allowed origins, or something blocks it.
        Blocked = "blocked",
        /// The host page's content security policy forbids the frame.
        Csp = "csp",
        /// The network failed.
        Network = "network",
        /// The program could not run.
        Wasm = "wasm",
        /// The browser lacks something the widget needs.
        Unsupported = "unsupported",
        /// An option is missing or wrong; the words name all that are.
        Options = "options",
    }
}

/// An account in a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSubject {
    /// The account.
    pub account_id: AccountId,
    /// The user.
    pub user_id: UserId,
    /// The provider.
    pub provider_id: ProviderId,
}

/// Argument of `onAccountError`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountErrorSubject {
    /// The account.
    pub account_id: AccountId,
    /// The user.
    pub user_id: UserId,
    /// The provider.
    pub provider_id: ProviderId,
    /// An account linking error code.
    pub error_code: ErrorCode,
}

/// A file of an upload in a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadedFile {
    /// The file.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// An upload in a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// The archive made of it.
    pub archive_id: ArchiveId,
    /// The kind of document.
    #[serde(rename = "type")]
    pub upload_type: String,
    /// Its files.
    pub files: Vec<UploadedFile>,
}

/// Argument of `onUploadsCreated` and `onUploadsRemoved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadsSubject {
    /// The uploads.
    pub uploads: Vec<Upload>,
    /// The user.
    pub user_id: UserId,
}

/// Argument of `onClose`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// Why.
    pub reason: CloseReason,
}

words! {
    /// The `eventName` of `onUIEvent`. The first fifteen are stable; later ones are informational.
    UiEventName {
        /// The consent page is shown.
        ConsentPageOpened = "ConsentPageOpened",
        /// The provider list is shown.
        ProviderListPageOpened = "ProviderListPageOpened",
        /// The ways to log in are shown.
        LoginOptionsPageOpened = "LoginOptionsPageOpened",
        /// The login form is shown.
        LoginPageOpened = "LoginPageOpened",
        /// A challenge is shown.
        MfaPageOpened = "MfaPageOpened",
        /// The account is linked.
        ConnectSuccessPageOpened = "ConnectSuccessPageOpened",
        /// Linking failed.
        ConnectErrorPageOpened = "ConnectErrorPageOpened",
        /// The connected accounts are shown.
        AccountListPageOpened = "AccountListPageOpened",
        /// The confirmation of revoking an account is shown.
        AccountRevokePageOpened = "AccountRevokePageOpened",
        /// The employer survey is shown.
        EmployerSurveyPageOpened = "EmployerSurveyPageOpened",
        /// The kinds of documents are shown.
        FileTypeListPageOpened = "FileTypeListPageOpened",
        /// The upload of one kind of document is shown.
        FileTypePageOpened = "FileTypePageOpened",
        /// An upload is complete.
        ArchiveSuccessPageOpened = "ArchiveSuccessPageOpened",
        /// The confirmation of removing an upload is shown.
        RevokeArchivePageOpened = "RevokeArchivePageOpened",
        /// The token has expired.
        TokenExpiredPageOpened = "TokenExpiredPageOpened",
        /// The consent was given.
        ConsentGiven = "ConsentGiven",
        /// A provider was chosen.
        ProviderSelected = "ProviderSelected",
        /// A login was submitted.
        LoginSubmitted = "LoginSubmitted",
        /// A challenge was answered.
        MfaSubmitted = "MfaSubmitted",
        /// More time for a challenge was asked for.
        MfaExtended = "MfaExtended",
        /// A new one-time code was asked for.
        MfaResent = "MfaResent",
        /// An account was taken back.
        AccountRevoked = "AccountRevoked",
        /// An upload was taken back.
        ArchiveRevoked = "ArchiveRevoked",
        /// Files were submitted.
        FilesSubmitted = "FilesSubmitted",
        /// The service reads an upload and the person waits.
        ArchiveProgressPageOpened = "ArchiveProgressPageOpened",
        /// An upload could not be read.
        ArchiveErrorPageOpened = "ArchiveErrorPageOpened",
        /// An employer that is not listed was named.
        SurveySubmitted = "SurveySubmitted",
        /// The service is at work and the person waits.
        ConnectProgressPageOpened = "ConnectProgressPageOpened",
        /// The person is asked whether to leave.
        LeavePageOpened = "LeavePageOpened",
    }
}

/// The account a UI event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiEventAccount {
    /// The account.
    pub account_id: AccountId,
    /// The provider.
    pub provider_id: ProviderId,
}

/// The archive a UI event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiEventArchive {
    /// The archive.
    pub archive_id: ArchiveId,
}

/// Argument of `onUIEvent`. It never carries personal data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiEvent {
    /// What happened.
    pub event_name: UiEventName,
    /// When, by the browser's clock: ISO 8601 UTC. The widget's body fills it in: the flow has no clock.
    pub event_time: String,
    /// The environment.
    pub mode: Mode,
    /// The user; null before the token was exchanged.
    pub user_id: Option<UserId>,
    /// The account under way.
    pub account: Option<UiEventAccount>,
    /// The archive under way.
    pub archive: Option<UiEventArchive>,
    /// Number of the event within one `open()`, from 1.
    pub seq: u32,
}

/// A callback of the page, with its argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Callback {
    /// Linking initiated.
    #[serde(rename = "onAccountCreated")]
    AccountCreated(AccountSubject),
    /// Linking completed.
    #[serde(rename = "onAccountConnected")]
    AccountConnected(AccountSubject),
    /// Access revoked by the user.
    #[serde(rename = "onAccountRemoved")]
    AccountRemoved(AccountSubject),
    /// Linking failed.
    #[serde(rename = "onAccountError")]
    AccountError(AccountErrorSubject),
    /// The token or the session has expired; a returned (promise of a) token continues in place.
    #[serde(rename = "onTokenExpired")]
    TokenExpired {},
    /// The widget has closed.
    #[serde(rename = "onClose")]
    Close(Closed),
    /// Documents were uploaded.
    #[serde(rename = "onUploadsCreated")]
    UploadsCreated(UploadsSubject),
    /// Documents were removed.
    #[serde(rename = "onUploadsRemoved")]
    UploadsRemoved(UploadsSubject),
    /// Something happened on the screen.
    #[serde(rename = "onUIEvent")]
    UiEvent(UiEvent),
}

/// The only window message: posted once to the frame's exact origin, with a `MessagePort`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Greeting {
    /// The protocol the bridge speaks: `p1`.
    pub linchpin: String,
}

/// Frame to host page, over the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FrameMessage {
    /// The frame accepted the greeting.
    Hello {
        /// The protocol it speaks.
        protocol: String,
        /// Version of the build.
        build: String,
    },
    /// The first screen is drawn.
    Ready {},
    /// Call a callback, once per key for the life of the `LinkModal`.
    Tell {
        /// `attempt/kind/subject` of what befell an account, `opening/kind/number` of everything else.
        key: String,
        /// The callback and its argument.
        callback: Callback,
    },
    /// The person has left; the frame is done.
    Close {
        /// Why.
        reason: CloseReason,
    },
    /// The widget cannot go on.
    Failed {
        /// Why.
        cause: LoadFailure,
        /// The same in words for a developer; no personal data.
        detail: String,
    },
}

/// Host page to frame, over the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum HostMessage {
    /// Start.
    Open {
        /// The page's options.
        options: WidgetOptions,
        /// The link token.
        token: String,
    },
    /// Continue with a new token.
    SetToken {
        /// The link token.
        token: String,
    },
    /// Go on in another language.
    SetLocale {
        /// A BCP 47 tag.
        locale: String,
    },
    /// The callback with this key was called.
    Told {
        /// The key it was told by.
        key: String,
    },
    /// The person pressed Escape, went back, or clicked outside: ask before something is lost.
    CloseRequested {},
    /// The on-screen keyboard covers the bottom of the frame.
    Inset {
        /// CSS pixels covered.
        bottom: u16,
    },
}
