//! Data that was read from the files of an archive.

use link_types::archive::Extraction;
use serde::{Deserialize, Serialize};

/// Data that was read from an archive. `Debug` does not print it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Extracted {
    /// Data of the first document.
    pub first: Extraction,
    /// Data of further documents of the same kind and person.
    pub further: Vec<Extraction>,
}

impl From<Extraction> for Extracted {
    fn from(first: Extraction) -> Self {
        Self { first, further: Vec::new() }
    }
}

impl std::fmt::Debug for Extracted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extracted({} fields, {} further)", self.first.fields.len(), self.further.len())
    }
}
