//! Events as the store keeps them. The interface defines their types and fields ([`link_types::event`]); this module
//! decides which of them are personal.

use std::time::Duration;

use link_types::id::ProviderId;
use link_types::record::{SocialSecurityRequest, SocialSecurityResult};

use crate::data::batch::Batch;
pub use record::{EventRecord, SealedBodies};

#[cfg(test)]
mod examples;
mod record;
mod transition;

/// How long an event and its deliveries are kept, on the tenant's clock: 60 days.
pub const EVENT_MEMORY: Duration = Duration::from_secs(60 * 86_400);

/// Data that a test event is built from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Provider of the data.
    pub provider_id: ProviderId,
    /// Data of a synthetic person.
    pub batch: Batch,
    /// Request of a record, and what its source found.
    pub record: (SocialSecurityRequest, SocialSecurityResult),
}
