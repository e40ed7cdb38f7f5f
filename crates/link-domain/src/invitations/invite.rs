//! An invitation, from the mail to the linked account.

use std::time::Duration;

use link_types::Sensitive;
use link_types::id::{InviteId, InviteTemplateId, LinkSiteId, LinkSiteSessionId, LinkTemplateId, UserId};
use link_types::invite;
use link_types::invite::{InviteLog, InviteMailError, InviteStatus};
use serde::{Deserialize, Serialize};
pub use template::{InviteTemplate, InviteTexts, VariableError, Variables, texts_for, variable_faults};

use crate::kernel::clock::TenantTime;
use crate::kernel::digest::Digest32;
use crate::kernel::languages::Languages;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::kernel::sealed;

mod template;
mod transition;

#[cfg(test)]
mod tests;

/// How long the link in a mail is valid, from the last request for a mail: 30 days.
pub const LINK_LIFE: Duration = Duration::from_secs(30 * 86_400);
/// How long an invitation is kept after its end (linked, uploaded, revoked, or the link expired): 60 days.
pub const INVITE_RETENTION: Duration = Duration::from_secs(60 * 86_400);
/// Maximum number of mails per invitation. For more, the tenant creates a new invitation.
pub const MAX_MAILS: u32 = 20;
/// How long the recipient must wait before requesting another mail: 60 seconds.
pub const RESEND_WAIT: Duration = Duration::from_secs(60);

/// An invitation. `details` are encrypted with the invitation's own key; all other columns are stored unencrypted.
#[derive(Clone, Debug, PartialEq)]
pub struct Invite {
    /// Identifier of the invitation, and the name of its erasure scope.
    pub id: InviteId,
    /// Tenant and environment of the invitation.
    pub owner: Owner,
    /// User who will own the account.
    pub user_id: UserId,
    /// Invite template with the texts.
    pub invite_template_id: InviteTemplateId,
    /// Link template that configures the widget.
    pub link_template_id: LinkTemplateId,
    /// When the invitation was created.
    pub created_at: TenantTime,
    /// When the invitation last changed.
    pub updated_at: TenantTime,
    /// Version number that increases with every change.
    pub version: u32,
    /// Number of events emitted for this invitation. It determines their order.
    pub event_count: u64,
    /// Link site whose steps the person does. `None` for those of the link template.
    pub link_site_id: Option<LinkSiteId>,
    /// Newest visit of the hosted pages with this invitation.
    pub visit_id: Option<LinkSiteSessionId>,
    /// Progress of the invitation.
    pub progress: InviteProgress,
    /// Recipient and secrets. `None` after the invitation is revoked.
    pub details: Option<InviteDetails>,
}

/// Progress of an invitation. It contains no personal data and is stored unencrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InviteProgress {
    /// Status of the invitation.
    pub status: InviteStatus,
    /// When the last mail was requested.
    pub asked_at: TenantTime,
    /// Number of mails requested so far.
    pub mails: u32,
    /// When the last mail was handed over to a mail server.
    pub invited_at: Option<TenantTime>,
    /// Reason why the last mail was not handed over.
    pub mail_error: Option<InviteMailError>,
    /// Whether the link in the last mail was used.
    pub link_used: bool,
    /// When an account was linked.
    pub linked_at: Option<TenantTime>,
    /// When documents were uploaded. `None` again after another mail was requested.
    pub uploaded_at: Option<TenantTime>,
    /// When the invitation was revoked.
    pub revoked_at: Option<TenantTime>,
    /// History of the invitation, oldest entry first.
    pub logs: Vec<InviteLog>,
    /// Number of the last mail that was counted against the mail limits.
    #[serde(default)]
    pub counted_mail: u32,
}

/// Way in which an invitation was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The person linked an account.
    Linked,
    /// The person uploaded documents.
    Uploaded,
}

