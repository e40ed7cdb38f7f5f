//! The `fileUrl` of documents whose file the service itself stores: a signed URL that ends with the archive.

use std::collections::BTreeMap;

use link_domain::clock::Wall;
use link_domain::data_point::DataPoint;
use link_domain::owner::Owner;
use link_domain::scope::ErasureScope;
use link_store::{Label, Reader};
use link_types::data::DataPointKind;
use link_types::id::ArchiveId;

use super::archives::file_address::FileAddress;
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

    /// Adds the URLs to data points of one kind. A document of an archive gets the URL of the archive's first file.
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
        let mut files: BTreeMap<ArchiveId, Option<FileAddress>> = BTreeMap::new();
        let mut shown = Vec::with_capacity(points.len());
        for point in points {
            let ErasureScope::Archive(archive) = point.scope.clone() else {
                shown.push(point);
                continue;
            };
            let address = match files.get(&archive) {
                Some(known) => known.clone(),
                None => {
                    let address = self.first_file(reader, &archive)?;
                    files.insert(archive, address.clone());
                    address
                }
            };
            shown.push(match address {
                Some(address) => {
                    point.with_file_url(|| format!("{}{}", self.base, address.signed(&key, self.now)))
                }
                None => point,
            });
        }
        Ok(shown)
    }

    fn first_file(&self, reader: &mut Reader<'_>, archive: &ArchiveId) -> ApiResult<Option<FileAddress>> {
        let archive = reader.archives().get(&self.owner, archive)?;
        Ok(archive.and_then(|it| {
            let file_id = it.stored_files().first()?.id.clone();
            Some(FileAddress { owner: self.owner.clone(), archive_id: it.id, file_id })
        }))
    }
}
