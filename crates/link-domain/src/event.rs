//! Events: what a tenant is told, as the store keeps it. The types and fields are the interface's
//! ([`link_types::event`]); this module decides what of them is personal.

mod fired;
mod payload;
mod record;

pub use fired::{Sample, fire};
pub(crate) use payload::payload;
pub use payload::{LastItem, PageCursors};
pub use record::{EventRecord, SealedBodies, Subject};
