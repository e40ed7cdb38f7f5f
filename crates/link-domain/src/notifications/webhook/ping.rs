//! Pings: test requests that a tenant sends to a webhook to check that they arrive (ADR 0093).

use link_types::Timestamp;
use link_types::id::{EventId, WebhookId};
use serde::Serialize;

use super::registration::Webhook;
use crate::data::data_point::json;
use crate::kernel::context::Context;

/// Type in a ping's envelope. It is not an event type, so no webhook can select it and no list contains it.
pub const PING: &str = "PING";

/// A ping to send. It is signed like a delivery, sent once, and not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ping {
    /// Identifier in the envelope.
    pub event_id: EventId,
    /// Exact bytes to send.
    pub body: Vec<u8>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    id: &'a EventId,
    version: u8,
    r#type: &'static str,
    created_at: Timestamp,
    data: Data<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    webhook_id: &'a WebhookId,
}

impl Webhook {
    /// Creates a ping of this webhook, even if it is inactive.
    pub fn ping(&self, context: &mut Context) -> Ping {
        let event_id = EventId::from_bytes(context.uuid());
        let body = json(&Envelope {
            id: &event_id,
            version: 1,
            r#type: PING,
            created_at: context.now().tenant().into(),
            data: Data { webhook_id: self.id() },
        });
        Ping { event_id, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use link_types::event::EventType;

    #[test]
    fn ping_has_the_event_envelope_with_a_separate_type() {
        let ping = fixture::webhook().ping(&mut fixture::context());
        let body: serde_json::Value = serde_json::from_slice(&ping.body).unwrap();
        let keys: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["createdAt", "data", "id", "type", "version"]);
        assert_eq!(body["id"], ping.event_id.as_str());
        assert_eq!(body["data"]["webhookId"], fixture::webhook().id().as_str());
        assert!(PING.parse::<EventType>().is_err(), "PING must not be an event type");
    }
}
