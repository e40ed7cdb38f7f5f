//! Lists from which members choose: the service returns them in pages, and the portal needs all of them.

use link_types::list::Page;

use super::failure::Failure;

/// Maximum number of pages. A list with more of them does not end.
const MAX_PAGES: usize = 50;

/// Adds the further pages of a list to its first one. `load` loads the page at a cursor.
///
/// # Errors
/// The failure of a page, or that the list does not end.
pub async fn join<T>(
    first: Page<T>,
    load: impl AsyncFn(String) -> Result<Page<T>, Failure>,
) -> Result<Vec<T>, Failure> {
    let Page { mut items, next_cursor: mut next } = first;
    for _ in 1..MAX_PAGES {
        let Some(cursor) = next else { return Ok(items) };
        let page = load(cursor).await?;
        items.extend(page.items);
        next = page.next_cursor;
    }
    if next.is_none() { Ok(items) } else { Err(Failure::Broken(String::new())) }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn page(items: &[u8], next: Option<&str>) -> Page<u8> {
        Page { items: items.to_vec(), next_cursor: next.map(str::to_owned) }
    }

    /// Nothing in these tests waits.
    fn join_at_once(
        first: Page<u8>,
        load: impl AsyncFn(String) -> Result<Page<u8>, Failure>,
    ) -> Result<Vec<u8>, Failure> {
        match pin!(join(first, load)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(joined) => joined,
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn list_of_two_pages_is_whole() {
        let joined = join_at_once(page(&[1, 2], Some("c")), async |cursor| {
            assert_eq!(cursor, "c");
            Ok(page(&[3], None))
        });
        assert_eq!(joined, Ok(vec![1, 2, 3]));
    }

    #[test]
    fn refused_second_page_fails_the_list() {
        let refused = async |_| Err(Failure::SignedOut);
        assert_eq!(join_at_once(page(&[1], Some("c")), refused), Err(Failure::SignedOut));
    }

    #[test]
    fn list_without_an_end_is_broken() {
        let endless = async |cursor: String| Ok(page(&[0], Some(&cursor)));
        assert_eq!(join_at_once(page(&[0], Some("c")), endless), Err(Failure::Broken(String::new())));
    }
}
