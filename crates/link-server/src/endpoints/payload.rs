//! What the payloads of accounts, archives and users share: the bodies of every kind, in the keys of the interface.

use std::collections::BTreeMap;

use link_domain::data_point::DataPoint;
use link_domain::owner::Owner;
use link_store::{DataPointFilter, PageRequest, PageSize, Reader};
use link_types::data::DataPointKind;
use serde::Serialize;

use crate::http::list;
use crate::http::problem::{Answer, Problem};

/// The data points of every kind, newest first, page after page, each as `show` has it.
pub(super) fn all_points(
    reader: &mut Reader<'_>,
    owner: &Owner,
    filter: DataPointFilter<'_>,
    show: fn(DataPoint) -> Vec<u8>,
) -> Answer<BTreeMap<DataPointKind, Vec<Vec<u8>>>> {
    let mut by_kind: BTreeMap<DataPointKind, Vec<Vec<u8>>> = BTreeMap::new();
    for kind in DataPointKind::ALL {
        let mut request = PageRequest::first(PageSize::new(PageSize::MAX.into())?);
        loop {
            let page = reader.data_points(owner, *kind, filter, &request)?;
            if !page.items.is_empty() {
                by_kind.entry(*kind).or_default().extend(page.items.into_iter().map(show));
            }
            match page.next_cursor {
                Some(cursor) => request = PageRequest::after(request.size, cursor),
                None => break,
            }
        }
    }
    Ok(by_kind)
}

/// The bodies of one account's or archive's data points.
pub(super) fn points_of_source(
    reader: &mut Reader<'_>,
    owner: &Owner,
    source: &str,
) -> Answer<BTreeMap<DataPointKind, Vec<Vec<u8>>>> {
    let filter = DataPointFilter { source: Some(source), ..DataPointFilter::default() };
    all_points(reader, owner, filter, |point| point.body)
}

/// The payload: what the data comes from, then every key, null where nothing is known.
pub(super) fn render(
    metadata: &impl Serialize,
    by_kind: &BTreeMap<DataPointKind, Vec<Vec<u8>>>,
) -> Answer<Vec<u8>> {
    let mut body = b"{\"metadata\":".to_vec();
    body.extend(serde_json::to_vec(metadata).map_err(Problem::system)?);
    for kind in DataPointKind::ALL {
        let (key, single) = key_of(*kind);
        body.extend(format!(",\"{key}\":").bytes());
        match by_kind.get(kind) {
            None => body.extend(b"null"),
            Some(bodies) if single => body.extend(bodies.first().map_or(b"null".as_slice(), Vec::as_slice)),
            Some(bodies) => body.extend(list::array(bodies)),
        }
    }
    body.push(b'}');
    Ok(body)
}

/// The payload's key of a kind, and whether there is at most one.
const fn key_of(kind: DataPointKind) -> (&'static str, bool) {
    match kind {
        DataPointKind::Identities => ("identity", true),
        DataPointKind::Ratings => ("rating", true),
        DataPointKind::Insights => ("insight", true),
        DataPointKind::Documents => ("documents", false),
        DataPointKind::Employments => ("employments", false),
        DataPointKind::Incomes => ("incomes", false),
        DataPointKind::Transactions => ("transactions", false),
        DataPointKind::Contributions => ("contributions", false),
        DataPointKind::Liabilities => ("liabilities", false),
        DataPointKind::Eincomes => ("eincomes", false),
        DataPointKind::Links => ("links", false),
    }
}
