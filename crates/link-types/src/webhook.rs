//! Webhook registrations and deliveries (interface: Webhook registration; `resources.md`: Webhook, Delivery).

use serde::{Deserialize, Serialize};

use crate::{
    event::EventType,
    id::{DeliveryId, EventId, WebhookId},
    time::Timestamp,
};

/// Which events a webhook receives: `["ALL_EVENTS"]`, or event types by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSelection {
    /// Every event.
    All,
    /// These, in the order given, each once.
    Only(Vec<EventType>),
}

/// The word that selects every event.
pub const ALL_EVENTS: &str = "ALL_EVENTS";

impl EventSelection {
    /// Whether an event of this type is selected.
    pub fn includes(&self, event_type: EventType) -> bool {
        match self {
            Self::All => true,
            Self::Only(types) => types.contains(&event_type),
        }
    }

    /// The words on the wire.
    pub fn words(&self) -> Vec<&'static str> {
        match self {
            Self::All => vec![ALL_EVENTS],
            Self::Only(types) => types.iter().map(|t| t.as_str()).collect(),
        }
    }
}

impl serde::Serialize for EventSelection {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.words())
    }
}

impl<'de> serde::Deserialize<'de> for EventSelection {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        if words.iter().any(|w| w == ALL_EVENTS) {
            return Ok(Self::All);
        }
        let mut types = Vec::with_capacity(words.len());
        for word in words {
            let event_type = word.parse().map_err(serde::de::Error::custom)?;
            if !types.contains(&event_type) {
                types.push(event_type);
            }
        }
        Ok(Self::Only(types))
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for EventSelection {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        let words: Vec<&str> =
            core::iter::once(ALL_EVENTS).chain(EventType::ALL.iter().map(|t| t.as_str())).collect();
        utoipa::openapi::ArrayBuilder::new()
            .items(
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some(words)),
            )
            .min_items(Some(1))
            .description(Some("Event types, or ALL_EVENTS."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for EventSelection {}

words! {
    /// How failed deliveries are tried again.
    RetryProfile {
        /// Two resends, a few dozen seconds apart.
        Standard = "STANDARD",
        /// Resends over three days.
        Extended = "EXTENDED",
    }
}

/// A webhook registration. The secret is never returned; `secretHint` is its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Prefix `wh-`.
    pub id: WebhookId,
    /// Creation.
    pub created_at: Timestamp,
    /// Last change.
    pub updated_at: Timestamp,
    /// Label, 1 to 200 characters.
    pub name: String,
    /// Public HTTPS endpoint, at most 500 characters.
    pub url: String,
    /// Event types, or ALL_EVENTS.
    pub event_types: EventSelection,
    /// Must be true for the webhook to take effect.
    pub active: bool,
    /// Whether TASK_FINISHED carries the data points.
    pub include_payload: bool,
    /// How failed deliveries are tried again.
    pub retry_profile: RetryProfile,
    /// The last four characters of the secret.
    pub secret_hint: String,
    /// The last four characters of the secret that takes over when the rotation ends; null while none is under way.
    pub next_secret_hint: Option<String>,
    /// When the rotation ends at the latest; null while none is under way.
    pub rotation_ends_at: Option<Timestamp>,
    /// Why the service stopped sending to it; null while it does not.
    pub disabled_reason: Option<String>,
}

words! {
    /// How far a delivery has come.
    DeliveryStatus {
        /// An attempt is due or under way.
        Pending = "PENDING",
        /// The receiver answered 200 to 299.
        Delivered = "DELIVERED",
        /// Every attempt failed.
        Exhausted = "EXHAUSTED",
        /// The webhook was deleted or switched off.
        Cancelled = "CANCELLED",
    }
}

/// One attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAttempt {
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration_ms: u32,
    /// HTTP status of the answer; null when there was none.
    pub response_status: Option<u16>,
    /// What was read of the answer, up to 16 KB; a list of deliveries gives its first 1,024 bytes.
    pub response_body: Option<String>,
    /// Why there was no answer.
    pub error: Option<String>,
}

/// A delivery of one event to one webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Prefix `dlv-`.
    pub id: DeliveryId,
    /// The event.
    pub event_id: EventId,
    /// Its type.
    pub event_type: EventType,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// How far it has come.
    pub status: DeliveryStatus,
    /// When the next attempt is due.
    pub next_attempt_at: Option<Timestamp>,
    /// Attempts made, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// What a ping came to: it is sent once, at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PingResult {
    /// `id` of the envelope that was sent. No event has it.
    pub event_id: EventId,
    /// Whether the receiver answered 200 to 299.
    pub accepted: bool,
    /// The attempt.
    pub attempt: DeliveryAttempt,
}

/// A recovery that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Recovery {
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The first moment whose events are sent again, where they did not arrive: the one asked for, or the webhook's
    /// creation if that was later.
    pub since: Timestamp,
    /// The last: when the recovery was asked for.
    pub until: Timestamp,
}
