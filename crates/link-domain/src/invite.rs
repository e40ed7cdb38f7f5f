//! An invitation: from the mail to the linked account, and the visit of the hosted pages that it opens.

mod template;
mod transition;
mod view;
mod visit;

#[cfg(test)]
mod tests;

pub use template::{InviteTemplate, VariableFault, Variables, variable_faults};
pub use view::landing_address;
pub use visit::{VISIT_LIFE, Visit};

use std::time::Duration;

use link_types::Sensitive;
use link_types::id::{InviteId, InviteTemplateId, LinkTemplateId, UserId};
use link_types::invite::{InviteLog, InviteMailError, InviteStatus};
use serde::{Deserialize, Serialize};

use crate::change::ErasureScope;
use crate::clock::TenantTime;
use crate::digest::Digest32;
use crate::owner::Owner;
use crate::sealed;

/// How long the link in a mail is good for, from the last time one was asked for.
pub const LINK_LIFE: Duration = Duration::from_secs(30 * 86_400);
/// How long an invitation is kept after its end: linked, revoked, or the link's time over.
pub const INVITE_RETENTION: Duration = Duration::from_secs(60 * 86_400);
/// Mails of one invitation at most: whoever needs more is invited anew.
pub const MAILS_AT_MOST: u32 = 20;
/// How long the invited person waits before asking for another mail.
pub const RESEND_WAIT: Duration = Duration::from_secs(60);

/// An invitation. `details` are sealed with the invitation's own key; the rest stands in the row in clear.
#[derive(Clone, Debug, PartialEq)]
pub struct Invite {
    /// The id; it is the name of the invitation's erasure scope too.
    pub id: InviteId,
    /// Whose.
    pub owner: Owner,
    /// Whose account it will be.
    pub user_id: UserId,
    /// The texts.
    pub invite_template_id: InviteTemplateId,
    /// How the widget behaves.
    pub link_template_id: LinkTemplateId,
    /// When it was made.
    pub created_at: TenantTime,
    /// When it last changed.
    pub updated_at: TenantTime,
    /// Grows with every change.
    pub version: u32,
    /// How many events there have been of it: their order.
    pub event_count: u64,
    /// How far it has come.
    pub progress: InviteProgress,
    /// Who is invited, and by which secrets; null once it is revoked.
    pub details: Option<InviteDetails>,
}

/// How far an invitation has come. Nothing of it is personal; stored in clear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InviteProgress {
    /// How far.
    pub status: InviteStatus,
    /// When the last mail was asked for.
    pub asked_at: TenantTime,
    /// Mails asked for so far.
    pub mails: u32,
    /// When the last mail was handed over.
    pub invited_at: Option<TenantTime>,
    /// Why the last mail was not handed over.
    pub mail_error: Option<InviteMailError>,
    /// Whether the link in the last mail was used.
    pub link_used: bool,
    /// When an account was linked.
    pub linked_at: Option<TenantTime>,
    /// When it was withdrawn.
    pub revoked_at: Option<TenantTime>,
    /// Its steps, oldest first.
    pub logs: Vec<InviteLog>,
    /// The last mail that was counted against the limits, by its number.
    #[serde(default)]
    pub counted_mail: u32,
}

/// Who is invited, and by which secrets. Its one serialised form is a sealed body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InviteDetails {
    /// As the texts name the person.
    #[serde(with = "sealed")]
    pub full_name: Sensitive,
    /// Given names.
    #[serde(with = "sealed::option")]
    pub first_name: Option<Sensitive>,
    /// Family names.
    #[serde(with = "sealed::option")]
    pub last_name: Option<Sensitive>,
    /// Where the mail goes.
    #[serde(with = "sealed")]
    pub email_address: Sensitive,
    /// The one-time code of the link.
    #[serde(with = "sealed")]
    pub code: Sensitive,
    /// The name of the mail's invisible picture: it proves nothing but that the mail was opened.
    #[serde(with = "sealed")]
    pub pixel: Sensitive,
}

