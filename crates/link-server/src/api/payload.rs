//! Payloads of accounts, archives and users: all data points, with one key for each kind. They have the shape of the
//! payloads of webhooks, but their lists are complete, so that `nextCursor` is always null (ADR 195).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use link_domain::data::data_point::DataPoint;
use link_domain::data::payload::{FILE_URL_LIFE, LastItem, PayloadLinks};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::kernel::source::Source;
use link_domain::kernel::stored_at::StoredAt;
use link_store::{DataPointFilter, Label, ListCursors, PageRequest, PageSize, Reader, Store, StoreError, Tx};
use link_types::data::{self, DataPointKind, WithMetadata};
use link_types::id::{AccountId, ArchiveId, DocumentId, UserId};
use link_types::list::Page;
use serde::Serialize;

use super::archives::file_address::{FileAddress, LIFE};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::problem::{ApiResult, Problem};

macro_rules! document {
    (
        {$($one:ident $One:ident $one_key:ident $one_doc:literal $one_rest:tt)*}
        {$($list:ident $List:ident $list_key:ident $list_doc:literal $list_rest:tt)*}
        {$($made_list:ident $MadeList:ident $made_list_key:ident $made_list_doc:literal $made_list_rest:tt)*}
        {$($made_one:ident $MadeOne:ident $made_one_key:ident $made_one_doc:literal $made_one_rest:tt)*}
    ) => {
        /// All data points of an account, with one key for each kind. A kind without data points is null.
        #[derive(utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        #[expect(dead_code, reason = "only the document reads these fields: the response contains the stored bodies")]
        pub(super) struct AccountPayload {
            metadata: link_types::account::Account,
            $($one_key: Option<data::$One>,)*
            $($list_key: Option<Page<data::$List>>,)*
            $($made_list_key: Option<Page<data::$MadeList>>,)*
            $($made_one_key: Option<data::$MadeOne>,)*
        }

        /// All data points of an archive, with one key for each kind. A kind without data points is null.
        #[derive(utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        #[expect(dead_code, reason = "only the document reads these fields: the response contains the stored bodies")]
        pub(super) struct ArchivePayload {
            metadata: link_types::archive::Archive,
            $($one_key: Option<data::$One>,)*
            $($list_key: Option<Page<data::$List>>,)*
            $($made_list_key: Option<Page<data::$MadeList>>,)*
            $($made_one_key: Option<data::$MadeOne>,)*
        }

        /// All data points of a user, with one key for each kind.
        ///
        /// A kind without data points is null. The metadata of each data point names its account or archive. Only the newest
        /// identity, rating and insight are included; their list endpoints return all of them.
        #[derive(utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        #[expect(dead_code, reason = "only the document reads these fields: the response contains the stored bodies")]
        pub(super) struct UserPayload {
            metadata: link_types::user::User,
            $($one_key: Option<WithMetadata<data::$One>>,)*
            $($list_key: Option<Page<WithMetadata<data::$List>>>,)*
            $($made_list_key: Option<Page<WithMetadata<data::$MadeList>>>,)*
            $($made_one_key: Option<WithMetadata<data::$MadeOne>>,)*
        }
    };
}

link_types::data_points!(shaped document);

/// The text around the items of a list.
const LIST: &[u8] = b"{\"items\":[";
const LIST_END: &[u8] = b"],\"nextCursor\":null}";

