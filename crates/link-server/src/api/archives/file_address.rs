//! `GET /files/…`: files by their signed URLs. A URL works without other credentials: for 1 hour in a response,
//! for 5 days in an event.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::data::provider_file::FileBytes;
use link_domain::documents::archive::{FileHolder, StoredFile};
use link_domain::documents::document_reader::{ContentLostError, FileContent as _};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::stored_at::StoredAt;
use link_store::{Label, Reader};
use link_types::archive::FileFormat;
use link_types::id::DocumentId;
use sha2::Sha256;

use crate::app::App;
use crate::http::extract::caller::Environment;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};
use crate::uploads::StoredContent;

/// How long a URL in a response is valid.
pub const LIFE: Duration = Duration::from_secs(3_600);

/// The file that a signed URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAddress {
    /// The tenant and environment of the file.
    pub owner: Owner,
    /// The file.
    pub file: StoredAt,
}

impl FileAddress {
    /// Returns the path and query below the environment's base URL, signed with the address key.
    pub fn sign(&self, key: &[u8; 32], now: Wall, life: Duration) -> String {
        let expires = seconds(now + life);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(key, expires).finalize().into_bytes());
        let (source, file) = self.file.ids();
        format!("/files/{}/{source}/{file}?expires={expires}&signature={signature}", self.owner.tenant)
    }

    /// Checks the signature and that the URL has not expired.
    pub fn is_signed(&self, key: &[u8; 32], expires: i64, signature: &str, now: Wall) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        self.mac(key, expires).verify_slice(&signature).is_ok() && seconds(now) < expires
    }

    fn mac(&self, key: &[u8; 32], expires: i64) -> Hmac<Sha256> {
        let padded: [u8; 64] = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded.into());
        let (tenant, mode) = (&self.owner.tenant, self.owner.mode.as_str());
        let (source, file) = self.file.ids();
        mac.update(format!("file\n{tenant}\n{mode}\n{source}\n{file}\n{expires}").as_bytes());
        mac
    }
}

fn seconds(at: Wall) -> i64 {
    at.micros().div_euclid(1_000_000)
}

/// The signature in a file's URL.
pub struct SignedFileQuery {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for SignedFileQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.take_required(
                "expires",
                "When the URL expires",
                "the value from the file's `url`",
            ),
            signature: query.take_required(
                "signature",
                "Signature of the URL",
                "the value from the file's `url`",
            ),
        }
    }
}

/// Returns the content of a file.
///
/// Every error is a 404: an expired or invalid signature, and a file that its archive, form or account no longer has.
pub async fn get(
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
        .store
        .read(move |reader| -> ApiResult<_> {
            let key = reader.derive_key(Label::Export);
            if !address.is_signed(&key, expires, &signature, now) {
                return Ok(None);
            }
            let tenant = reader.tenants().get(&owner.tenant)?;
            if tenant.is_none_or(|it| it.check_active().is_err()) {
                return Ok(None);
            }
            find(reader, &owner, &wanted)
        })
        .await?;
    match found.ok_or_else(Problem::missing)? {
        Found::Uploaded(holder, file) => {
            let content = StoredContent::open(&app, &holder, &file.id).await?;
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
    /// A file of an archive or a form, whose bytes are still to be read.
    Uploaded(FileHolder, StoredFile),
    /// The file of an account's document.
    OfDocument(DocumentId, FileBytes),
}

fn find(reader: &mut Reader<'_>, owner: &Owner, wanted: &StoredAt) -> ApiResult<Option<Found>> {
    Ok(match wanted {
        StoredAt::Archive(id, file) => {
            let archive = reader.archives().get(owner, id)?;
            let file = archive.and_then(|it| it.find_stored_file(file).cloned());
            file.map(|file| Found::Uploaded(FileHolder::from(id), file))
        }
        StoredAt::Form(id, file) => {
            let form = reader.forms().get(owner, id)?;
            let file = form.and_then(|it| it.file(file)?.stored_file().cloned());
            file.map(|file| Found::Uploaded(FileHolder::from(id), file))
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

#[cfg(test)]
mod tests {
    use link_types::Mode;
    use link_types::id::{AccountId, ArchiveId, DocumentId, FileId};

    use super::*;

    const NOW: Wall = Wall::from_micros(1_763_000_000_000_000);

    fn address(mode: Mode, file: u8) -> FileAddress {
        FileAddress {
            owner: Owner { tenant: "demo".parse().unwrap(), mode },
            file: StoredAt::Archive(ArchiveId::from_bytes([1; 16]), FileId::from_bytes([file; 16])),
        }
    }

    fn parts(signed: &str) -> (i64, &str) {
        let (_, query) = signed.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        (expires.parse().unwrap(), signature)
    }

    #[test]
    fn file_signature_is_bound_to_file_environment_and_hour() {
        let mine = address(Mode::Sandbox, 2);
        let signed = mine.sign(&[7; 32], NOW, LIFE);
        let (expires, signature) = parts(&signed);
        assert!(mine.is_signed(&[7; 32], expires, signature, NOW));
        assert!(!mine.is_signed(&[7; 32], expires, signature, NOW + LIFE), "expired");
        assert!(!mine.is_signed(&[7; 32], expires + 1, signature, NOW), "changed expiry");
        assert!(!mine.is_signed(&[8; 32], expires, signature, NOW), "another key");
        assert!(!mine.is_signed(&[7; 32], expires, "", NOW));
        let of_account = StoredAt::Account(AccountId::from_bytes([1; 16]), DocumentId::from_bytes([2; 16]));
        let of_account = FileAddress { file: of_account, ..mine.clone() };
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2), of_account] {
            assert!(!other.is_signed(&[7; 32], expires, signature, NOW));
        }
    }
}