/// Whom to invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvite {
    /// Whose invitation it will be.
    pub owner: Owner,
    /// Whose account it will be.
    pub user_id: UserId,
    /// The texts.
    pub invite_template_id: InviteTemplateId,
    /// How the widget behaves.
    pub link_template_id: LinkTemplateId,
    /// As the texts name the person.
    pub full_name: Sensitive,
    /// Given names.
    pub first_name: Option<Sensitive>,
    /// Family names.
    pub last_name: Option<Sensitive>,
    /// Where the mail goes.
    pub email_address: Sensitive,
}

/// Who asks for another mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// The tenant.
    Tenant,
    /// The person, on the landing page.
    Person,
}

/// Something that happens to an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteInput {
    /// A mail was handed over to a server.
    MailHandedOver {
        /// Its number, from 1.
        mail: u32,
    },
    /// A mail counts against the limits of mail.
    MailCounted {
        /// Its number, from 1.
        mail: u32,
    },
    /// A mail was kept, since the sandbox may not mail its address.
    MailKept {
        /// Its number, from 1.
        mail: u32,
    },
    /// A mail will not be handed over, or not today.
    MailFailed {
        /// Its number, from 1.
        mail: u32,
        /// Why.
        error: InviteMailError,
    },
    /// The mail's picture was fetched.
    MailOpened,
    /// The landing page was opened.
    LandingOpened,
    /// The link's code is exchanged for a visit.
    Enter,
    /// The widget was opened during a visit.
    WidgetOpened,
    /// An account was linked during a visit.
    Linked,
    /// Another mail is asked for.
    Resend(AskedBy),
    /// The tenant withdraws it.
    Revoke,
    /// Its time may be over.
    Expire,
}

/// Why an input does not apply to the invitation as it stands. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InviteRefused {
    /// It was withdrawn.
    #[error("the invitation was revoked")]
    Revoked,
    /// An account was linked.
    #[error("the invitation has ended: an account was linked")]
    Linked,
    /// The link was used.
    #[error("the link was used already")]
    LinkUsed,
    /// The link's time is over.
    #[error("the link's time is over")]
    LinkLapsed,
    /// So many mails went out already that no more are sent: [`MAILS_AT_MOST`].
    #[error("no more mails are sent for this invitation")]
    MailsSpent,
    /// A newer mail was asked for.
    #[error("another mail was asked for since")]
    StaleMail,
    /// The last mail was asked for a moment ago.
    #[error("another mail can be asked for later")]
    TooEarly {
        /// How much later.
        wait: Duration,
    },
    /// The moment for it has not come.
    #[error("the moment for it has not come")]
    NotDue {
        /// When it comes.
        due_at: TenantTime,
    },
}

impl Invite {
    /// What erasing it erases.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Invite(self.id.clone())
    }

    /// The moment from which nothing of it is kept: the day its key is wrapped for.
    pub fn data_ends_at(&self) -> TenantTime {
        let progress = &self.progress;
        let ended = progress.revoked_at.or(progress.linked_at);
        ended.unwrap_or(progress.asked_at + LINK_LIFE) + INVITE_RETENTION
    }

    /// Whether a mail is still owed: the newest one, while its link works.
    pub fn owes_mail(&self, number: u32, now: TenantTime) -> bool {
        let progress = &self.progress;
        progress.mails == number
            && progress.status != InviteStatus::Linked
            && now < progress.asked_at + LINK_LIFE
    }

    /// The digest by which the store finds it from the link's code, used or not: whoever comes with a used one is told
    /// so. Null once the invitation is revoked.
    pub fn code_hash(&self) -> Option<Digest32> {
        self.details.as_ref().map(|details| Digest32::of(details.code.expose()))
    }

    /// The digest by which the store finds it from the picture's name.
    pub fn pixel_hash(&self) -> Option<Digest32> {
        self.details.as_ref().map(|details| Digest32::of(details.pixel.expose()))
    }
}
