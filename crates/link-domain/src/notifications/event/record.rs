//! An event with rendered bodies. They are rendered once, stored as bytes, and sent unchanged.

use link_types::event::{AccountConnected, AccountFailed, AccountSyncTaskFinished};
use link_types::event::{Event, EventData, EventPayload, EventType, RecordChanged, TaskFinished};
use link_types::id::{EventId, UserId};

use crate::data::data_point::json;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::kernel::subject::Subject;

/// An event as the store keeps it.
#[derive(Clone, PartialEq)]
pub struct EventRecord {
    /// Identifier of the event. It is the same in every delivery.
    pub id: EventId,
    /// Tenant and environment of the event.
    pub owner: Owner,
    /// Type of the event.
    pub event_type: EventType,
    /// When the event occurred.
    pub created_at: TenantTime,
    /// Object that the event is about. Deliveries preserve the order of events with the same subject.
    pub subject: Subject,
    /// User that the subject belongs to. `None` if the event's data names no user.
    pub user_id: Option<UserId>,
    /// Position among the subject's events, starting at 1.
    pub sequence: u64,
    /// Envelope without personal fields, unencrypted. For most types it is the whole event. For the others it is what
    /// remains after their source is erased.
    pub open: Vec<u8>,
    /// Envelopes with personal fields. `None` if the event has no personal fields, or if they are erased.
    pub sealed: Option<SealedBodies>,
}

/// Envelopes of an event with personal fields, encrypted with the scope's key.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedBodies {
    /// Erasure scope that the envelopes belong to.
    pub scope: ErasureScope,
    /// Envelope with an empty payload.
    pub plain: Vec<u8>,
    /// Envelope with the payload, for webhooks that request it. `None` if the type has no payload.
    pub with_payload: Option<Vec<u8>>,
}

impl std::fmt::Debug for EventRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventRecord")
            .field("id", &self.id)
            .field("event_type", &self.event_type)
            .field("subject", &self.subject)
            .field("sequence", &self.sequence)
            .finish_non_exhaustive()
    }
}

impl EventRecord {
    /// Creates an event that occurs now. `data` includes the payload, if the type has one.
    pub fn new(
        owner: &Owner,
        subject: Subject,
        sequence: u64,
        data: EventData,
        context: &mut Context,
    ) -> Self {
        let id = EventId::from_bytes(context.uuid());
        let created_at = context.now().tenant();
        let event_type = data.event_type();
        let render = |data: EventData| json(&Event::new(id.clone(), created_at.into(), data));
        let plain = without_payload(data.clone());
        let open = without_personal_fields(plain.clone());
        let sealed = subject.scope().filter(|_| open != data).map(|scope| SealedBodies {
            scope,
            plain: render(plain.clone()),
            with_payload: (plain != data).then(|| render(data.clone())),
        });
        Self {
            id: id.clone(),
            owner: owner.clone(),
            event_type,
            created_at,
            subject,
            user_id: user_of(&data),
            sequence,
            open: render(open),
            sealed,
        }
    }

    /// Returns the exact bytes to send or to show. After the source is erased, these are [`EventRecord::open`].
    pub fn body(&self, include_payload: bool) -> &[u8] {
        match &self.sealed {
            None => &self.open,
            Some(sealed) => match &sealed.with_payload {
                Some(with_payload) if include_payload => with_payload,
                Some(_) | None => &sealed.plain,
            },
        }
    }
}