/// Recipient and secrets of an invitation. They are serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InviteDetails {
    /// Name of the recipient, as used in texts.
    #[serde(with = "sealed")]
    pub full_name: Sensitive,
    /// Given names.
    #[serde(with = "sealed::option")]
    pub first_name: Option<Sensitive>,
    /// Family names.
    #[serde(with = "sealed::option")]
    pub last_name: Option<Sensitive>,
    /// Address that the mail is sent to.
    #[serde(with = "sealed")]
    pub email_address: Sensitive,
    /// Language that the tenant set, as a BCP 47 tag.
    #[serde(default)]
    pub locale: Option<String>,
    /// One-time code of the link.
    #[serde(with = "sealed")]
    pub code: Sensitive,
    /// Name of the mail's tracking pixel. It only shows that the mail was opened.
    #[serde(with = "sealed")]
    pub pixel: Sensitive,
}

/// Recipient and templates of a new invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvite {
    /// Tenant and environment of the invitation.
    pub owner: Owner,
    /// Invite template with the texts.
    pub invite_template_id: InviteTemplateId,
    /// Link template that configures the widget.
    pub link_template_id: LinkTemplateId,
    /// Link site whose steps the person does. It has the same link template.
    pub link_site_id: Option<LinkSiteId>,
    /// Name of the recipient, as used in texts.
    pub full_name: Sensitive,
    /// Given names.
    pub first_name: Option<Sensitive>,
    /// Family names.
    pub last_name: Option<Sensitive>,
    /// Address that the mail is sent to.
    pub email_address: Sensitive,
    /// Language of the mail and the pages, as a BCP 47 tag. `None` if the browser and the templates choose it.
    pub locale: Option<String>,
}

/// Party that requests another mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// The tenant.
    Tenant,
    /// The recipient, on the landing page.
    Person,
}

/// An input to an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteInput {
    /// A mail was handed over to a mail server.
    MailHandedOver {
        /// Number of the mail, starting at 1.
        mail: u32,
    },
    /// A mail counts against the mail limits.
    MailCounted {
        /// Number of the mail, starting at 1.
        mail: u32,
    },
    /// A mail was stored instead of sent, because the sandbox must not mail its address.
    MailKept {
        /// Number of the mail, starting at 1.
        mail: u32,
    },
    /// A mail will not be handed over, or not today.
    MailFailed {
        /// Number of the mail, starting at 1.
        mail: u32,
        /// Reason for the failure.
        error: InviteMailError,
    },
    /// The mail's tracking pixel was fetched.
    MailOpened,
    /// The landing page was opened.
    LandingOpened,
    /// The link's code was exchanged for a visit.
    Enter,
    /// The widget was opened during a visit.
    WidgetOpened,
    /// An account was linked during a visit.
    Linked,
    /// Documents were uploaded during a visit.
    Uploaded,
    /// Another mail was requested.
    Resend(AskedBy),
    /// The tenant revokes the invitation.
    Revoke,
    /// The invitation may have reached the end of its retention.
    Expire,
}

/// Reason why an input is illegal in the invitation's state. The invitation is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteError {
    /// The invitation was revoked.
    #[error("the invitation was revoked")]
    Revoked,
    /// An account was already linked.
    #[error("the invitation has ended: an account was linked")]
    Linked,
    /// Documents were already uploaded. Only the tenant can request another mail.
    #[error("the invitation is complete: documents were uploaded")]
    Uploaded,
    /// The link was already used.
    #[error("the link was already used")]
    LinkUsed,
    /// The link has expired.
    #[error("the link has expired")]
    LinkLapsed,
    /// The maximum number of mails has been sent: [`MAX_MAILS`].
    #[error("the maximum number of mails has been sent for this invitation")]
    MailsSpent,
    /// A newer mail was requested.
    #[error("a newer mail was requested")]
    StaleMail,
    /// The last mail was requested too recently.
    #[error("another mail cannot be requested yet")]
    TooEarly {
        /// Time until another mail can be requested.
        wait: Duration,
    },
    /// The input arrived before it was due.
    #[error("it is too early for this operation")]
    NotDue {
        /// When the input is due.
        due_at: TenantTime,
    },
}

