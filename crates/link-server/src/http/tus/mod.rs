//! tus 1.0, the protocol of resumable uploads: its headers and its rules, without the uploads themselves.

mod headers;
pub mod layer;
mod metadata;
mod turns;

pub use headers::{Append, Creation, append, creation, locked, too_many_bytes};
pub use metadata::Metadata;
pub use turns::{Turn, Turns};

use axum::http::HeaderName;

/// The version that is spoken.
pub const VERSION: &str = "1.0.0";
/// The extensions of the protocol that are there.
pub const EXTENSIONS: &str = "creation,creation-with-upload,expiration,termination";
/// The media type of bytes at an offset.
pub const OFFSET_STREAM: &str = "application/offset+octet-stream";

/// The version of a request or an answer.
pub const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
/// The versions that are spoken.
pub const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
/// The extensions that are there.
pub const TUS_EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
/// Bytes an upload may have.
pub const TUS_MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
/// Bytes that are there.
pub const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// Bytes in all.
pub const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
/// What is said of an upload.
pub const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
/// When an unfinished upload goes.
pub const UPLOAD_EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// The method that is meant, from clients that cannot send it.
pub const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");
