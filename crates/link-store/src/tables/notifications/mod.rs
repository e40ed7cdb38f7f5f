//! Tables of events, webhooks, deliveries and mails.

pub(crate) mod delivery;
pub(crate) mod events;
pub(crate) mod mails;
pub(crate) mod webhooks;
