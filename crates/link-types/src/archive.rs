//! Archives: documents a person (or the tenant) uploaded (`resources.md`: Archive).

use serde::{Deserialize, Serialize};

use crate::{
    id::{ArchiveId, FileId, UserId},
    time::Timestamp,
};

words! {
    /// The kind of document an archive holds.
    ArchiveType {
        /// A payslip.
        Payslip = "PAYSLIP",
        /// A tax return or statement.
        TaxDocument = "TAX_DOCUMENT",
        /// A company's identity card.
        CompanyId = "COMPANY_ID",
        /// A proof of identity.
        Identification = "IDENTIFICATION",
        /// A clearance.
        Clearance = "CLEARANCE",
        /// A certificate of employment or of contributions.
        Certificate = "CERTIFICATE",
        /// A bank statement.
        BankStatement = "BANK_STATEMENT",
    }
}

words! {
    /// How far an archive has come.
    ArchiveStatus {
        /// Its files are there and are being read.
        Started = "STARTED",
        /// They were read.
        Analyzed = "ANALYZED",
        /// They are no document this service can read.
        Unsupported = "UNSUPPORTED",
        /// Reading failed.
        Error = "ERROR",
        /// The person took it back.
        Revoked = "REVOKED",
    }
}

words! {
    /// Why an archive could not be analyzed (interface: "Archive failure").
    ArchiveErrorCode {
        /// Nothing on the pages could be recognized.
        FileUnableToRecognize = "FILE_UNABLE_TO_RECOGNIZE",
        /// It was recognized, as another kind of document than the person chose.
        FileWrongType = "FILE_WRONG_TYPE",
        /// A file is damaged or locked with a password.
        FileUnreadable = "FILE_UNREADABLE",
        /// The reader is away or out of its limits.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// A fault of the service.
        SystemError = "SYSTEM_ERROR",
    }
}

impl ArchiveErrorCode {
    /// The status of an archive that ended with this code.
    pub const fn status(self) -> ArchiveStatus {
        match self {
            Self::FileUnableToRecognize | Self::FileWrongType => ArchiveStatus::Unsupported,
            Self::FileUnreadable | Self::ServiceUnavailable | Self::SystemError => ArchiveStatus::Error,
        }
    }

    /// The code in words, as ARCHIVE_FAILED and `state.errorMessage` carry it.
    pub const fn message(self) -> &'static str {
        match self {
            Self::FileUnableToRecognize => "the document could not be recognized",
            Self::FileWrongType => "the document is of another kind than the one chosen",
            Self::FileUnreadable => "a file is damaged or locked with a password",
            Self::ServiceUnavailable => "the document reader is not available",
            Self::SystemError => "a fault of the service",
        }
    }
}

words! {
    /// Which side or part of a document a file shows.
    FileSlot {
        /// The front of a card.
        Front = "FRONT",
        /// The back of a card.
        Back = "BACK",
        /// A page, in the order of upload.
        Page = "PAGE",
    }
}

words! {
    /// What a file is, by its content.
    FileFormat {
        /// A PDF document.
        Pdf = "PDF",
        /// A PNG image.
        Png = "PNG",
        /// A JPEG image.
        Jpeg = "JPEG",
        /// A TIFF image, of one or more pages.
        Tiff = "TIFF",
    }
}

impl FileFormat {
    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Tiff => "image/tiff",
        }
    }
}

words! {
    /// Why a file was refused. A refusal is a problem document with this word as its `fileFault` member; where several
    /// files come at once, as that of each one's entry in `errors`.
    FileFault {
        /// It has no bytes.
        Empty = "EMPTY",
        /// It is larger than 15 MB.
        TooLarge = "TOO_LARGE",
        /// It is no PDF, PNG, JPEG or TIFF, whatever its name says.
        UnsupportedFormat = "UNSUPPORTED_FORMAT",
        /// It is locked with a password.
        Encrypted = "ENCRYPTED",
        /// It ends early or cannot be read.
        Damaged = "DAMAGED",
        /// It has more than 30 pages.
        TooManyPages = "TOO_MANY_PAGES",
        /// A page has more than 80 million pixels.
        TooManyPixels = "TOO_MANY_PIXELS",
        /// The archive has 10 files already, or the slot is taken.
        TooManyFiles = "TOO_MANY_FILES",
        /// The user's quota is used up.
        QuotaExceeded = "QUOTA_EXCEEDED",
        /// The bytes that came are not those announced by `sha256`.
        HashMismatch = "HASH_MISMATCH",
    }
}

/// Bytes a file may have: 15 MB.
pub const MAX_FILE_BYTES: u32 = 15_000_000;
/// Files an archive may have.
pub const MAX_FILES: u8 = 10;
/// Pages a file may have.
pub const MAX_PAGES: u16 = 30;
/// Pixels a page may have: an A3 sheet scanned at 600 dpi has 70 million.
pub const MAX_PIXELS: u32 = 80_000_000;

/// How far an archive has come, and why it went no further.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveState {
    /// How far.
    pub status: ArchiveStatus,
    /// Why it failed.
    pub error_code: Option<ArchiveErrorCode>,
    /// The code in words.
    pub error_message: Option<String>,
    /// Last change.
    pub updated_at: Timestamp,
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFile {
    /// Prefix `file-`.
    pub id: FileId,
    /// The name it had on the person's device.
    pub name: String,
    /// Which part of the document it shows.
    pub slot: FileSlot,
    /// What it is.
    pub format: FileFormat,
    /// Bytes.
    pub size_bytes: u32,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Signed address of its bytes; it expires.
    pub url: String,
    /// Creation.
    pub created_at: Timestamp,
}

/// A value read from a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExtractedField {
    /// Its name, like `netAmount`; the documents guide lists them by kind of document.
    pub name: String,
    /// Its value as text: dates `YYYY-MM-DD`, amounts with a point.
    pub value: String,
    /// How sure the reader is, 0 to 1.
    pub confidence: f64,
    /// The page it stands on, from 1.
    pub page: u16,
}

/// What was read from an archive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// The kind of document that was recognized.
    pub document_type: ArchiveType,
    /// The values, in reading order.
    pub fields: Vec<ExtractedField>,
}

/// An archive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Archive {
    /// Prefix `archive-`.
    pub id: ArchiveId,
    /// Creation.
    pub created_at: Timestamp,
    /// The user.
    pub user_id: UserId,
    /// `user-provided` or `tenant-provided`.
    pub provider_id: String,
    /// The kind the uploader said it is.
    #[serde(rename = "type")]
    pub archive_type: ArchiveType,
    /// How far it has come.
    pub state: ArchiveState,
    /// Its files, in order; empty once revoked.
    pub files: Vec<ArchiveFile>,
    /// What was read; null until it was, and once revoked.
    pub extraction: Option<Extraction>,
}
