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

/// Maximum page size of every list. It is also the default of every list except form submissions.
pub const MAX_SIZE: u16 = 150;
