//! Cursors for lists outside the database's own pages.
//!
//! A webhook payload that cuts a list short carries the same cursor as the list's endpoint would return. Other cursors
//! are for lists that are not in the database.

use link_domain::data::payload::{LastItem, PayloadLinks};
use link_domain::kernel::owner::Owner;
use link_types::data::DataPointKind;

use crate::cursor::{self, Binding, ListFilters};
use crate::keys::{Key, Label};
use crate::tables::data::data_points::{DATA_POINTS, with_query};
use crate::tables::list::binding;
use crate::{DataPointFilter, PageRequest, Reader, Store, StoreError};

/// Signs cursors of one owner's data points.
pub struct ListCursors {
    owner: Owner,
    key: Key,
}

impl Reader<'_> {
    /// Returns the signer of the cursors in payloads of this owner's events.
    #[must_use]
    pub fn page_cursors(&self, owner: &Owner) -> ListCursors {
        ListCursors { owner: owner.clone(), key: self.keys.tree.key(Label::Cursor).clone() }
    }
}

impl PayloadLinks for ListCursors {
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String {
        let filter = DataPointFilter { source: Some(source_id), ..DataPointFilter::default() };
        let filters = ListFilters::new([("sourceId", source_id)]);
        let request = PageRequest::default();
        let binding = with_query(&self.owner, kind, filter, &request, |query| binding(&DATA_POINTS, query));
        cursor::sign(&self.key, &binding, last.id, &filters)
    }
}

/// Signs and verifies the cursors of one list that is not in the database. They are bound to its owner and filters,
/// like all other cursors.
pub struct BoundCursors {
    key: Key,
    binding: Binding,
    carried: ListFilters,
}

impl Store {
    /// Returns the cursors of one owner's list with these filter values. `None` is a filter that was not given. The
    /// cursors carry the filters of the request.
    #[must_use]
    pub fn bind_cursors(
        &self,
        list: &str,
        owner: &Owner,
        filters: &[Option<&str>],
        request: &PageRequest,
    ) -> BoundCursors {
        let owned = Binding::of_list(list).with(Some(owner.tenant.as_str())).with(Some(owner.mode.as_str()));
        let binding = filters.iter().fold(owned, |binding, filter| binding.with(*filter));
        let carried = request.filters.clone();
        BoundCursors { key: self.keys().tree.key(Label::Cursor).clone(), binding, carried }
    }
}

impl BoundCursors {
    /// Returns the cursor that continues after the item at a position, which is an id.
    #[must_use]
    pub fn after(&self, position: &str) -> String {
        cursor::sign(&self.key, &self.binding, position, &self.carried)
    }

    /// Returns the position after which a cursor of this list continues.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list, owner or filter.
    pub fn position(&self, cursor: &str) -> Result<String, StoreError> {
        cursor::verify(&self.key, &self.binding, cursor)
    }
}
