//! Events as the store keeps them. The interface defines their types and fields ([`link_types::event`]); this module
//! decides which of them are personal.

#[cfg(test)]
mod examples;
mod payload;
mod record;
mod sample;
mod transition;

use std::time::Duration;

pub(crate) use payload::payload;
pub use payload::{FILE_URL_LIFE, LastItem, PayloadLinks};
pub use record::{EventRecord, SealedBodies, Subject};
pub use sample::Sample;

/// How long an event and its deliveries are kept, on the tenant's clock: 60 days.
pub const EVENT_MEMORY: Duration = Duration::from_secs(60 * 86_400);
