//! tus 1.0, a protocol for resumable uploads: its headers and rules, independent of storage.
//!
//! Our own: tus leaves open when a file is inspected, and what happens to a second request for it (ADR 68).

mod headers;
pub mod layer;
mod metadata;
mod upload_locks;

pub use headers::{Append, Creation, append, creation, locked, too_many_bytes};
pub use metadata::Metadata;
pub use upload_locks::{UploadLock, UploadLocks};

use axum::http::HeaderName;

/// The supported version of the protocol.
pub const VERSION: &str = "1.0.0";
/// The supported extensions of the protocol.
pub const EXTENSIONS: &str = "creation,creation-with-upload,expiration,termination";
/// The media type of an append.
pub const OFFSET_STREAM: &str = "application/offset+octet-stream";

/// The protocol version of a request or response.
pub const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
/// The supported versions.
pub const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
/// The supported extensions.
pub const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
/// The maximum size of an upload in bytes.
pub const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
/// The number of bytes received so far.
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// The size of the file in bytes.
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// The metadata of an upload.
pub const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
/// When an unfinished upload expires.
pub const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// The intended method, for clients that can send only `POST`.
pub const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");
