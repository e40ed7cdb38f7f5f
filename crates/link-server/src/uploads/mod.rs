//! Writing files with [`UploadWriter`] and reading them with [`StoredContent`]. Unencrypted bytes are only in memory,
//! one segment at a time.

pub mod base64_text;
pub mod body_upload_permits;
mod content;
pub mod data_url;
mod writer;

pub use content::StoredContent;
pub use writer::{UploadEnd, UploadWriter};
