//! Writing files with [`UploadWriter`] and reading them with [`StoredContent`]. Unencrypted bytes are only in memory,
//! one segment at a time.

pub mod body_turns;
mod content;
pub mod data_url;
pub mod inspection_turns;
pub mod logo_turns;
mod writer;

pub use content::StoredContent;
pub use writer::{UploadEnd, UploadWriter};
