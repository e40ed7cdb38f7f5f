//! Events: what a tenant is told, as the store keeps it. The types and fields are the interface's
//! ([`link_types::event`]); this module decides what of them is personal.

mod fired;
mod payload;
mod record;

use std::time::Duration;

pub use fired::{Sample, fire};
pub(crate) use payload::payload;
pub use payload::{LastItem, PageCursors};
pub use record::{EventRecord, SealedBodies, Subject};

/// How long an event is kept, and its deliveries with it, on its tenant's clock.
pub const EVENT_MEMORY: Duration = Duration::from_secs(60 * 86_400);
