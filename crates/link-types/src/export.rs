//! Exports: an account's data points as a file (`service.md`, "Resources": exports).

use serde::{Deserialize, Serialize};

use crate::{
    id::{AccountId, ExportId},
    time::Timestamp,
};

words! {
    /// What an export is written as.
    ExportFormat {
        /// Tables on A4 pages, for a person to read.
        Pdf = "PDF",
        /// One row a data point, for a spreadsheet.
        Csv = "CSV",
        /// The account's payload.
        Json = "JSON",
    }
}

impl ExportFormat {
    /// The media type it is served with.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Json => "application/json",
        }
    }
}

/// An account's data points as a file, as they were when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// Prefix `export-`.
    pub id: ExportId,
    /// The account.
    pub account_id: AccountId,
    /// What it is written as.
    pub format: ExportFormat,
    /// Signed address of the file; it answers until `expiresAt`, or until the account is revoked.
    pub download_url: String,
    /// SHA-256 of the file, lower-case hex.
    pub sha256: String,
    /// Creation.
    pub created_at: Timestamp,
    /// The address's end.
    pub expires_at: Timestamp,
}
