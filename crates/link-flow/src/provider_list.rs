//! The provider list as the person left it.

use link_types::provider::{ProviderSummary, ProviderType};

use crate::view::Typed;

/// Outlives the list page, so that the person finds the list unchanged after going back.
#[derive(Debug, Default)]
pub(crate) struct ProviderListState {
    /// All providers on offer, in the service's order; `None` until they are loaded.
    pub(crate) providers: Option<Vec<ProviderSummary>>,
    /// The text in the search box.
    pub(crate) query: Typed,
    /// The selected tab; `None` shows all types.
    pub(crate) tab: Option<ProviderType>,
    /// How many times the person asked for more rows of these results.
    pub(crate) more: usize,
}

/// The number of rows that the list shows at first, and that each request for more adds. A browser takes seconds to draw
/// thousands.
const ROWS: usize = 100;

impl ProviderListState {
    /// Returns the largest number of rows that the list shows.
    pub(crate) const fn max_rows(&self) -> usize {
        ROWS * (self.more + 1)
    }
}
