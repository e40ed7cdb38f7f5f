//! Identifies a file by its content, and says why it is rejected. Nothing is decoded before its size is known.

mod heic;
mod inspect;
mod jpeg;
mod pdf;
mod png;
mod tiff;
mod webp;

pub use inspect::inspect;
pub(crate) use jpeg::is_unsupported;
pub(crate) use pdf::jpeg;

use link_types::archive::{FileFault, MAX_PIXELS};

/// Pages and pixels that an inspection of one format found.
struct Found {
    /// The number of pages.
    pub pages: usize,
    /// The pixels of the largest picture.
    pub pixels: u32,
}

/// Returns the number of pixels of an image with these sides, if it may be decoded.
fn pixels(width: u32, height: u32) -> Result<u32, FileFault> {
    match u32::try_from(u64::from(width) * u64::from(height)) {
        Ok(0) => Err(FileFault::Damaged),
        Ok(pixels) if pixels <= MAX_PIXELS => Ok(pixels),
        Ok(_) | Err(_) => Err(FileFault::TooManyPixels),
    }
}
