//! Invitations (interface: "Invitations"; `resources.md`: Invite).

use serde::{Deserialize, Serialize};

use crate::{
    id::{InviteId, InviteTemplateId, LinkTemplateId, UserId},
    time::Timestamp,
};

words! {
    /// How far an invitation has come. It only moves forward; LINKED and REVOKED are its ends.
    InviteStatus {
        /// It is to be sent, or was.
        Invited = "INVITED",
        /// The mail was opened, as far as its reader's program tells.
        EmailOpened = "EMAIL_OPENED",
        /// The landing page was opened.
        LandingPageOpened = "LANDING_PAGE_OPENED",
        /// The widget was opened on the landing page.
        WidgetOpened = "WIDGET_OPENED",
        /// The person linked an account.
        Linked = "LINKED",
        /// It was withdrawn; who was invited is erased.
        Revoked = "REVOKED",
    }
}

words! {
    /// Why an invitation's mail was not handed over.
    InviteMailError {
        /// The mail server refused the message or its address for good.
        Refused = "REFUSED",
        /// No mail server took it, however often it was tried.
        Unavailable = "UNAVAILABLE",
        /// The address gets no mail: it bounced, or the person asked for that.
        Suppressed = "SUPPRESSED",
        /// A daily limit of mails is reached: the mail goes out on another day, while its link works.
        Limited = "LIMITED",
        /// The sandbox may not mail the address: the mail was kept instead.
        Unverified = "UNVERIFIED",
    }
}

/// One step of an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct InviteLog {
    /// What it came to. INVITED stands here once for each mail that was handed over.
    pub status: InviteStatus,
    /// When.
    pub at: Timestamp,
}

/// An invitation. Names, address and link are null once it is revoked.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Invite {
    /// Prefix `iv-`.
    pub id: InviteId,
    /// Creation.
    pub created_at: Timestamp,
    /// Whom it is for, as the texts name them.
    pub full_name: Option<String>,
    /// Given names.
    pub first_name: Option<String>,
    /// Family names.
    pub last_name: Option<String>,
    /// Where the mail goes.
    pub email_address: Option<String>,
    /// The texts.
    pub invite_template_id: InviteTemplateId,
    /// How the widget behaves, and the form that is asked first.
    pub link_template_id: LinkTemplateId,
    /// Whose account it will be.
    pub user_id: UserId,
    /// How far it has come.
    pub status: InviteStatus,
    /// When the last mail was handed over; null before the first was.
    pub invited_at: Option<Timestamp>,
    /// When an account was linked.
    pub linked_at: Option<Timestamp>,
    /// Last change.
    pub updated_at: Timestamp,
    /// The link in the mail, with its one-time code; null once it is used up or over.
    pub landing_page_url: Option<String>,
    /// Why the last mail was not handed over to a mail server; null when it was, or still may be.
    pub mail_error: Option<InviteMailError>,
    /// Its steps, oldest first.
    pub logs: Vec<InviteLog>,
}

impl core::fmt::Debug for Invite {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Invite").field("id", &self.id).field("status", &self.status).finish_non_exhaustive()
    }
}
