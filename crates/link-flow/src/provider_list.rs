//! The provider list as the person left it.

use link_types::provider::{ProviderSummary, ProviderType};

use crate::search;
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
    more: usize,
    /// The result of the search. Kept, because the page is drawn after every event, and thousands of names take milliseconds.
    matching: Matching,
}

/// The providers that match the search and the tab.
#[derive(Debug, Default)]
struct Matching {
    /// The indexes of those that the list shows: best matches first, otherwise by name.
    first: Vec<usize>,
    /// The number of all.
    count: usize,
}

/// The number of rows that the list shows at first, and that each request for more adds. A browser takes seconds to draw
/// thousands.
const ROWS: usize = 100;

impl ProviderListState {
    /// Sets the providers on offer, once all have been loaded.
    pub(crate) fn fill(&mut self, providers: Vec<ProviderSummary>) {
        self.providers = Some(providers);
        self.find();
    }

    /// Narrows the list to a search and a tab.
    pub(crate) fn narrow(&mut self, query: Typed, tab: Option<ProviderType>) {
        self.query = query;
        self.tab = tab;
        self.more = 0;
        self.find();
    }

    /// Adds rows of the same results.
    pub(crate) fn show_more(&mut self) {
        self.more += 1;
        self.find();
    }

    /// Returns the providers that the list shows: best matches first, otherwise by name.
    pub(crate) fn shown_providers(&self) -> impl Iterator<Item = &ProviderSummary> {
        let all = self.providers.as_deref().unwrap_or_default();
        self.matching.first.iter().filter_map(|at| all.get(*at))
    }

    /// Returns the number of providers that match.
    pub(crate) const fn count(&self) -> usize {
        self.matching.count
    }

    /// Returns whether more providers match than the list shows.
    pub(crate) const fn has_more(&self) -> bool {
        self.matching.count > self.matching.first.len()
    }

    /// Finds the providers that match. The search key begins with the name in the person's language, without case and accents.
    fn find(&mut self) {
        let query = search::fold(self.query.as_str());
        let max_rows = ROWS * (self.more + 1);
        // Inserted in order, because the standard library's sorts add kilobytes to the wasm, and only the first ones are kept.
        let mut ranked: Vec<(search::Rank, &str, usize)> = Vec::new();
        let mut count = 0;
        for (index, provider) in self.providers.iter().flatten().enumerate() {
            if self.tab.is_some_and(|tab| tab != provider.provider_type) {
                continue;
            }
            let Some(rank) = search::rank(&query, &provider.search_key) else { continue };
            let key = provider.search_key.as_str();
            let at = ranked.partition_point(|other| (other.0, other.1) <= (rank, key));
            count += 1;
            if at < max_rows {
                ranked.truncate(max_rows - 1);
                ranked.insert(at, (rank, key, index));
            }
        }
        self.matching = Matching { first: ranked.into_iter().map(|(_, _, index)| index).collect(), count };
    }
}
