//! Generated bad files, each with the fault that inspection must report. `documents -- bad DIR` writes the files
//! for a browser.

mod jpeg;
mod other;
mod parts;
pub mod pdf;
mod png;
mod tiff;

pub use parts::{BadFile, deflate};

/// Returns every bad file.
pub fn bad_files() -> Vec<BadFile> {
    [other::files(), pdf::files(), png::files(), jpeg::files(), tiff::files()].concat()
}
