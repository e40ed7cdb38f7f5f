//! Identifies a file by its content, and says why it is rejected. Nothing is decoded before its size is known.

mod found;
mod heic;
mod inspect;
mod jpeg;
mod pdf;
mod png;
mod polyglot;
mod tiff;
mod webp;

pub use inspect::inspect;
pub(crate) use jpeg::is_unsupported;
pub(crate) use pdf::jpeg;
