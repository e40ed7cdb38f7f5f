//! `GET /files/…`: returns the content of a file by its signed URL, with headers that keep browsers from running it.

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::documents::archive::StoredFile;
use link_domain::documents::document_reader::{ContentLostError, FileContent as _};
use link_domain::documents::provider_file::FileBytes;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::stored_at::StoredAt;
use link_store::{Label, Reader};
use link_types::archive::FileFormat;
use link_types::id::{ArchiveId, DocumentId};

use crate::api::archives::file_address::FileAddress;
use crate::app::App;
use crate::http::extract::caller::Environment;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};
use crate::uploads::StoredContent;

/// The signature in a file's URL.
pub struct SignedFileQuery {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for SignedFileQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.required("expires", "When the URL expires", "the value from the file's `url`"),
            signature: query.required("signature", "Signature of the URL", "the value from the file's `url`"),
        }
    }
}

/// Returns the content of a file.
///
/// Every error is a 404: an expired or invalid signature, and a file that its archive or account no longer has.
pub async fn handler(
    State(app): State<App>,
    Environment(mode): Environment,
    Path((tenant, source, file)): Path<(String, String, String)>,
    Query(signed): Query<SignedFileQuery>,
) -> ApiResult<Response> {
    let address = FileAddress {
        owner: Owner { tenant: tenant.parse().map_err(|_| Problem::missing())?, mode },
        file: StoredAt::parse(&source, &file).ok_or_else(Problem::missing)?,
    };
    let (expires, signature) = signed.expires.zip(signed.signature).ok_or_else(Problem::missing)?;
    let now = app.wall();
    let (wanted, owner) = (address.file.clone(), address.owner.clone());
    let found = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let key = reader.derived_key(Label::Export);
            if !address.is_signed(&key, expires, &signature, now) {
                return Ok(None);
            }
            find(reader, &owner, &wanted)
        })
        .await?;
    match found.ok_or_else(Problem::missing)? {
        Found::OfArchive(archive, file) => {
            let content = StoredContent::open(&app, &archive, &file.id).await?;
            let headers = headers(file.format, file.size_bytes.into(), file.id.as_str());
            Ok((headers, body(content)).into_response())
        }
        Found::OfDocument(document, content) => {
            let size = content.as_slice().len() as u64;
            let headers = headers(content.format(), size, document.as_str());
            Ok((headers, content.into_bytes()).into_response())
        }
    }
}

/// A file that exists.
enum Found {
    /// A file of an archive, whose bytes are still to be read.
    OfArchive(ArchiveId, StoredFile),
    /// The file of an account's document.
    OfDocument(DocumentId, FileBytes),
}

fn find(reader: &mut Reader<'_>, owner: &Owner, wanted: &StoredAt) -> ApiResult<Option<Found>> {
    Ok(match wanted {
        StoredAt::Archive(id, file) => {
            let archive = reader.archives().get(owner, id)?;
            let file = archive.and_then(|it| it.stored_file(file).cloned());
            file.map(|file| Found::OfArchive(id.clone(), file))
        }
        StoredAt::Account(id, document) => {
            let content = reader.provider_files().get(owner, id, document)?;
            content.map(|content| Found::OfDocument(document.clone(), content))
        }
    })
}

/// Returns the headers of a file, which is saved under its id. A person's own file name is not used, because it may
/// contain personal data and any characters.
fn headers(format: FileFormat, size: u64, id: &str) -> [(HeaderName, HeaderValue); 6] {
    let fixed = HeaderValue::from_static;
    let extension = format.as_str().to_ascii_lowercase();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{id}.{extension}\""));
    [
        (header::CONTENT_TYPE, fixed(format.media_type())),
        (header::CONTENT_LENGTH, HeaderValue::from(size)),
        (header::CONTENT_DISPOSITION, disposition.unwrap_or_else(|_| fixed("attachment"))),
        (header::CONTENT_SECURITY_POLICY, fixed("sandbox; default-src 'none'")),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (header::CACHE_CONTROL, fixed("private, no-store")),
    ]
}

/// Streams the content segment by segment. The stream fails if the archive is erased meanwhile.
fn body(content: StoredContent) -> Body {
    let pieces = futures_util::stream::try_unfold(content, |mut content| async move {
        let piece: Option<Vec<u8>> = content.next().await?;
        Ok::<_, ContentLostError>(piece.map(|piece| (Bytes::from(piece), content)))
    });
    Body::from_stream(pieces)
}
