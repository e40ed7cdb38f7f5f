//! Tables of events, webhooks, deliveries, mails, and the links that are mailed to mailboxes.

pub(crate) mod delivery;
pub(crate) mod event_feed;
pub(crate) mod events;
pub(crate) mod mails;
pub(crate) mod page_links;
pub(crate) mod webhooks;
