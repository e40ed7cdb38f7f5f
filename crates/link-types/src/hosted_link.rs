//! Hosted links: one-time addresses that open the widget on a page of the service (ADR 244).

use serde::{Deserialize, Serialize};

use crate::{
    host::UiEventName,
    id::{AccountId, ArchiveId, HostedLinkId, LinkSiteSessionId, LinkTemplateId, UserId},
    time::Timestamp,
};

words! {
    /// Status of a hosted link.
    HostedLinkStatus {
        /// The address was not opened yet.
        Created = "CREATED",
        /// A person opened the address. They can continue in the same browser.
        Opened = "OPENED",
        /// The person linked an account or uploaded documents.
        Completed = "COMPLETED",
        /// The person left before that. They can come back in the same browser, and complete the link.
        Closed = "CLOSED",
        /// The address was not opened in time, or the person did not come to an end within 5 hours.
        Expired = "EXPIRED",
    }
}

/// A hosted link that was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreatedHostedLink {
    /// Unique identifier of the hosted link, with the prefix `hl-`.
    pub id: HostedLinkId,
    /// Address to open in the person's browser. It is a secret, works for one browser, and is not shown again.
    #[cfg_attr(feature = "schema", schema(example = "https://link.example.com/l/5f6c…"))]
    pub url: String,
    /// Time until which the address can be opened.
    pub expires_at: Timestamp,
    /// User who will own the account.
    pub user_id: UserId,
}

/// A hosted link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct HostedLink {
    /// Unique identifier of the hosted link, with the prefix `hl-`.
    pub id: HostedLinkId,
    /// Time at which the hosted link was created.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Time until which the address can be opened.
    pub expires_at: Timestamp,
    /// User who owns the accounts and archives.
    pub user_id: UserId,
    /// Link template that configures the widget.
    pub template_id: LinkTemplateId,
    /// Status of the hosted link.
    pub status: HostedLinkStatus,
    /// Address to which the person returns. Null if they stay on the page.
    pub redirect_url: Option<String>,
    /// Language of the page, as a BCP 47 tag. Null if the person's browser chooses it.
    pub locale: Option<String>,
    /// Whether an app opens the address, so that the page begins at once.
    pub is_mobile_app: bool,
    /// Time at which the address was opened. Null before.
    pub opened_at: Option<Timestamp>,
    /// Time at which the status became COMPLETED, CLOSED or EXPIRED. Null before.
    pub ended_at: Option<Timestamp>,
    /// Visit of the page: the `linkSiteSessionId` of what was made in it. Null before the address was opened.
    pub link_site_session_id: Option<LinkSiteSessionId>,
    /// Accounts that were made on the page, newest first, at most 100.
    pub accounts: Vec<AccountId>,
    /// Archives that were submitted on the page, newest first, at most 100.
    pub archives: Vec<ArchiveId>,
    /// Last page of the widget that opened, as in `onClose`. Null before the first.
    pub last_page: Option<UiEventName>,
}
