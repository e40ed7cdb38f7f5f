//! Webhook events (interface: "Events"). Each type's `data` has exactly the fields of the interface's table.

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
    AccountChanged, AccountConnected, AccountFailed, ArchiveChanged, ArchiveFailed, InviteChanged,
    UserCreated,
};
pub use record::{RecordChanged, VerificationChanged};
pub use task::{AccountSyncTaskFinished, EventPayload, TaskFinished, TaskFinishedDataPoint, TaskStarted};

use serde::Serialize;

use crate::{id::EventId, time::Timestamp};

/// The `data` of an event. On the wire it stands bare beside `type`; [`Event`] keeps the two together.
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
    AccountDisconnected(AccountChanged),
    AccountFailed(AccountFailed),
    AccountSyncTaskFinished(AccountSyncTaskFinished),
    ArchiveStarted(ArchiveChanged),
    ArchiveAnalyzed(ArchiveChanged),
    ArchiveRevoked(ArchiveChanged),
    ArchiveFailed(ArchiveFailed),
    InviteInvited(InviteChanged),
    InviteLinked(InviteChanged),
    IdentityAdded(IdentityAdded),
    RatingAdded(RatingAdded),
    TransactionsAdded(DataPointsAdded),
    DocumentsAdded(DataPointsAdded),
    EmploymentsAdded(DataPointsAdded),
    IncomesAdded(DataPointsAdded),
    ContributionsAdded(DataPointsAdded),
    LiabilitiesAdded(DataPointsAdded),
    EincomesAdded(DataPointsAdded),
    InsightAdded(InsightAdded),
    LinkAdded(LinkAdded),
    DocumentsUpdated(DataPointsUpdated),
    EmploymentsUpdated(DataPointsUpdated),
    IncomesUpdated(DataPointsUpdated),
    EincomesUpdated(DataPointsUpdated),
    ContributionsUpdated(DataPointsUpdated),
    LiabilitiesUpdated(DataPointsUpdated),
    RecordCreated(RecordChanged),
    RecordCompleted(RecordChanged),
    VerificationStarted(VerificationChanged),
    VerificationCompleted(VerificationChanged),
}

impl EventData {
    /// The type that stands beside this data.
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
            Self::IdentityAdded(_) => EventType::IdentityAdded,
            Self::RatingAdded(_) => EventType::RatingAdded,
            Self::TransactionsAdded(_) => EventType::TransactionsAdded,
            Self::DocumentsAdded(_) => EventType::DocumentsAdded,
            Self::EmploymentsAdded(_) => EventType::EmploymentsAdded,
            Self::IncomesAdded(_) => EventType::IncomesAdded,
            Self::ContributionsAdded(_) => EventType::ContributionsAdded,
            Self::LiabilitiesAdded(_) => EventType::LiabilitiesAdded,
            Self::EincomesAdded(_) => EventType::EincomesAdded,
            Self::InsightAdded(_) => EventType::InsightAdded,
            Self::LinkAdded(_) => EventType::LinkAdded,
            Self::DocumentsUpdated(_) => EventType::DocumentsUpdated,
            Self::EmploymentsUpdated(_) => EventType::EmploymentsUpdated,
            Self::IncomesUpdated(_) => EventType::IncomesUpdated,
            Self::EincomesUpdated(_) => EventType::EincomesUpdated,
            Self::ContributionsUpdated(_) => EventType::ContributionsUpdated,
            Self::LiabilitiesUpdated(_) => EventType::LiabilitiesUpdated,
            Self::RecordCreated(_) => EventType::RecordCreated,
            Self::RecordCompleted(_) => EventType::RecordCompleted,
            Self::VerificationStarted(_) => EventType::VerificationStarted,
            Self::VerificationCompleted(_) => EventType::VerificationCompleted,
        }
    }
}

/// The envelope of a delivery: `id`, `version`, `type`, `createdAt`, `data`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Unique per event; the same in every delivery of it.
    pub id: EventId,
    /// Always 1.
    pub version: u8,
    /// The type.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// When it happened.
    pub created_at: Timestamp,
    /// What happened.
    pub data: EventData,
}

impl Event {
    /// An envelope around data; the type follows from it.
    pub const fn new(id: EventId, created_at: Timestamp, data: EventData) -> Self {
        Self { id, version: 1, event_type: data.event_type(), created_at, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::UserId;

    #[test]
    fn an_event_is_the_interface_envelope() {
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
    fn an_event_without_payload_has_an_empty_object() {
        assert_eq!(serde_json::to_string(&EventPayload::default()).unwrap(), "{}");
    }
}
