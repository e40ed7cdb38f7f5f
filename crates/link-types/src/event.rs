//! Webhook events (interface: "Events"). The `data` of each type has exactly the fields of the interface's table.

mod data_point;
mod kind;
mod person;
mod record;
#[cfg(feature = "schema")]
mod schema;
mod task;

pub use data_point::{
    DataPointsAdded, DataPointsUpdated, IdentityAdded, InsightAdded, LinkAdded, RatingAdded,
};
pub use kind::EventType;
pub use person::{
    AccountChanged, AccountConnected, AccountDisconnected, AccountFailed, ArchiveChanged, ArchiveFailed,
    ArchiveRevoked, InviteChanged, LinkSessionChanged, UserCreated,
};
pub use record::WebhookDisabled;
pub use record::{RecordChanged, VerificationChanged};
#[cfg(feature = "schema")]
pub use schema::schema_name;
pub use task::{AccountSyncTaskFinished, EventPayload, TaskFinished, TaskStarted};

use serde::Serialize;

use crate::{id::EventId, time::Timestamp};

/// Events of an environment in the order in which they occur.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventFeed {
    /// Events since the cursor, oldest first.
    pub items: Vec<Event>,
    /// Value to pass as `cursor` to get the events that follow. Never null.
    pub next_cursor: String,
}

/// `data` of an event. On the wire it carries no tag and follows `type`; [`Event`] keeps the two consistent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
#[expect(
    missing_docs,
    reason = "each variant is the event of its name, documented at EventType and at its data"
)]
pub enum EventData {
    UserCreated(UserCreated),
    TaskStarted(TaskStarted),
    TaskFinished(TaskFinished),
    AccountCreated(AccountChanged),
    AccountConnected(AccountConnected),
    AccountDisconnected(AccountDisconnected),
    AccountFailed(AccountFailed),
    AccountSyncTaskFinished(AccountSyncTaskFinished),
    ArchiveStarted(ArchiveChanged),
    ArchiveAnalyzed(ArchiveChanged),
    ArchiveRevoked(ArchiveRevoked),
    ArchiveFailed(ArchiveFailed),
    InviteInvited(InviteChanged),
    InviteLinked(InviteChanged),
    LinkSessionCompleted(LinkSessionChanged),
    LinkSessionClosed(LinkSessionChanged),
    LinkSessionExpired(LinkSessionChanged),
    IdentityAdded(IdentityAdded),
    RatingAdded(RatingAdded),
    DataPointsAdded(DataPointsAdded),
    InsightAdded(InsightAdded),
    LinkAdded(LinkAdded),
    DataPointsUpdated(DataPointsUpdated),
    RecordCreated(RecordChanged),
    RecordCompleted(RecordChanged),
    VerificationStarted(VerificationChanged),
    VerificationCompleted(VerificationChanged),
    WebhookDisabled(WebhookDisabled),
}

impl EventData {
    /// Returns the event type that matches this data.
    pub const fn event_type(&self) -> EventType {
        match self {
            Self::UserCreated(_) => EventType::UserCreated,
            Self::TaskStarted(_) => EventType::TaskStarted,
            Self::TaskFinished(_) => EventType::TaskFinished,
            Self::AccountCreated(_) => EventType::AccountCreated,
            Self::AccountConnected(_) => EventType::AccountConnected,
            Self::AccountDisconnected(_) => EventType::AccountDisconnected,
            Self::AccountFailed(_) => EventType::AccountFailed,
            Self::AccountSyncTaskFinished(_) => EventType::AccountSyncTaskFinished,
            Self::ArchiveStarted(_) => EventType::ArchiveStarted,
            Self::ArchiveAnalyzed(_) => EventType::ArchiveAnalyzed,
            Self::ArchiveRevoked(_) => EventType::ArchiveRevoked,
            Self::ArchiveFailed(_) => EventType::ArchiveFailed,
            Self::InviteInvited(_) => EventType::InviteInvited,
            Self::InviteLinked(_) => EventType::InviteLinked,
            Self::LinkSessionCompleted(_) => EventType::LinkSessionCompleted,
            Self::LinkSessionClosed(_) => EventType::LinkSessionClosed,
            Self::LinkSessionExpired(_) => EventType::LinkSessionExpired,
            Self::IdentityAdded(_) => EventType::IdentityAdded,
            Self::RatingAdded(_) => EventType::RatingAdded,
            Self::DataPointsAdded(it) => it.event_type,
            Self::InsightAdded(_) => EventType::InsightAdded,
            Self::LinkAdded(_) => EventType::LinkAdded,
            Self::DataPointsUpdated(it) => it.event_type,
            Self::RecordCreated(_) => EventType::RecordCreated,
            Self::RecordCompleted(_) => EventType::RecordCompleted,
            Self::VerificationStarted(_) => EventType::VerificationStarted,
            Self::VerificationCompleted(_) => EventType::VerificationCompleted,
            Self::WebhookDisabled(_) => EventType::WebhookDisabled,
        }
    }
}

/// Envelope of a webhook event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Unique identifier of the event. It is the same in every delivery of the event.
    pub id: EventId,
    /// Version of the envelope. Always 1.
    pub version: u8,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// Time at which the event occurred.
    pub created_at: Timestamp,
    /// Data of the event. Its shape depends on `type`.
    pub data: EventData,
}

impl Event {
    /// Wraps data in an envelope of the matching type.
    pub const fn new(id: EventId, created_at: Timestamp, data: EventData) -> Self {
        Self { id, version: 1, event_type: data.event_type(), created_at, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::UserId;

    #[test]
    fn event_serializes_as_the_documented_envelope() {
        let user_id: UserId = "demo-0192f0c1a2b37c4d8e5f60718293a4b5".parse().unwrap();
        let event = Event::new(
            EventId::from_bytes([1; 16]),
            Timestamp::from_micros(0),
            EventData::UserCreated(UserCreated { user_id: user_id.clone() }),
        );
        assert_eq!(
            serde_json::to_value(&event).unwrap(),
            serde_json::json!({
                "id": format!("et-{}", "01".repeat(16)), "version": 1, "type": "USER_CREATED",
                "createdAt": "1970-01-01T00:00:00.000Z", "data": { "userId": user_id },
            })
        );
    }

    #[test]
    fn default_event_payload_is_an_empty_object() {
        assert_eq!(serde_json::to_string(&EventPayload::default()).unwrap(), "{}");
    }
}
