//! Tables of events, webhooks, deliveries and mails.

pub(crate) mod delivery;
pub(crate) mod event_feed;
pub(crate) mod events;
pub(crate) mod mails;
pub(crate) mod webhooks;
