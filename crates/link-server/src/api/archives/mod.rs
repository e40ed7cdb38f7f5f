//! `/archives`: documents that people, or tenants on their behalf, uploaded.

mod consent;
mod create;
pub mod file;
mod file_address;
mod get;
mod list;
mod payload;
mod revoke;

use axum::routing::get;
use link_domain::archive::Archive;
use link_domain::clock::Wall;
use link_types::archive;
use link_types::id::FileId;

use crate::api::archives::file_address::FileAddress;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;

/// Returns the routes of archives.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, revoke::handler))
        .routes(routes!(payload::handler))
        .routes(routes!(consent::handler))
        // Clients get this URL from an archive's `files`, so it is not an operation of the document.
        .route("/files/{tenant}/{archive}/{file}", get(file::handler))
}

/// Returns the archive as REST shows it, with file URLs that are valid from now on. `None` if it is not submitted.
fn view(app: &App, caller: &TenantCaller, key: &[u8; 32], archive: &Archive) -> Option<archive::Archive> {
    view_at(app, caller.now().wall(), key, archive)
}

fn view_at(app: &App, now: Wall, key: &[u8; 32], archive: &Archive) -> Option<archive::Archive> {
    let base = app.files_base(archive.owner.mode);
    let url = |file_id: &FileId| {
        let address = FileAddress {
            owner: archive.owner.clone(),
            archive_id: archive.id.clone(),
            file_id: file_id.clone(),
        };
        format!("{base}{}", address.signed(key, now))
    };
    archive.view(url)
}
