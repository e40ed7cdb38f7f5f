//! Invitations (interface: "Invitations"; `resources.md`: Invite).

use serde::{Deserialize, Serialize};

use crate::{
    id::{InviteId, InviteTemplateId, LinkSiteId, LinkSiteSessionId, LinkTemplateId, UserId},
    time::Timestamp,
};

words! {
    /// Status of an invitation. It only moves forward; LINKED and REVOKED are final.
    InviteStatus {
        /// The mail was sent or is waiting to be sent.
        Invited = "INVITED",
        /// The mail was opened. Not every mail program reports this.
        EmailOpened = "EMAIL_OPENED",
        /// The person opened the landing page.
        LandingPageOpened = "LANDING_PAGE_OPENED",
        /// The person opened the widget on the landing page.
        WidgetOpened = "WIDGET_OPENED",
        /// The person uploaded documents.
        Uploaded = "UPLOADED",
        /// The person linked an account.
        Linked = "LINKED",
        /// The invitation was revoked, and the recipient's personal data was erased.
        Revoked = "REVOKED",
    }
}

words! {
    /// Reason why an invitation's mail was not handed over to a mail server.
    InviteMailError {
        /// The mail server permanently rejected the message or its address.
        Refused = "REFUSED",
        /// No mail server accepted the message, and all retries are used up.
        Unavailable = "UNAVAILABLE",
        /// The address is suppressed: a mail bounced, or the person opted out.
        Suppressed = "SUPPRESSED",
        /// A daily mail limit is reached. The mail is sent on a later day if its link is still valid.
        Limited = "LIMITED",
        /// The sandbox must not mail this address. The mail was stored instead of sent.
        Unverified = "UNVERIFIED",
        /// The service has no mail server, so production sends no mail. A retry changes nothing until it has one.
        NoMailServer = "NO_MAIL_SERVER",
    }
}

impl InviteMailError {
    /// Describes the reason in words, for `mailErrorMessage`.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Refused => "the mail server rejected the address or the mail",
            Self::Unavailable => "no mail server accepted the mail, and all retries are used up",
            Self::Suppressed => "the address is suppressed: a mail bounced, or the person opted out",
            Self::Limited => "a daily mail limit is reached: the mail is sent on a later day",
            Self::Unverified => "the sandbox must not mail this address: the mail was stored instead",
            Self::NoMailServer => {
                "the service has no mail server: ask its operator to configure one and resend, or pass \
                 landingPageUrl on yourself"
            }
        }
    }
}

/// An entry in the history of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteLog {
    /// Status that the invitation reached. INVITED appears once for each mail that was handed over.
    pub status: InviteStatus,
    /// Time of the change.
    pub at: Timestamp,
}

/// An invitation to link an account or to upload documents. Names, address, language and link are null after it is
/// revoked.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Invite {
    /// Unique identifier of the invitation, with the prefix `iv-`.
    pub id: InviteId,
    /// Time at which the invitation was created.
    pub created_at: Timestamp,
    /// Name of the recipient, as used in texts.
    pub full_name: Option<String>,
    /// Given names.
    pub first_name: Option<String>,
    /// Family names.
    pub last_name: Option<String>,
    /// Address that the mail is sent to.
    pub email_address: Option<String>,
    /// Language of the mail and the pages, as a BCP 47 tag. Null if the person's browser and the templates choose it.
    pub locale: Option<String>,
    /// Invite template with the texts.
    pub invite_template_id: InviteTemplateId,
    /// Link template that configures the widget and the form shown before it.
    pub link_template_id: LinkTemplateId,
    /// Link site whose steps the person does. Null for the form and the widget of the link template.
    pub link_site_id: Option<LinkSiteId>,
    /// User who will own the account.
    pub user_id: UserId,
    /// Status of the invitation.
    pub status: InviteStatus,
    /// Time at which the last mail was handed over to a mail server. Null until the first is.
    pub invited_at: Option<Timestamp>,
    /// Time at which an account was linked.
    pub linked_at: Option<Timestamp>,
    /// Time at which documents were uploaded. Null again after another mail was requested.
    pub uploaded_at: Option<Timestamp>,
    /// Newest visit of the hosted pages with this invitation: the `linkSiteSessionId` of what was made in it. Null before
    /// the first.
    pub link_site_session_id: Option<LinkSiteSessionId>,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Link in the mail, including its one-time code. Null after the link is used up or has expired.
    pub landing_page_url: Option<String>,
    /// Reason why the last mail was not handed over to a mail server. Null if it was, or if a retry is pending.
    pub mail_error: Option<InviteMailError>,
    /// Human-readable description of `mailError`. Null if `mailError` is.
    pub mail_error_message: Option<String>,
    /// History of the invitation, oldest entry first.
    pub logs: Vec<InviteLog>,
}

impl core::fmt::Debug for Invite {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Invite").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}
