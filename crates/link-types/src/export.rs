//! Exports of an account's data points to a file (`service.md`, "Resources": exports).

use serde::{Deserialize, Serialize};

use crate::{
    id::{AccountId, ExportId},
    time::Timestamp,
};

words! {
    /// File format of an export.
    ExportFormat {
        /// PDF with tables on A4 pages, for reading and printing.
        Pdf = "PDF",
        /// CSV with one row per data point, for spreadsheets.
        Csv = "CSV",
        /// JSON with the account's payload.
        Json = "JSON",
    }
}

impl ExportFormat {
    /// Returns the media type that the file is served with.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Json => "application/json",
        }
    }
}

/// A file with an account's data points, as they were when the export was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// Unique identifier of the export, with the prefix `export-`.
    pub id: ExportId,
    /// Account whose data points were exported.
    pub account_id: AccountId,
    /// File format.
    pub format: ExportFormat,
    /// Signed URL of the file. It is valid until `expiresAt`, or until the account is revoked.
    pub download_url: String,
    /// SHA-256 of the file, in lowercase hex.
    pub sha256: String,
    /// Time at which the export was created.
    pub created_at: Timestamp,
    /// Time at which `downloadUrl` expires.
    pub expires_at: Timestamp,
}
