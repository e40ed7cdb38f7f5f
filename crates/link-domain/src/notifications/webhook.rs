//! Webhooks: registration, the deliveries of an event, their signatures and retries.

mod breaker;
mod claim_shares;
mod delivery;
mod lookahead;
mod ping;
mod registration;
mod resending;
mod retry;
mod rotation;
mod shares;
mod signing;
mod transition;
mod update;

pub use breaker::{
    AttemptEnd, Breaker, DISABLED_AFTER, DISABLED_REASON, FAILURES_TO_OPEN, Failures, PROBE_TIME,
};
pub use claim_shares::ClaimShares;
pub use delivery::{AttemptLog, Delivery, DeliveryState, deliveries_for};
pub use lookahead::Lookahead;
pub use ping::{PING, Ping};
pub use registration::{Registration, RegistrationRules, WEBHOOKS_LIMIT, Webhook, register};
pub use resending::{LISTED_ANSWER, RECOVERED_AT_ONCE, SwitchedOff};
pub use retry::{ANSWER_LIMIT, ATTEMPT_TIMEOUT, CONNECT_TIMEOUT, retry_delay, retry_span};
pub use rotation::{NoRotation, ROTATION};
pub use shares::{ATTEMPTS_AT_ONCE, AttemptShares, DeliveryQueue};
pub use signing::{
    SERVICE_SIGNATURE, SERVICE_SIGNATURE_NEXT, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
    service_signature, signature_headers, signed_headers,
};
pub use update::Update;
