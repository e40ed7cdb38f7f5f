//! Deliveries of events to webhooks: claims, loads, outcomes and circuit breakers.

pub(crate) mod breakers;
pub(crate) mod claims;
pub(crate) mod deliveries;
pub(crate) mod delivery_attempts;
pub(crate) mod loads;
pub(crate) mod new_deliveries;
pub(crate) mod outcomes;
pub(crate) mod waiting_hooks;
