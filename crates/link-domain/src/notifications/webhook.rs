//! Webhooks: registration, changes, pings and signatures.

mod ping;
mod registration;
mod signing;
mod transition;

pub use ping::{PING, Ping};
pub use registration::Update;
pub use registration::{NoRotationError, ROTATION};
pub use registration::{Registration, RegistrationRules, WEBHOOKS_LIMIT, Webhook, register};
pub use signing::{
    SERVICE_SIGNATURE, SERVICE_SIGNATURE_NEXT, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
    service_signature, signature_headers, signature_headers_with, standard_secret,
};
