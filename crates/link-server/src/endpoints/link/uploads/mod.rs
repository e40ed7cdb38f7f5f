//! Files on their way in, by tus 1.0. An upload is a file of one of the attempt's archives.

mod append;
mod create;
mod head;
mod options;
mod overridden;
mod receive;
mod terminate;

use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::from_fn;
use axum::routing::{options as on_options, post as on_post};
use link_domain::archive::{Archive, UPLOAD_LIFE, UploadingFile};
use link_domain::link::LinkSession;
use link_store::Reader;
use link_types::id::FileId;

use super::archives::own;
use crate::app::App;
use crate::http::caller::SessionCaller;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{Answer, Problem};
use crate::http::tus::{self, UPLOAD_EXPIRES, UPLOAD_LENGTH, UPLOAD_OFFSET};

/// The routes of uploads. What tus itself describes (OPTIONS, methods in disguise) is no operation of the document.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler))
        .routes(routes!(head::handler, append::handler, terminate::handler))
        .route("/link/uploads", on_options(async || options::answer("POST,OPTIONS")))
        .route(
            "/link/uploads/{id}",
            on_post(overridden::handler).options(async || options::answer("HEAD,PATCH,DELETE,POST,OPTIONS")),
        )
        .layer(from_fn(tus::layer::layer))
}

/// The archive that has this file, and the file: of the session's user, and not submitted.
fn find(reader: &mut Reader<'_>, session: &LinkSession, id: &FileId) -> Answer<(Archive, UploadingFile)> {
    let archive = reader.archive_of_file(id)?.ok_or_else(Problem::missing)?;
    let archive = own(reader.archive(&session.owner, &archive)?, &session.user_id)?;
    let file = archive.uploading(id).cloned().ok_or_else(Problem::missing)?;
    Ok((archive, file))
}

/// Looked at before a turn is asked for: nobody makes another person's upload give way.
async fn check_own(app: &App, caller: &SessionCaller, id: &FileId) -> Answer<()> {
    let (session, id) = (caller.session().clone(), id.clone());
    app.store().read(move |reader| find(reader, &session, &id).map(|_| ())).await
}

/// Where an upload stands, in tus' headers.
fn standing(archive: &Archive, file: &UploadingFile) -> HeaderMap {
    HeaderMap::from_iter([
        (UPLOAD_OFFSET, HeaderValue::from(file.received_bytes())),
        (UPLOAD_LENGTH, HeaderValue::from(file.size_bytes())),
        (UPLOAD_EXPIRES, expires(archive)),
    ])
}

/// When the upload goes unless more of it comes, as HTTP writes a moment.
fn expires(archive: &Archive) -> HeaderValue {
    let at = archive.updated_at + UPLOAD_LIFE;
    let seconds = u64::try_from(at.micros() / 1_000_000).unwrap_or(0);
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    HeaderValue::from_str(&httpdate::fmt_http_date(at)).unwrap_or_else(|_| HeaderValue::from_static("0"))
}
