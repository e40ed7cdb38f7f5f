//! Webhooks: what a tenant registers, which deliveries an event needs, and how they are signed and retried.

mod breaker;
mod changing;
mod delivery;
mod ping;
mod registration;
mod resending;
mod retry;
mod rotation;
mod shares;
mod signing;

pub use breaker::{Breaker, DISABLED_AFTER, DISABLED_REASON, FAILURES_TO_OPEN, PROBE_TIME};
pub use changing::Update;
pub use delivery::{AttemptLog, Delivery, DeliveryState, deliveries_for};
pub use ping::{PING, Ping};
pub use registration::{Registration, RegistrationRules, WEBHOOKS_LIMIT, register};
pub use resending::{LISTED_ANSWER, RECOVERED_AT_ONCE, SwitchedOff};
pub use retry::{ANSWER_LIMIT, ATTEMPT_TIMEOUT, CONNECT_TIMEOUT, retry_delay, retry_span};
pub use rotation::{NoRotation, ROTATION};
pub use shares::{ATTEMPTS_AT_ONCE, AttemptShares, Lane};
pub use signing::{
    SERVICE_SIGNATURE, SERVICE_SIGNATURE_NEXT, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
    service_signature, signature_headers, signed_headers,
};

use link_types::Sensitive;
use link_types::id::WebhookId;

use crate::owner::Owner;

/// A webhook as the store keeps it. The secrets are stored encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Tenant and environment of the webhook.
    pub owner: Owner,
    /// The webhook as REST shows it.
    pub registration: link_types::webhook::Webhook,
    /// Current secret.
    pub secret: Sensitive,
    /// Secret that takes over when the rotation ends.
    pub next_secret: Option<Sensitive>,
}

impl Webhook {
    /// Returns the webhook's identifier.
    pub const fn id(&self) -> &WebhookId {
        &self.registration.id
    }
}
