//! Messages between the widget and the page that embeds it: options, port messages, callbacks (interface: "Client
//! widget callbacks"; `widget.md`: "The API on the host page").
//!
//! Everything travels over a `MessagePort` (protocol `p1`), except two window messages: the question for it and the port.

mod ui_event_name;

pub use ui_event_name::UiEventName;

use serde::{Deserialize, Serialize};

use crate::{
    Mode,
    error_code::ErrorCode,
    id::{AccountId, ArchiveId, ProviderId, UserId},
};

/// Frame protocol of this build. The service keeps serving every protocol that was ever released.
pub const PROTOCOL: &str = "p1";

words! {
    /// Color theme of the widget.
    ThemeChoice {
        /// Always light.
        Light = "light",
        /// Always dark.
        Dark = "dark",
        /// Follows the system setting.
        System = "system",
    }
}

/// Options of `new LinkModal({...})`, without its callbacks. The link flow validates them and reports all errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct WidgetOptions {
    /// Id of the link template. Required.
    pub template_id: String,
    /// Offers only these providers.
    pub providers: Option<Vec<String>>,
    /// Shows these providers first. At most 10.
    pub top_providers: Option<Vec<String>>,
    /// Whether the provider list has a search field. Defaults to true.
    pub enable_search_bar: Option<bool>,
    /// Whether the provider list has type tabs. Defaults to true.
    pub enable_type_bar: Option<bool>,
    /// Whether documents can be uploaded. Defaults to the link template's setting.
    pub enable_upload: Option<bool>,
    /// Set to false to skip the consent page, if the link template allows it.
    pub enable_consent_page: Option<bool>,
    /// Tenant name used in texts. The consent page always shows the link template's name.
    pub company_name: Option<String>,
    /// Language, as a BCP 47 tag.
    pub locale: Option<String>,
    /// Color theme. Defaults to `system`.
    pub theme: Option<ThemeChoice>,
    /// Opens the login of this provider directly.
    pub provider_id: Option<String>,
    /// Re-authorizes this account.
    pub account_id: Option<String>,
}

words! {
    /// Reason why the widget closed: the argument of `onClose`.
    CloseReason {
        /// The person used the close icon, Escape or the system's back gesture.
        Close = "close",
        /// The person pressed Done.
        Exit = "exit",
    }
}

words! {
    /// Reason why the widget could not be shown: a `cause` of a `LinkError`. Each has a remedy in
    /// `www/sdk/src/help/advice.ts`.
    LoadFailure {
        /// The frame did not respond: an extension, a proxy or the policy of an outer page blocks it.
        Blocked = "blocked",
        /// The host page's content security policy blocks the frame.
        Csp = "csp",
        /// A network request failed.
        Network = "network",
        /// The WebAssembly program could not run.
        Wasm = "wasm",
        /// The browser lacks a feature that the widget needs.
        Unsupported = "unsupported",
        /// An option is missing or invalid, or the value of `setToken` is not a token. The message names every such option.
        Options = "options",
        /// The link template does not exist: it was deleted, or the id is of something else.
        Template = "template",
        /// The `allowedOrigins` of the link template do not contain the origin of the page. The message names it.
        Origin = "origin",
        /// The element of `container` is missing, or is not on the page when `open()` is called.
        Container = "container",
        /// The service does not serve a file of the widget: after a deploy, or because a proxy answers for it. The message
        /// names the file.
        Files = "files",
        /// `onTokenExpired` is not set, or gave no new token within 5 seconds: it returned nothing or the old token, threw,
        /// or did not settle.
        TokenHandler = "token-handler",
        /// The script does not know the address of the service, or it is the origin of the page.
        Script = "script",
    }
}

words! {
    /// A mistake of the tenant's page that the widget finds while it runs: a `cause` of a `LinkError`. Each has a remedy in
    /// `www/sdk/src/help/advice.ts`.
    LinkMistake {
        /// The service refuses the token: it is not a link token, or of another tenant or environment than the link template,
        /// or its user was deleted.
        Token = "token",
        /// The tokens that `onTokenExpired` gave were used or expired, too.
        TokenExpired = "token-expired",
        /// The provider of `providerId` does not exist, or the link template does not offer it; or none of `providers` does.
        Provider = "provider",
        /// The account of `accountId` does not exist, or belongs to another user.
        Account = "account",
    }
}

/// Account passed to a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSubject {
    /// Account that the callback is about.
    pub account_id: AccountId,
    /// User who owns the account.
    pub user_id: UserId,
    /// Provider of the account.
    pub provider_id: ProviderId,
}

/// Argument of `onAccountError`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountErrorSubject {
    /// Account that could not be linked.
    pub account_id: AccountId,
    /// User who owns the account.
    pub user_id: UserId,
    /// Provider of the account.
    pub provider_id: ProviderId,
    /// Account linking error code.
    pub error_code: ErrorCode,
}

/// Uploaded file passed to a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadedFile {
    /// Identifier of the file.
    pub id: String,
    /// File name.
    pub name: String,
}

/// Upload passed to a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Archive created from the upload.
    pub archive_id: ArchiveId,
    /// Kind of document.
    #[serde(rename = "type")]
    pub upload_type: String,
    /// Files of the upload.
    pub files: Vec<UploadedFile>,
}