impl Invite {
    /// Returns the invitation's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Invite(self.id.clone())
    }

    /// Returns when the invitation is deleted. Its encryption key is wrapped for that day.
    pub fn data_ends_at(&self) -> TenantTime {
        let progress = &self.progress;
        let ended = progress.revoked_at.or(progress.linked_at).or(progress.uploaded_at);
        ended.unwrap_or(progress.asked_at + LINK_LIFE) + INVITE_RETENTION
    }

    /// Returns what completed the invitation. An upload does so until the tenant requests another mail.
    pub const fn completion(&self) -> Option<Completion> {
        match (self.progress.linked_at, self.progress.uploaded_at) {
            (Some(_), _) => Some(Completion::Linked),
            (None, Some(_)) => Some(Completion::Uploaded),
            (None, None) => None,
        }
    }

    /// Returns whether the link in the last mail has expired.
    pub fn has_lapsed(&self, now: TenantTime) -> bool {
        now >= self.progress.asked_at + LINK_LIFE
    }

    /// Returns whether a mail must still be sent: it is the newest one, and its link is still valid.
    pub fn owes_mail(&self, number: u32, now: TenantTime) -> bool {
        self.progress.mails == number && self.completion().is_none() && !self.has_lapsed(now)
    }

    /// Returns the languages of the person, best first: the invitation's, and then those of the browser.
    pub fn languages(&self, browser: Languages) -> Languages {
        browser.preferring(self.details.as_ref().and_then(|details| details.locale.as_deref()))
    }

    /// Returns the digest that finds the invitation by its link's code. Used codes are included, so that the person
    /// learns that the link was used. `None` after the invitation is revoked.
    pub fn code_hash(&self) -> Option<Digest32> {
        self.details.as_ref().map(|details| Digest32::from_text(details.code.expose()))
    }

    /// Returns the digest that finds the invitation by the name of its tracking pixel.
    pub fn pixel_hash(&self) -> Option<Digest32> {
        self.details.as_ref().map(|details| Digest32::from_text(details.pixel.expose()))
    }

    /// Returns the invitation as REST shows it. `hosted_url` is the base URL of the hosted pages.
    pub fn view(&self, hosted_url: &str) -> invite::Invite {
        let details = self.details.as_ref();
        let of = |pick: fn(&InviteDetails) -> Option<&Sensitive>| {
            details.and_then(pick).map(|text| text.expose().to_owned())
        };
        let progress = &self.progress;
        let is_open = !progress.link_used && self.completion().is_none();
        invite::Invite {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            full_name: of(|it| Some(&it.full_name)),
            first_name: of(|it| it.first_name.as_ref()),
            last_name: of(|it| it.last_name.as_ref()),
            email_address: of(|it| Some(&it.email_address)),
            locale: details.and_then(|it| it.locale.clone()),
            invite_template_id: self.invite_template_id.clone(),
            link_template_id: self.link_template_id.clone(),
            link_site_id: self.link_site_id.clone(),
            user_id: self.user_id.clone(),
            status: progress.status,
            invited_at: progress.invited_at.map(Into::into),
            linked_at: progress.linked_at.map(Into::into),
            uploaded_at: progress.uploaded_at.map(Into::into),
            link_site_session_id: self.visit_id.clone(),
            updated_at: self.updated_at.into(),
            landing_page_url: details.filter(|_| is_open).map(|it| landing_address(hosted_url, &it.code)),
            mail_error: progress.mail_error,
            mail_error_message: progress.mail_error.map(|it| it.message().to_owned()),
            logs: progress.logs.clone(),
        }
    }
}

/// Returns the URL of the link with this code, under the base URL of the hosted pages.
pub fn landing_address(hosted_url: &str, code: &Sensitive) -> String {
    format!("{hosted_url}/invite/{}", code.expose())
}
