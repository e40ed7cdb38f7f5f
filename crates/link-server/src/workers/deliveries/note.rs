//! Reports to the delivery worker.

use link_types::id::WebhookId;

/// A report of an attempt, or of the recording of its outcome, to the worker.
pub(super) enum Note {
    /// The slot of an attempt is free.
    Ended { webhook: WebhookId, accepted: bool },
    /// The breaker of a webhook is open.
    Opened(WebhookId),
    /// Outcomes were recorded.
    Recorded,
}
