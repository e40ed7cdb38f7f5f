//! Payload of a finished task: all keys, with lists newest first and at most 300 items long.

use std::time::Duration;

use link_types::data::{self, DataPointBody, DataPointKind, MAX_PAYLOAD_ITEMS, Payload};
use link_types::id::DocumentId;
use link_types::list::Page;

use crate::kernel::clock::TenantTime;
use crate::kernel::stored_at::StoredAt;

/// How long the URL of a document's file in an event is valid: 5 days. No delivery is tried again for longer.
pub const FILE_URL_LIFE: Duration = Duration::from_secs(5 * 86_400);

/// Creates what a payload refers to: further pages of its lists, and files of its documents.
pub trait PayloadLinks {
    /// Returns the `nextCursor` of a list, which continues after `last`. It equals the cursor that the matching list
    /// endpoint, filtered by `sourceId`, returns after the same item.
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String;

    /// Returns whether an earlier reading of the account stored the file of this document.
    fn has_file(&self, _: &DocumentId) -> bool {
        false
    }

    /// Returns the URL of a file, which is valid for [`FILE_URL_LIFE`]. `None` if there are no URLs.
    fn file_url(&self, _: &StoredAt) -> Option<String> {
        None
    }
}

/// Last item of a page: the sort key of lists, which are newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastItem<'a> {
    /// The item's `itemCreatedAt`.
    pub created_at: TenantTime,
    /// The item's id.
    pub id: &'a str,
}

/// Returns where the file of a document is stored, if it has one.
type FileOf<'a> = dyn Fn(&DocumentId) -> Option<StoredAt> + 'a;

/// Builds the payload of the data points of a source, passed in creation order with their creation times. A document
/// without a URL of its provider gets the one of its file.
pub(crate) fn payload(
    bodies: &[(&DataPointBody, TenantTime)],
    source_id: &str,
    (links, file_of): (&dyn PayloadLinks, &FileOf),
) -> Payload {
    let newest_first = || bodies.iter().rev();
    macro_rules! find {
        ($Body:ident) => {
            newest_first().find_map(|(body, _)| {
                if let DataPointBody::$Body(item) = body { Some(data::$Body::clone(item)) } else { None }
            })
        };
    }
    macro_rules! page {
        ($kind:ident $Body:ident) => {
            page(
                newest_first().filter_map(|(body, created_at)| {
                    if let DataPointBody::$Body(item) = body { Some((item, *created_at)) } else { None }
                }),
                |last, created_at| {
                    let id = last.id.as_str();
                    links.after(DataPointKind::$kind, source_id, LastItem { created_at, id })
                },
            )
        };
    }
    macro_rules! payload {
        (
            {$($one:ident $One:ident $one_key:ident $one_doc:literal $one_rest:tt)*}
            {$($list:ident $List:ident $list_key:ident $list_doc:literal $list_rest:tt)*}
            {$($made_list:ident $MadeList:ident $made_list_key:ident $made_list_doc:literal $made_list_rest:tt)*}
            {$($made_one:ident $MadeOne:ident $made_one_key:ident $made_one_doc:literal $made_one_rest:tt)*}
        ) => {
            Payload {
                $($one_key: find!($One),)*
                $($list_key: page!($list $List),)*
                $($made_list_key: page!($made_list $MadeList),)*
                $($made_one_key: find!($MadeOne),)*
            }
        };
    }
    let mut payload = link_types::data_points!(shaped payload);
    for document in payload.documents.iter_mut().flat_map(|page| &mut page.items) {
        if document.file_url.is_none() {
            document.file_url = file_of(&document.id).and_then(|file| links.file_url(&file));
        }
    }
    payload
}

fn page<'a, T: Clone + 'a>(
    newest_first: impl Iterator<Item = (&'a T, TenantTime)>,
    cursor: impl FnOnce(&T, TenantTime) -> String,
) -> Option<Page<T>> {
    let mut found: Vec<_> = newest_first.take(MAX_PAYLOAD_ITEMS + 1).collect();
    let more = found.len() > MAX_PAYLOAD_ITEMS;
    found.truncate(MAX_PAYLOAD_ITEMS);
    let next_cursor = found.last().filter(|_| more).map(|(last, created_at)| cursor(last, *created_at));
    let items: Vec<T> = found.into_iter().map(|(item, _)| item.clone()).collect();
    (!items.is_empty()).then_some(Page { items, next_cursor })
}

#[cfg(test)]
mod tests {
    use link_types::webhook::RetryProfile;

    use super::*;
    use crate::notifications::delivery::retry_span;

    #[test]
    fn file_url_outlives_every_retry() {
        for profile in [RetryProfile::Standard, RetryProfile::Extended] {
            assert!(FILE_URL_LIFE > retry_span(profile), "{profile:?}");
        }
    }
}
