//! People as support sees them in the portal: status and times, without sealed data.

use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::archive::{ArchiveErrorCode, ArchiveStatus};
use crate::event::EventType;
use crate::host::UiEventName;
use crate::id::{ArchiveId, DeliveryId, EventId, InviteId, LinkSessionId, UserId, WebhookId};
use crate::invite::{InviteMailError, InviteStatus};
use crate::time::Timestamp;
use crate::webhook::DeliveryStatus;

/// The maximum number of people that a search returns.
pub const MAX_FOUND: usize = 20;
/// The maximum number of entries of each kind in a timeline, and of items in a list of a person.
pub const MAX_ENTRIES: usize = 100;

words! {
    /// The property by which a search found a person.
    FoundBy {
        /// The id of the user.
        User = "USER",
        /// The tenant's reference.
        Reference = "REFERENCE",
        /// The id of an account, an archive or an invitation.
        Subject = "SUBJECT",
        /// The e-mail address of an invitation.
        Address = "ADDRESS",
    }
}

/// A person that a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundPerson {
    /// Identifier of the user.
    pub id: UserId,
    /// The tenant's own identifier for the user.
    pub reference: Option<String>,
    /// When the user was created.
    pub created_at: Timestamp,
    /// The property that the search found.
    pub found_by: FoundBy,
}

/// A person with everything that support may see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// Identifier of the user.
    pub id: UserId,
    /// The tenant's own identifier for the user.
    pub reference: Option<String>,
    /// When the user was created.
    pub created_at: Timestamp,
    /// Accounts, newest first.
    pub accounts: Vec<Account>,
    /// Archives, newest first.
    pub archives: Vec<PersonArchive>,
    /// Invitations, newest first.
    pub invites: Vec<PersonInvite>,
    /// Everything that happened, newest first.
    pub timeline: Vec<TimelineEntry>,
    /// Whether older entries of the timeline or of a list are left out.
    pub has_more: bool,
}

/// An archive, without its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonArchive {
    /// Identifier of the archive.
    pub id: ArchiveId,
    /// Processing status.
    pub status: ArchiveStatus,
    /// Reason for the failure.
    pub error_code: Option<ArchiveErrorCode>,
    /// When the archive was created.
    pub created_at: Timestamp,
}

/// An invitation, without its recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonInvite {
    /// Identifier of the invitation.
    pub id: InviteId,
    /// Status of the invitation.
    pub status: InviteStatus,
    /// Reason why the last mail was not handed over to a mail server.
    pub mail_error: Option<InviteMailError>,
    /// When the invitation was created.
    pub created_at: Timestamp,
}

/// Something that happened to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// When it happened.
    pub at: Timestamp,
    /// The kind of entry, with its data.
    pub what: Happening,
}

/// The kinds of entries of a timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum Happening {
    /// A session of the widget started.
    Session {
        /// Identifier of the session.
        id: LinkSessionId,
        /// When it was last used.
        last_used_at: Timestamp,
    },
    /// The widget reported a step.
    Step {
        /// The step.
        name: UiEventName,
        /// Identifier of the account or archive that it is about.
        subject_id: Option<String>,
    },
    /// An event was emitted.
    Event {
        /// Identifier of the event.
        id: EventId,
        /// Type of the event.
        event_type: EventType,
        /// Identifier of its account, archive, invitation, record or user.
        subject_id: String,
        /// Its deliveries.
        deliveries: Vec<PersonDelivery>,
    },
}

/// A delivery of an event to a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonDelivery {
    /// Identifier of the delivery.
    pub id: DeliveryId,
    /// Webhook that gets the event.
    pub webhook_id: WebhookId,
    /// Status.
    pub status: DeliveryStatus,
    /// Number of attempts so far.
    pub attempts: u32,
}
