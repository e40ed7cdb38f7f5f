//! Blocks that only screens of the deferred chunk have. The build moves this module into the chunk (ADR 77), so the rest
//! of the program calls it only to draw one of them.

pub mod field;
pub mod files;
pub mod link;
pub mod picture;
pub mod progress;
pub mod secret;