/// Reads the bodies of all data points of an account or archive by kind, newest first. Returns none if it was just erased.
pub(crate) fn points_of_source(
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
pub(crate) fn render(
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

/// The links of payloads about one source.
pub struct EventLinks {
    cursors: ListCursors,
    owner: Owner,
    base: String,
    key: [u8; 32],
    now: Wall,
    with_file: BTreeSet<DocumentId>,
}

impl EventLinks {
    /// Creates the links of a payload that is built now.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn new(app: &App, tx: &mut Tx<'_>, (owner, source): (&Owner, &Source), now: Wall) -> ApiResult<Self> {
        let with_file = match source {
            Source::Account(account) => tx.provider_files().documents(account)?,
            Source::Archive(_) | Source::Upload(_) => BTreeSet::new(),
        };
        let (cursors, key) = (tx.page_cursors(owner), tx.derive_key(Label::Export));
        let (owner, base) = (owner.clone(), app.files_base(owner.mode));
        Ok(Self { cursors, owner, base, key, now, with_file })
    }

    /// Creates the links of a payload about an invented source.
    pub(crate) fn for_invented(app: &App, reader: &Reader<'_>, owner: &Owner, now: Wall) -> Self {
        let (cursors, key) = (reader.page_cursors(owner), reader.derive_key(Label::Export));
        let (owner, base) = (owner.clone(), app.files_base(owner.mode));
        Self { cursors, owner, base, key, now, with_file: BTreeSet::new() }
    }
}

impl PayloadLinks for EventLinks {
    fn after(&self, kind: DataPointKind, source_id: &str, last: LastItem<'_>) -> String {
        self.cursors.after(kind, source_id, last)
    }

    fn has_file(&self, document: &DocumentId) -> bool {
        self.with_file.contains(document)
    }

    fn file_url(&self, file: &StoredAt) -> Option<String> {
        let address = FileAddress { owner: self.owner.clone(), file: file.clone() };
        Some(format!("{}{}", self.base, address.sign(&self.key, self.now, FILE_URL_LIFE)))
    }
}

/// Signs the URLs of a tenant's documents. They are valid for 1 hour from the time of the request.
#[derive(Clone)]
pub(crate) struct DocumentUrls {
    base: String,
    owner: Owner,
    now: Wall,
}

impl DocumentUrls {
    /// Creates the URLs for a request.
    pub(super) fn for_caller(app: &App, caller: &TenantCaller) -> Self {
        Self::for_owner(app, caller.owner().clone(), caller.now().wall())
    }

    /// Creates the URLs for a request about an owner's data.
    pub(crate) fn for_owner(app: &App, owner: Owner, now: Wall) -> Self {
        Self { base: app.files_base(owner.mode), owner, now }
    }

    /// Adds the URLs to data points of one kind. A document of an archive gets the URL of the archive's first file, and a
    /// document of an account gets the URL of the document's file.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(super) fn add(
        &self,
        reader: &mut Reader<'_>,
        kind: DataPointKind,
        points: Vec<DataPoint>,
    ) -> ApiResult<Vec<DataPoint>> {
        if kind != DataPointKind::Documents {
            return Ok(points);
        }
        let key = reader.derive_key(Label::Export);
        let mut files = Files::default();
        let mut shown = Vec::with_capacity(points.len());
        for point in points {
            let address = files.find(reader, &self.owner, &point)?.map(|file| {
                let owner = self.owner.clone();
                FileAddress { owner, file }
            });
            shown.push(match address {
                Some(address) => {
                    point.with_file_url(|| format!("{}{}", self.base, address.sign(&key, self.now, LIFE)))
                }
                None => point,
            });
        }
        Ok(shown)
    }
}

/// The files of the sources that were looked up for one response.
#[derive(Default)]
struct Files {
    of_archives: BTreeMap<ArchiveId, Option<StoredAt>>,
    of_accounts: BTreeMap<AccountId, BTreeSet<DocumentId>>,
}

impl Files {
    /// Returns the file of a document, if it has one. Looks up each source once.
    fn find(
        &mut self,
        reader: &mut Reader<'_>,
        owner: &Owner,
        document: &DataPoint,
    ) -> ApiResult<Option<StoredAt>> {
        Ok(match &document.scope {
            ErasureScope::Archive(archive) => match self.of_archives.get(archive) {
                Some(known) => known.clone(),
                None => {
                    let file = first_file(reader, owner, archive)?;
                    self.of_archives.insert(archive.clone(), file.clone());
                    file
                }
            },
            ErasureScope::Account(account) => {
                let documents = match self.of_accounts.entry(account.clone()) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(vacant) => vacant.insert(reader.provider_files().documents(account)?),
                };
                let id = document.id.parse().ok().filter(|id| documents.contains(id));
                id.map(|id| StoredAt::Account(account.clone(), id))
            }
            ErasureScope::Record(_)
            | ErasureScope::Signal(_)
            | ErasureScope::Form(_)
            | ErasureScope::Invite(_) => None,
        })
    }
}

fn first_file(reader: &mut Reader<'_>, owner: &Owner, archive: &ArchiveId) -> ApiResult<Option<StoredAt>> {
    let archive = reader.archives().get(owner, archive)?;
    Ok(archive.and_then(|it| {
        let file = it.stored_files().first()?.id.clone();
        Some(StoredAt::Archive(it.id, file))
    }))
}
