//! `GET /files/…`: returns the content of a file by its signed URL, with headers that keep browsers from running it.

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::archive::StoredFile;
use link_domain::owner::Owner;
use link_domain::ports::{ContentLost, FileContent as _};
use link_store::Label;

use crate::api::archives::file_address::FileAddress;
use crate::app::App;
use crate::http::extract::caller::Environment;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};
use crate::uploads::StoredContent;

/// The signature in a file's URL.
pub struct Signed {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for Signed {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.required("expires", "When the URL expires", "the value from the file's `url`"),
            signature: query.required("signature", "Signature of the URL", "the value from the file's `url`"),
        }
    }
}

/// Returns the content of a file.
///
/// Every error is a 404: an expired or invalid signature, and a file that its archive no longer has.
pub async fn handler(
    State(app): State<App>,
    Environment(mode): Environment,
    Path((tenant, archive, file)): Path<(String, String, String)>,
    Query(signed): Query<Signed>,
) -> ApiResult<Response> {
    let missing = |_| Problem::missing();
    let address = FileAddress {
        owner: Owner { tenant: tenant.parse().map_err(missing)?, mode },
        archive_id: archive.parse().map_err(missing)?,
        file_id: file.parse().map_err(missing)?,
    };
    let (expires, signature) = signed.expires.zip(signed.signature).ok_or_else(Problem::missing)?;
    let now = app.wall();
    let wanted = address.clone();
    let found = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let key = reader.derived_key(Label::Export);
            if !wanted.is_signed(&key, expires, &signature, now) {
                return Ok(None);
            }
            let archive = reader.archives().get(&wanted.owner, &wanted.archive_id)?;
            Ok(archive.and_then(|it| it.stored_file(&wanted.file_id).cloned()))
        })
        .await?;
    let file = found.ok_or_else(Problem::missing)?;
    let content = StoredContent::open(&app, &address.archive_id, &address.file_id).await?;
    Ok((headers(&file), body(content)).into_response())
}

fn headers(file: &StoredFile) -> [(HeaderName, HeaderValue); 6] {
    let fixed = HeaderValue::from_static;
    [
        (header::CONTENT_TYPE, fixed(file.format.media_type())),
        (header::CONTENT_LENGTH, HeaderValue::from(file.size_bytes)),
        (header::CONTENT_DISPOSITION, disposition(file)),
        (header::CONTENT_SECURITY_POLICY, fixed("sandbox; default-src 'none'")),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (header::CACHE_CONTROL, fixed("private, no-store")),
    ]
}

/// Returns a header that saves the file under its id.
///
/// The person's file name is not used, because it may contain personal data and any characters.
fn disposition(file: &StoredFile) -> HeaderValue {
    let extension = file.format.as_str().to_ascii_lowercase();
    let text = format!("attachment; filename=\"{}.{extension}\"", file.id);
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

/// Streams the content segment by segment. The stream fails if the archive is erased meanwhile.
fn body(content: StoredContent) -> Body {
    let pieces = futures_util::stream::try_unfold(content, |mut content| async move {
        let piece: Option<Vec<u8>> = content.next().await?;
        Ok::<_, ContentLost>(piece.map(|piece| (Bytes::from(piece), content)))
    });
    Body::from_stream(pieces)
}
