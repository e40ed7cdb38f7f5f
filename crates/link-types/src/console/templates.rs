//! Versions of templates in the portal.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// A template as it was saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateVersion<T> {
    /// Number of the version, from 1.
    pub version: u32,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// The template.
    pub template: T,
}
