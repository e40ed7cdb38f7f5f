//! Lists (`service.md`: "Answers").

use serde::{Deserialize, Serialize};

/// A page of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// Pass it as `cursor` for the next page; null on the last.
    pub next_cursor: Option<String>,
}

/// The page size of every list when `size` is not given.
pub const DEFAULT_SIZE: u16 = 10;
/// The largest `size` of a list.
pub const MAX_SIZE: u16 = 150;
