//! Documents: what a file is, and what stands in it.
//!
//! # Where to start
//!
//! 1. [`inspection`]: what a file is by its content, and why it is refused.
//! 2. [`page`]: a page as words with places, read by `text_layer` or, from `pixels`, by [`tesseract`].

pub mod inspection;
pub mod page;
mod pixels;
pub mod tesseract;
mod text_layer;
