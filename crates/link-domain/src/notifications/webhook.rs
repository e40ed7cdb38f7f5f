//! Webhooks: registration, changes, pings and signatures.

mod ping;
mod registration;
mod rotation;
mod signing;
mod transition;
mod update;

pub use ping::{PING, Ping};
pub use registration::{Registration, RegistrationRules, WEBHOOKS_LIMIT, Webhook, register};
pub use rotation::{NoRotationError, ROTATION};
pub use signing::{
    SERVICE_SIGNATURE, SERVICE_SIGNATURE_NEXT, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
    service_signature, signature_headers, signed_headers,
};
pub use update::Update;
