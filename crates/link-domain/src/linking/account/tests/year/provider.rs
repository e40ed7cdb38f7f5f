//! The data of one person at a provider.

use std::collections::BTreeMap;

use link_types::data::{DataPointBody, DataPointKind};

use crate::fixture::bodies::body;

/// Returns the kinds that a provider returns. The others are computed.
pub(super) fn kinds() -> Vec<DataPointKind> {
    DataPointKind::of_sources().collect()
}

/// An item at the provider. Its position in the list of its kind is its natural key.
#[derive(Clone, Copy)]
struct Item {
    value: i64,
    is_shown: bool,
}

const NEW: Item = Item { value: 1, is_shown: true };

/// The items of each kind. They are added, corrected, hidden and shown again.
pub(super) struct Provider(BTreeMap<DataPointKind, Vec<Item>>);

impl Provider {
    /// Begins with one item of each kind.
    pub(super) fn begin() -> Self {
        Self(kinds().into_iter().map(|kind| (kind, vec![NEW])).collect())
    }

    /// Adds an item. A person has only one identity and one rating.
    pub(super) fn adds(&mut self, kind: DataPointKind) {
        if !kind.is_single() {
            self.0.entry(kind).or_default().push(NEW);
        }
    }

    pub(super) fn corrects(&mut self, kind: DataPointKind, index: usize) {
        self.item(kind, index).value += 1;
    }

    /// Hides an item from later readings, or shows it again.
    pub(super) fn hides_or_shows(&mut self, kind: DataPointKind, index: usize) {
        let item = self.item(kind, index);
        item.is_shown = !item.is_shown;
    }

    fn item(&mut self, kind: DataPointKind, index: usize) -> &mut Item {
        let items = self.0.get_mut(&kind).unwrap();
        let index = index % items.len();
        &mut items[index]
    }

    /// Returns the natural keys and values of the items that a reading returns.
    pub(super) fn shown_items(&self, kind: DataPointKind) -> Vec<(usize, i64)> {
        let items = self.0[&kind].iter().enumerate();
        items.filter(|(_, item)| item.is_shown).map(|(key, item)| (key, item.value)).collect()
    }

    /// Returns what a reading of these kinds returns.
    pub(super) fn answer(&self, kinds: &[DataPointKind]) -> Vec<DataPointBody> {
        let of_kind = |kind: &DataPointKind| {
            let kind = *kind;
            self.shown_items(kind).into_iter().map(move |(key, value)| body(kind, key, value))
        };
        kinds.iter().flat_map(of_kind).collect()
    }
}
