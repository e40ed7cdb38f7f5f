//! A generated file.

use std::path::PathBuf;

/// One generated file.
pub struct Generated {
    /// The path of the file in the checkout.
    pub path: PathBuf,
    /// The content of the file.
    pub content: String,
}
