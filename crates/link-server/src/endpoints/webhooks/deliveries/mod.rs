//! `/webhooks/{id}/deliveries`: what was sent to a webhook, and how it went.

pub(super) mod get;
pub(super) mod list;
pub(super) mod resend;
