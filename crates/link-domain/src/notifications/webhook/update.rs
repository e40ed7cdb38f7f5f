//! Fields of a webhook to change.

use link_types::Sensitive;
use link_types::webhook::RetryProfile;

/// Fields to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Label.
    pub name: Option<String>,
    /// URL to post to.
    pub url: Option<String>,
    /// Event types, or `ALL_EVENTS`.
    pub event_types: Option<Vec<String>>,
    /// Whether the webhook receives events.
    pub active: Option<bool>,
    /// New signing secret, effective immediately. It ends a rotation.
    pub secret: Option<Sensitive>,
    /// Whether TASK_FINISHED includes the data points.
    pub include_payload: Option<bool>,
    /// Schedule for retrying failed deliveries.
    pub retry_profile: Option<RetryProfile>,
}