/// Returns the user that an event's data names.
fn user_of(data: &EventData) -> Option<UserId> {
    let user_id = match data {
        EventData::UserCreated(it) => &it.user_id,
        EventData::TaskStarted(it) => &it.user_id,
        EventData::TaskFinished(it) => &it.user_id,
        EventData::AccountSyncTaskFinished(it) => &it.user_id,
        EventData::AccountCreated(it) => &it.user_id,
        EventData::AccountDisconnected(it) => &it.user_id,
        EventData::AccountConnected(it) => &it.user_id,
        EventData::AccountFailed(it) => &it.user_id,
        EventData::ArchiveStarted(it) | EventData::ArchiveAnalyzed(it) => &it.user_id,
        EventData::ArchiveRevoked(it) => &it.user_id,
        EventData::ArchiveFailed(it) => &it.user_id,
        EventData::InviteInvited(it) | EventData::InviteLinked(it) => &it.user_id,
        EventData::LinkSessionCompleted(it)
        | EventData::LinkSessionClosed(it)
        | EventData::LinkSessionExpired(it) => &it.user_id,
        EventData::IdentityAdded(it) => &it.user_id,
        EventData::RatingAdded(it) => &it.user_id,
        EventData::DataPointsAdded(it) => &it.user_id,
        EventData::InsightAdded(it) => &it.user_id,
        EventData::LinkAdded(it) => &it.user_id,
        EventData::DataPointsUpdated(it) => &it.user_id,
        EventData::RecordCreated(it) | EventData::RecordCompleted(it) => return it.user_id.clone(),
        EventData::VerificationStarted(_)
        | EventData::VerificationCompleted(_)
        | EventData::WebhookDisabled(_) => return None,
    };
    Some(user_id.clone())
}

fn without_payload(data: EventData) -> EventData {
    match data {
        EventData::TaskFinished(task) => {
            EventData::TaskFinished(TaskFinished { payload: EventPayload::Empty {}, ..task })
        }
        EventData::AccountSyncTaskFinished(task) => {
            EventData::AccountSyncTaskFinished(AccountSyncTaskFinished {
                payload: EventPayload::Empty {},
                ..task
            })
        }
        other @ (EventData::UserCreated(_)
        | EventData::TaskStarted(_)
        | EventData::AccountCreated(_)
        | EventData::AccountConnected(_)
        | EventData::AccountDisconnected(_)
        | EventData::AccountFailed(_)
        | EventData::ArchiveStarted(_)
        | EventData::ArchiveAnalyzed(_)
        | EventData::ArchiveRevoked(_)
        | EventData::ArchiveFailed(_)
        | EventData::InviteInvited(_)
        | EventData::InviteLinked(_)
        | EventData::LinkSessionCompleted(_)
        | EventData::LinkSessionClosed(_)
        | EventData::LinkSessionExpired(_)
        | EventData::IdentityAdded(_)
        | EventData::RatingAdded(_)
        | EventData::DataPointsAdded(_)
        | EventData::InsightAdded(_)
        | EventData::LinkAdded(_)
        | EventData::DataPointsUpdated(_)
        | EventData::RecordCreated(_)
        | EventData::RecordCompleted(_)
        | EventData::VerificationStarted(_)
        | EventData::VerificationCompleted(_)
        | EventData::WebhookDisabled(_)) => other,
    }
}

/// Removes personal fields. Ids, types, times and states remain.
fn without_personal_fields(data: EventData) -> EventData {
    match without_payload(data) {
        EventData::AccountConnected(it) => {
            EventData::AccountConnected(AccountConnected { login_name: None, ..it })
        }
        EventData::AccountFailed(it) => EventData::AccountFailed(AccountFailed { login_name: None, ..it }),
        EventData::RecordCompleted(it) => EventData::RecordCompleted(RecordChanged { payload: None, ..it }),
        other @ (EventData::UserCreated(_)
        | EventData::TaskStarted(_)
        | EventData::TaskFinished(_)
        | EventData::AccountSyncTaskFinished(_)
        | EventData::AccountCreated(_)
        | EventData::AccountDisconnected(_)
        | EventData::ArchiveStarted(_)
        | EventData::ArchiveAnalyzed(_)
        | EventData::ArchiveRevoked(_)
        | EventData::ArchiveFailed(_)
        | EventData::InviteInvited(_)
        | EventData::InviteLinked(_)
        | EventData::LinkSessionCompleted(_)
        | EventData::LinkSessionClosed(_)
        | EventData::LinkSessionExpired(_)
        | EventData::IdentityAdded(_)
        | EventData::RatingAdded(_)
        | EventData::DataPointsAdded(_)
        | EventData::InsightAdded(_)
        | EventData::LinkAdded(_)
        | EventData::DataPointsUpdated(_)
        | EventData::RecordCreated(_)
        | EventData::VerificationStarted(_)
        | EventData::VerificationCompleted(_)
        | EventData::WebhookDisabled(_)) => other,
    }
}
