//! Webhooks and their deliveries (interface: Webhook registration; `resources.md`: Webhook, Delivery).

use serde::{Deserialize, Serialize};

use crate::{
    event::EventType,
    id::{DeliveryId, EventId, WebhookId},
    time::Timestamp,
};

/// Events that a webhook receives: `["ALL_EVENTS"]`, or a list of event types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSelection {
    /// All events.
    All,
    /// These event types, in the given order and without duplicates.
    Only(Vec<EventType>),
}

/// Value that selects all events.
pub const ALL_EVENTS: &str = "ALL_EVENTS";

impl EventSelection {
    /// Returns whether events of this type are selected.
    pub fn includes(&self, event_type: EventType) -> bool {
        match self {
            Self::All => true,
            Self::Only(types) => types.contains(&event_type),
        }
    }

    /// Returns the values as they appear on the wire.
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
            .description(Some("Event types to receive, or `ALL_EVENTS`."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for EventSelection {}

words! {
    /// Schedule for retrying failed deliveries.
    RetryProfile {
        /// 2 retries, after about 30 and 60 seconds.
        Standard = "STANDARD",
        /// 8 retries over about 3 days.
        Extended = "EXTENDED",
    }
}

/// A webhook. The secret is never returned; `secretHint` is its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Unique identifier of the webhook, with the prefix `wh-`.
    pub id: WebhookId,
    /// Time at which the webhook was created.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Label, 1 to 200 characters.
    pub name: String,
    /// Public HTTPS URL that receives the events, at most 500 characters.
    pub url: String,
    /// Event types that the webhook receives, or `ALL_EVENTS`.
    pub event_types: EventSelection,
    /// Whether the webhook receives events.
    pub active: bool,
    /// Whether TASK_FINISHED includes the data points.
    pub include_payload: bool,
    /// Schedule for retrying failed deliveries.
    pub retry_profile: RetryProfile,
    /// Whether attempts have the header `traceparent` while the service traces them.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub trace_context: bool,
    /// Last four characters of the secret.
    pub secret_hint: String,
    /// Last four characters of the secret that takes over after the rotation. Null if no rotation is in progress.
    pub next_secret_hint: Option<String>,
    /// Time at which the rotation ends at the latest. Null if no rotation is in progress.
    pub rotation_ends_at: Option<Timestamp>,
    /// Reason why the service stopped sending to the webhook. Null if the webhook is not disabled.
    pub disabled_reason: Option<String>,
}

words! {
    /// Status of a delivery.
    DeliveryStatus {
        /// An attempt is due or in progress.
        Pending = "PENDING",
        /// The receiver responded with a status from 200 to 299.
        Delivered = "DELIVERED",
        /// All attempts failed.
        Exhausted = "EXHAUSTED",
        /// The webhook was deleted or deactivated.
        Cancelled = "CANCELLED",
    }
}

/// An attempt to send a delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAttempt {
    /// Time at which the attempt started.
    pub at: Timestamp,
    /// Duration of the attempt.
    pub duration_ms: u32,
    /// HTTP status of the response. Null if there was no response.
    pub response_status: Option<u16>,
    /// Response body, up to 16 KB. Lists of deliveries return its first 1,024 bytes.
    pub response_body: Option<String>,
    /// Reason why there was no response.
    pub error: Option<String>,
}

/// A delivery of one event to one webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Unique identifier of the delivery, with the prefix `dlv-`.
    pub id: DeliveryId,
    /// Event that is delivered.
    pub event_id: EventId,
    /// Type of the event.
    pub event_type: EventType,
    /// Webhook that receives the event.
    pub webhook_id: WebhookId,
    /// Status of the delivery.
    pub status: DeliveryStatus,
    /// Time at which the next attempt is due.
    pub next_attempt_at: Option<Timestamp>,
    /// Attempts made so far, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// Result of a ping. A ping is sent once, immediately, and is not retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PingResult {
    /// `id` of the envelope that was sent. No event has this id.
    pub event_id: EventId,
    /// Whether the receiver responded with a status from 200 to 299.
    pub accepted: bool,
    /// The attempt that was made.
    pub attempt: DeliveryAttempt,
}

/// A recovery that was started: events are sent again to a webhook that missed them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Recovery {
    /// Webhook that the events are sent to.
    pub webhook_id: WebhookId,
    /// Start of the recovered period. Events from this time on are sent again if they did not arrive. It is the
    /// requested time, or the webhook's creation time if that is later.
    pub since: Timestamp,
    /// End of the recovered period: the time at which the recovery was requested.
    pub until: Timestamp,
}
