//! Paginated lists (`service.md`: "Answers").

use serde::{Deserialize, Serialize};

/// A page of a list, newest items first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// Items on this page.
    pub items: Vec<T>,
    /// Value to pass as `cursor` for the next page. Null on the last page.
    pub next_cursor: Option<String>,
}

/// Default page size of every list.
pub const DEFAULT_SIZE: u16 = 10;
/// Maximum page size of every list.
pub const MAX_SIZE: u16 = 150;
