//! The cursors of lists that a webhook's payload cuts short: the very ones the list's endpoint would give.

use link_domain::event::{LastItem, PageCursors};
use link_domain::owner::Owner;
use link_types::data::DataPointKind;

use crate::cursor;
use crate::keys::{Key, Label};
use crate::tables::data_points::{DATA_POINTS, with_query};
use crate::tables::list::binding;
use crate::{DataPointFilter, PageRequest, Reader};

/// Signs cursors of one owner's data points.
pub struct ListCursors {
    owner: Owner,
    key: Key,
}

impl Reader<'_> {
    /// What signs the cursors in payloads of this owner's events.
    #[must_use]
    pub fn page_cursors(&self, owner: &Owner) -> ListCursors {
        ListCursors { owner: owner.clone(), key: self.keys.tree.key(Label::Cursor).clone() }
    }
}

impl PageCursors for ListCursors {
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String {
        let filter = DataPointFilter { source: Some(source_id), ..DataPointFilter::default() };
        let request = PageRequest::default();
        let binding = with_query(&self.owner, kind, filter, &request, |query| binding(&DATA_POINTS, query));
        cursor::sign(&self.key, &binding, last.id)
    }
}
