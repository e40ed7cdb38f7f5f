//! Events as the store keeps them. The interface defines their types and fields ([`link_types::event`]); this module
//! decides which of them are personal.

mod fired;
mod payload;
mod record;

use std::time::Duration;

pub use fired::{Sample, fire};
pub(crate) use payload::payload;
pub use payload::{LastItem, PageCursors};
pub use record::{EventRecord, SealedBodies, Subject};

/// How long an event and its deliveries are kept, on the tenant's clock: 60 days.
pub const EVENT_MEMORY: Duration = Duration::from_secs(60 * 86_400);
