//! Writing files with [`UploadWriter`] and reading them with [`StoredContent`]. Unencrypted bytes are only in memory,
//! one segment at a time.

mod content;
mod inspections;
mod turn;
mod writer;

pub use content::StoredContent;
pub use inspections::InspectionTurns;
pub use turn::UploadTurns;
pub use writer::{UploadEnd, UploadWriter};
