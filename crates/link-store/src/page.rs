//! Pages of lists: newest first, with keyset pagination and signed cursors.

use crate::StoreError;
use crate::cursor::ListFilters;

/// The maximum number of items on a page: 1 to 150, 150 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u8);

impl PageSize {
    /// The largest page size.
    pub const MAX: u8 = 150;
    /// The default page size of form submissions, which the interface gives. All other lists have 150.
    pub const OF_FORMS: PageSize = PageSize(10);

    /// Creates a page size from 1 to 150.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadPageSize`] for any other number.
    pub fn new(size: i64) -> Result<PageSize, StoreError> {
        match u8::try_from(size) {
            Ok(size @ 1..=Self::MAX) => Ok(PageSize(size)),
            Ok(_) | Err(_) => Err(StoreError::BadPageSize),
        }
    }

    /// Returns the number of items.
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PageSize {
    fn default() -> Self {
        PageSize(Self::MAX)
    }
}

/// Which page of a list to read: the first page, or the one after a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// The maximum number of items on the page.
    pub size: PageSize,
    /// The `nextCursor` of the previous page, as the caller sent it.
    pub cursor: Option<String>,
    /// The filters that the cursor of the next page carries.
    pub filters: ListFilters,
}

impl PageRequest {
    /// Requests the first page.
    #[must_use]
    pub fn first(size: PageSize) -> PageRequest {
        PageRequest { size, ..PageRequest::default() }
    }

    /// Requests the page after a cursor.
    #[must_use]
    pub fn after(size: PageSize, cursor: impl Into<String>) -> PageRequest {
        PageRequest { size, cursor: Some(cursor.into()), ..PageRequest::default() }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items, newest first.
    pub items: Vec<T>,
    /// The cursor of the next page, or `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Converts every item of the page.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(turn).collect(), next_cursor: self.next_cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_size_is_1_to_150_and_the_maximum_by_default() {
        assert!(PageSize::new(0).is_err() && PageSize::new(151).is_err() && PageSize::new(-1).is_err());
        assert_eq!(PageSize::new(150).unwrap().get(), 150);
        assert_eq!((PageSize::default().get(), PageSize::OF_FORMS.get()), (150, 10));
    }
}
