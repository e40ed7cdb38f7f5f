//! `/archives`: documents that people uploaded, or tenants for them.

mod consent;
mod create;
pub mod file;
mod get;
mod list;
mod payload;
mod revoke;

use axum::routing::get;
use link_domain::archive::Archive;
use link_domain::clock::Wall;
use link_types::archive;
use link_types::id::FileId;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::file_address::FileAddress;

/// The routes of archives.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(list::handler, create::handler))
        .routes(routes!(get::handler, revoke::handler))
        .routes(routes!(payload::handler))
        .routes(routes!(consent::handler))
        // An address of its own making, shown in an archive's `files`: no operation of the document.
        .route("/files/{tenant}/{archive}/{file}", get(file::handler))
}

/// The archive as REST shows it, its files with addresses that count from now; null before it is submitted.
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
