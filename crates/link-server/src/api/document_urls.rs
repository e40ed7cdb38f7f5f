//! The `fileUrl` of documents whose file the service itself stores: a signed URL that ends with the document's source.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use link_domain::data::data_point::DataPoint;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::kernel::stored_at::StoredAt;
use link_store::{Label, Reader};
use link_types::data::DataPointKind;
use link_types::id::{AccountId, ArchiveId, DocumentId};

use super::archives::file_address::{FileAddress, LIFE};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::problem::ApiResult;

/// Signs the URLs of a tenant's documents. They are valid for 1 hour from the time of the request.
#[derive(Clone)]
pub(super) struct DocumentUrls {
    base: String,
    owner: Owner,
    now: Wall,
}

impl DocumentUrls {
    /// Creates the URLs for a request.
    pub(super) fn of(app: &App, caller: &TenantCaller) -> Self {
        let owner = caller.owner().clone();
        Self { base: app.files_base(owner.mode), owner, now: caller.now().wall() }
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
        let key = reader.derived_key(Label::Export);
        let mut files = Files::default();
        let mut shown = Vec::with_capacity(points.len());
        for point in points {
            let address = files.of(reader, &self.owner, &point)?.map(|file| {
                let owner = self.owner.clone();
                FileAddress { owner, file }
            });
            shown.push(match address {
                Some(address) => {
                    point.with_file_url(|| format!("{}{}", self.base, address.signed(&key, self.now, LIFE)))
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
    fn of(
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
