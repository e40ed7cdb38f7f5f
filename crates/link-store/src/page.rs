//! Pages of lists: keyset, newest first, continued by signed cursors.

use crate::StoreError;

/// How many items a page may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u8);

impl PageSize {
    /// The largest page.
    pub const MAX: u8 = 150;

    /// 1 to 150.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadPageSize`] outside of that.
    pub fn new(size: i64) -> Result<PageSize, StoreError> {
        match u8::try_from(size) {
            Ok(size @ 1..=Self::MAX) => Ok(PageSize(size)),
            Ok(_) | Err(_) => Err(StoreError::BadPageSize),
        }
    }

    pub(crate) fn get(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PageSize {
    fn default() -> Self {
        PageSize(10)
    }
}

/// Which page of a list: the first, or the one after a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// Items on the page.
    pub size: PageSize,
    /// `nextCursor` of the page before, as the caller sent it.
    pub cursor: Option<String>,
}

impl PageRequest {
    /// The first page of a size.
    #[must_use]
    pub fn first(size: PageSize) -> PageRequest {
        PageRequest { size, cursor: None }
    }

    /// The page after a cursor.
    #[must_use]
    pub fn after(size: PageSize, cursor: impl Into<String>) -> PageRequest {
        PageRequest { size, cursor: Some(cursor.into()) }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items, newest first.
    pub items: Vec<T>,
    /// Continues the list; `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The page with every item turned into something else.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(turn).collect(), next_cursor: self.next_cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_1_to_150_items_and_10_unless_told() {
        assert!(PageSize::new(0).is_err() && PageSize::new(151).is_err() && PageSize::new(-1).is_err());
        assert_eq!(PageSize::new(150).unwrap().get(), 150);
        assert_eq!(PageSize::default().get(), 10);
    }
}
