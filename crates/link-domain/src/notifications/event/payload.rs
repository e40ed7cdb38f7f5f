//! Payload of a finished task: all eleven keys, with lists newest first and at most 300 items long.

use std::time::Duration;

use link_types::data::{DataPointBody, DataPointKind, PAYLOAD_ITEMS, Payload};
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
    macro_rules! page {
        ($variant:ident) => {
            page(
                bodies.iter().rev().filter_map(|(body, created_at)| {
                    if let DataPointBody::$variant(item) = body { Some((item, *created_at)) } else { None }
                }),
                |last, created_at| {
                    let id = last.id.as_str();
                    links.after(
                        DataPointBody::$variant(last.clone()).kind(),
                        source_id,
                        LastItem { created_at, id },
                    )
                },
            )
        };
    }
    let mut documents = page!(Document);
    for document in documents.iter_mut().flat_map(|page| &mut page.items) {
        if document.file_url.is_none() {
            document.file_url = file_of(&document.id).and_then(|file| links.file_url(&file));
        }
    }
    Payload {
        identity: bodies.iter().rev().find_map(|(body, _)| {
            if let DataPointBody::Identity(identity) = body { Some((**identity).clone()) } else { None }
        }),
        rating: bodies.iter().rev().find_map(|(body, _)| {
            if let DataPointBody::Rating(rating) = body { Some(rating.clone()) } else { None }
        }),
        documents,
        incomes: page!(Income),
        transactions: page!(Transaction),
        employments: page!(Employment),
        contributions: page!(Contribution),
        liabilities: page!(Liability),
        eincomes: page!(EstimatedIncome),
        links: page!(Link),
        insight: bodies.iter().rev().find_map(|(body, _)| {
            if let DataPointBody::Insight(insight) = body { Some(insight.clone()) } else { None }
        }),
    }
}

fn page<'a, T: Clone + 'a>(
    newest_first: impl Iterator<Item = (&'a T, TenantTime)>,
    cursor: impl FnOnce(&T, TenantTime) -> String,
) -> Option<Page<T>> {
    let mut found: Vec<_> = newest_first.take(PAYLOAD_ITEMS + 1).collect();
    let more = found.len() > PAYLOAD_ITEMS;
    found.truncate(PAYLOAD_ITEMS);
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
