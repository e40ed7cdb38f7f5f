//! Bytes of files on their way: in by [`UploadWriter`], out by [`StoredContent`]. Between the person and the store of
//! files they are in memory only, one segment at a time.

mod content;
mod inspections;
mod turn;
mod writer;

pub use content::StoredContent;
pub use inspections::InspectionTurns;
pub use turn::UploadTurns;
pub use writer::{UploadEnd, UploadWriter};
