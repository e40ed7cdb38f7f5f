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
}
