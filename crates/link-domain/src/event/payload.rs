//! Payload of a finished task: all eleven keys, with lists newest first and at most 300 items long.

use link_types::data::{DataPointBody, DataPointKind, PAYLOAD_ITEMS, Payload};
use link_types::list::Page;

use crate::clock::TenantTime;

/// Creates the `nextCursor` of a payload's list. It equals the cursor that the matching list endpoint, filtered by
/// `sourceId`, returns after the same item.
pub trait PageCursors {
    /// Returns the cursor that continues after `last`.
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String;
}

/// Last item of a page: the sort key of lists, which are newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastItem<'a> {
    /// The item's `itemCreatedAt`.
    pub created_at: TenantTime,
    /// The item's id.
    pub id: &'a str,
}

/// Builds the payload of the data points of a source, passed in creation order with their creation times.
pub(crate) fn payload(
    bodies: &[(&DataPointBody, TenantTime)],
    source_id: &str,
    cursors: &dyn PageCursors,
) -> Payload {
    macro_rules! page {
        ($variant:ident) => {
            page(
                bodies.iter().rev().filter_map(|(body, created_at)| {
                    if let DataPointBody::$variant(item) = body { Some((item, *created_at)) } else { None }
                }),
                |last, created_at| {
                    let id = last.id.as_str();
                    cursors.after(
                        DataPointBody::$variant(last.clone()).kind(),
                        source_id,
                        LastItem { created_at, id },
                    )
                },
            )
        };
    }
    Payload {
        identity: bodies.iter().rev().find_map(|(body, _)| {
            if let DataPointBody::Identity(identity) = body { Some((**identity).clone()) } else { None }
        }),
        rating: bodies.iter().rev().find_map(|(body, _)| {
            if let DataPointBody::Rating(rating) = body { Some(rating.clone()) } else { None }
        }),
        documents: page!(Document),
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
