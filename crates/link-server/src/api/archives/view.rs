//! The archive as REST shows it.

use link_domain::documents::archive::Archive;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::stored_at::StoredAt;
use link_types::archive;
use link_types::id::FileId;

use super::file_address::{FileAddress, LIFE};
use crate::app::App;
use crate::http::extract::caller::TenantCaller;

/// Returns the archive as REST shows it, with file URLs that are valid from now on. `None` if it is not submitted.
pub(super) fn view(
    app: &App,
    caller: &TenantCaller,
    key: &[u8; 32],
    archive: &Archive,
) -> Option<archive::Archive> {
    view_at(app, caller.now().wall(), key, archive)
}

/// Builds the [`view`] for a caller whose clock shows `now`.
pub(super) fn view_at(app: &App, now: Wall, key: &[u8; 32], archive: &Archive) -> Option<archive::Archive> {
    let base = app.files_base(archive.owner.mode);
    let url = |file_id: &FileId| {
        let address = FileAddress {
            owner: archive.owner.clone(),
            file: StoredAt::Archive(archive.id.clone(), file_id.clone()),
        };
        format!("{base}{}", address.signed(key, now, LIFE))
    };
    archive.view(url)
}
