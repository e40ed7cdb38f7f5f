//! `/webhooks/{id}/deliveries`: the deliveries of a webhook and their attempts.

pub(super) mod get;
pub(super) mod list;
pub(super) mod resend;