/// Argument of `onUploadsCreated` and `onUploadsRemoved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadsSubject {
    /// Uploads that were created or removed.
    pub uploads: Vec<Upload>,
    /// User who owns the uploads.
    pub user_id: UserId,
}

/// Argument of `onClose`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// Reason why the widget closed.
    pub reason: CloseReason,
    /// The last page that the person saw. Absent if there was none, or if the tenant's page called `close()`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_page: Option<UiEventName>,
    /// The provider of the last page or event that had one. Absent if there was none, or if the tenant's page called `close()`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<ProviderId>,
    /// Why linking at this provider failed last. Absent if it succeeded afterwards or did not fail, or if the tenant's
    /// page called `close()`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
}

/// Account that a UI event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiEventAccount {
    /// Identifier of the account.
    pub account_id: AccountId,
    /// Provider of the account.
    pub provider_id: ProviderId,
}

/// Archive that a UI event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiEventArchive {
    /// Identifier of the archive.
    pub archive_id: ArchiveId,
}

/// Argument of `onUIEvent`. It never contains personal data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiEvent {
    /// Event that occurred.
    pub event_name: UiEventName,
    /// Time of the event by the browser's clock, as ISO 8601 in UTC. The widget's shell sets it, because the flow has
    /// no clock.
    pub event_time: String,
    /// Environment of the session.
    pub mode: Mode,
    /// User of the session. Null before the token is exchanged.
    pub user_id: Option<UserId>,
    /// Account that is being linked, if any.
    pub account: Option<UiEventAccount>,
    /// Archive that is being uploaded, if any.
    pub archive: Option<UiEventArchive>,
    /// Sequence number of the event within one `open()`, starting at 1.
    pub seq: u32,
}

/// Argument of the `error` event, as the frame sends it. The bridge makes a `LinkError` of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LinkFailure {
    /// The mistake.
    pub cause: LinkMistake,
}

/// A callback of the host page, with its argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Callback {
    /// Linking an account started.
    #[serde(rename = "onAccountCreated")]
    AccountCreated(AccountSubject),
    /// An account was linked.
    #[serde(rename = "onAccountConnected")]
    AccountConnected(AccountSubject),
    /// The user revoked access to an account.
    #[serde(rename = "onAccountRemoved")]
    AccountRemoved(AccountSubject),
    /// Linking an account failed.
    #[serde(rename = "onAccountError")]
    AccountError(AccountErrorSubject),
    /// The link token or the session expired. If the callback returns a token, or a promise of one, the widget
    /// continues in place.
    #[serde(rename = "onTokenExpired")]
    TokenExpired {},
    /// The widget closed.
    #[serde(rename = "onClose")]
    Close(Closed),
    /// Documents were uploaded.
    #[serde(rename = "onUploadsCreated")]
    UploadsCreated(UploadsSubject),
    /// Documents were removed.
    #[serde(rename = "onUploadsRemoved")]
    UploadsRemoved(UploadsSubject),
    /// A UI event occurred.
    #[serde(rename = "onUIEvent")]
    UiEvent(UiEvent),
    /// A mistake of the tenant's page, which the person cannot correct.
    #[serde(rename = "error")]
    Error(LinkFailure),
}

/// The only window message. The bridge posts it once, to the frame's exact origin, with a `MessagePort`. The frame posts
/// it to the bridge, without a port, to ask for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Greeting {
    /// Protocol that the bridge speaks: `p1`.
    pub linchpin: String,
}

/// Message from the frame to the host page, sent over the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FrameMessage {
    /// The frame accepted the greeting.
    Hello {
        /// Protocol that the frame speaks.
        protocol: String,
        /// Version of the frame's build.
        build: String,
    },
    /// The first screen is visible.
    Ready {},
    /// Requests a callback. The bridge calls it once per key during the lifetime of the `LinkModal`.
    Tell {
        /// `attempt/kind/subject` for account callbacks; `opening/kind/number` for all others.
        key: String,
        /// Callback to call, with its argument.
        callback: Callback,
    },
    /// The person left the widget. The frame can be removed.
    Close(Closed),
    /// The widget cannot continue.
    Failed {
        /// Reason for the failure.
        cause: LoadFailure,
        /// Description of the failure for developers. It contains no personal data.
        detail: String,
        /// The frame shows the failure, and a button that tries again: the bridge must keep the frame. A bridge that
        /// does not know this field shows the failure itself, in a new frame.
        shown: Option<bool>,
    },
}

/// Message from the host page to the frame, sent over the port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum HostMessage {
    /// Opens the widget.
    Open {
        /// Options set by the page.
        options: WidgetOptions,
        /// Link token.
        token: String,
    },
    /// Continues with a new link token.
    SetToken {
        /// Link token.
        token: String,
    },
    /// Changes the language.
    SetLocale {
        /// Language, as a BCP 47 tag.
        locale: String,
    },
    /// Confirms that the callback with this key was called.
    Told {
        /// Key of the `Tell` message.
        key: String,
    },
    /// The person pressed Escape, went back, or clicked outside the dialog. The widget asks for confirmation if
    /// progress would be lost.
    CloseRequested {},
    /// The on-screen keyboard covers the bottom of the frame.
    Inset {
        /// Covered height in CSS pixels.
        bottom: u16,
    },
}
