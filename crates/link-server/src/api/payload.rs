//! Payloads of accounts, archives and users: all data points, with one key for each kind. They have the shape of the
//! payloads of webhooks, but their lists are complete, so that `nextCursor` is always null (ADR 195).

use std::collections::BTreeMap;

use link_domain::data::data_point::DataPoint;
use link_domain::kernel::owner::Owner;
use link_store::{DataPointFilter, PageRequest, PageSize, Reader, Store, StoreError};
use link_types::data::DataPointKind;
use link_types::id::UserId;
use serde::Serialize;

use crate::api::document_urls::DocumentUrls;
use crate::http::problem::{ApiResult, Problem};

/// The text around the items of a list.
const LIST: &[u8] = b"{\"items\":[";
const LIST_END: &[u8] = b"],\"nextCursor\":null}";

/// Reads the bodies of all data points of an account or archive by kind, newest first. Returns none if it was just erased.
pub(super) fn points_of_source(
    reader: &mut Reader<'_>,
    owner: &Owner,
    source: &str,
    urls: &DocumentUrls,
) -> ApiResult<BTreeMap<DataPointKind, Vec<Vec<u8>>>> {
    let points = match reader.data_points().of_source(owner, source) {
        Err(StoreError::Erased) => Vec::new(),
        points => points?,
    };
    let mut by_kind: BTreeMap<DataPointKind, Vec<DataPoint>> = BTreeMap::new();
    for point in points.into_iter().rev() {
        by_kind.entry(point.kind).or_default().push(point);
    }
    let mut bodies = BTreeMap::new();
    for (kind, points) in by_kind {
        let points = urls.add(reader, kind, points)?;
        bodies.insert(kind, points.into_iter().map(|point| point.body).collect());
    }
    Ok(bodies)
}

/// A user's payload in pieces. Only one page of data points is in memory at a time.
pub(super) struct UserPieces {
    store: Store,
    owner: Owner,
    user: UserId,
    urls: DocumentUrls,
    /// The kinds that are not written yet. `None` once the payload is complete.
    kinds: Option<&'static [DataPointKind]>,
    /// The next page of the first kind.
    page: Option<PageRequest>,
    /// Whether a body of the first kind was written.
    opened: bool,
}

impl UserPieces {
    /// Creates the pieces that follow the payload's metadata.
    pub(super) fn new(store: Store, owner: Owner, user: UserId, urls: DocumentUrls) -> Self {
        Self { store, owner, user, urls, kinds: Some(DataPointKind::ALL), page: None, opened: false }
    }

    /// Returns the next piece. `None` after the last one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(super) async fn next(&mut self) -> ApiResult<Option<Vec<u8>>> {
        let Some(kinds) = self.kinds else { return Ok(None) };
        let Some((kind, rest)) = kinds.split_first() else {
            self.kinds = None;
            return Ok(Some(b"}".to_vec()));
        };
        let (key, single) = (kind.key(), kind.is_single());
        let mut piece = Vec::new();
        let request = match self.page.take() {
            Some(request) => request,
            None => {
                piece.extend(format!(",\"{key}\":").bytes());
                PageRequest::first(PageSize::new(if single { 1 } else { PageSize::MAX.into() })?)
            }
        };
        let (owner, user, kind, asked) = (self.owner.clone(), self.user.clone(), *kind, request.clone());
        let urls = self.urls.clone();
        let read = self.store.read(move |reader| -> ApiResult<_> {
            let filter = DataPointFilter { user: Some(&user), ..DataPointFilter::default() };
            let page = reader.data_points().list(&owner, kind, filter, &asked)?;
            Ok((urls.add(reader, kind, page.items)?, page.next_cursor))
        });
        let (points, next_cursor) = read.await?;
        let before: &[u8] = if single { b"" } else { LIST };
        for point in points {
            piece.extend_from_slice(if self.opened { b"," } else { before });
            piece.extend(point.rest_json());
            self.opened = true;
        }
        match next_cursor.filter(|_| !(single && self.opened)) {
            Some(cursor) => self.page = Some(PageRequest::after(request.size, cursor)),
            None => {
                let end: &[u8] = match (self.opened, single) {
                    (false, _) => b"null",
                    (true, true) => b"",
                    (true, false) => LIST_END,
                };
                piece.extend_from_slice(end);
                (self.kinds, self.opened) = (Some(rest), false);
            }
        }
        Ok(Some(piece))
    }
}

/// Renders the payload: the metadata of the source, and a key for each kind.
///
/// The value of a kind without data points is null.
pub(super) fn render(
    metadata: &impl Serialize,
    by_kind: &BTreeMap<DataPointKind, Vec<Vec<u8>>>,
) -> ApiResult<Vec<u8>> {
    let mut body = b"{\"metadata\":".to_vec();
    body.extend(serde_json::to_vec(metadata).map_err(Problem::system)?);
    for kind in DataPointKind::ALL {
        let (key, single) = (kind.key(), kind.is_single());
        body.extend(format!(",\"{key}\":").bytes());
        match by_kind.get(kind) {
            None => body.extend(b"null"),
            Some(bodies) if single => body.extend(bodies.first().map_or(b"null".as_slice(), Vec::as_slice)),
            Some(bodies) => {
                body.extend(LIST);
                body.extend(bodies.join(&b','));
                body.extend(LIST_END);
            }
        }
    }
    body.push(b'}');
    Ok(body)
}
