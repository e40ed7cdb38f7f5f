//! Archives: documents uploaded by a person or by the tenant (`resources.md`: Archive).

use serde::{Deserialize, Serialize};

use crate::{
    EndReason,
    id::{ArchiveId, FileId, LinkSiteSessionId, UserId},
    time::Timestamp,
};

words! {
    /// Kind of document that an archive contains.
    ArchiveType {
        /// Payslip.
        Payslip = "PAYSLIP",
        /// Tax return or tax statement.
        TaxDocument = "TAX_DOCUMENT",
        /// Company identity card.
        CompanyId = "COMPANY_ID",
        /// Proof of identity.
        Identification = "IDENTIFICATION",
        /// Clearance.
        Clearance = "CLEARANCE",
        /// Certificate of employment or of contributions.
        Certificate = "CERTIFICATE",
        /// Bank statement.
        BankStatement = "BANK_STATEMENT",
    }
}

words! {
    /// Processing status of an archive.
    ArchiveStatus {
        /// The files are uploaded and being read.
        Started = "STARTED",
        /// The files were read successfully.
        Analyzed = "ANALYZED",
        /// The service cannot read this kind of document.
        Unsupported = "UNSUPPORTED",
        /// Reading the files failed.
        Error = "ERROR",
        /// The archive has no data any more. `endReason` says whether it was revoked or has expired.
        Revoked = "REVOKED",
    }
}

words! {
    /// Reason why an archive could not be analyzed (interface: "Archive failure").
    ArchiveErrorCode {
        /// The content of the pages was not recognized: a picture that is not clear, or that shows no document.
        FileUnableToRecognize = "FILE_UNABLE_TO_RECOGNIZE",
        /// The text of the pages was read, but it is of no known kind of document.
        FileKindUnknown = "FILE_KIND_UNKNOWN",
        /// The files are documents of several people.
        FileSeveralPeople = "FILE_SEVERAL_PEOPLE",
        /// The file is a form whose values are not on its pages.
        FileForm = "FILE_FORM",
        /// The file is a portfolio: a cover of other files.
        FilePortfolio = "FILE_PORTFOLIO",
        /// The document is of a different kind from the one that was selected.
        FileWrongType = "FILE_WRONG_TYPE",
        /// A file is damaged or password-protected.
        FileUnreadable = "FILE_UNREADABLE",
        /// The document reader is unavailable or exceeded its limits.
        ServiceUnavailable = "SERVICE_UNAVAILABLE",
        /// An internal error occurred in the service.
        SystemError = "SYSTEM_ERROR",
    }
}

impl ArchiveErrorCode {
    /// Returns the status of an archive that failed with this code.
    pub const fn status(self) -> ArchiveStatus {
        match self {
            Self::FileUnableToRecognize
            | Self::FileKindUnknown
            | Self::FileSeveralPeople
            | Self::FileForm
            | Self::FilePortfolio
            | Self::FileWrongType => ArchiveStatus::Unsupported,
            Self::FileUnreadable | Self::ServiceUnavailable | Self::SystemError => ArchiveStatus::Error,
        }
    }

    /// Describes the code in words, for ARCHIVE_FAILED and `state.errorMessage`.
    pub const fn message(self) -> &'static str {
        match self {
            Self::FileUnableToRecognize => "the document could not be recognized",
            Self::FileKindUnknown => "the text was read, but it is of no known kind of document",
            Self::FileSeveralPeople => "the files are documents of several people",
            Self::FileForm => "the file is a form whose values are not on its pages",
            Self::FilePortfolio => "the file is a portfolio of other files",
            Self::FileWrongType => "the document is of a different kind from the one selected",
            Self::FileUnreadable => "a file is damaged or password-protected",
            Self::ServiceUnavailable => "the document reader is unavailable",
            Self::SystemError => "an internal error occurred in the service",
        }
    }
}

words! {
    /// Side or part of a document that a file contains.
    FileSlot {
        /// Front of a card.
        Front = "FRONT",
        /// Back of a card.
        Back = "BACK",
        /// A page. Pages follow the upload order.
        Page = "PAGE",
    }
}

words! {
    /// Format of a file, detected from its content.
    FileFormat {
        /// PDF document.
        Pdf = "PDF",
        /// PNG image.
        Png = "PNG",
        /// JPEG image.
        Jpeg = "JPEG",
        /// TIFF image with one or more pages.
        Tiff = "TIFF",
        /// HEIC image, the format of many phones.
        Heic = "HEIC",
        /// WebP image.
        Webp = "WEBP",
    }
}

impl FileFormat {
    /// Returns the format's media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Tiff => "image/tiff",
            Self::Heic => "image/heic",
            Self::Webp => "image/webp",
        }
    }
}

words! {
    /// Reason why a file was rejected. It is the `fileFault` member of the problem document. If a request contains
    /// several files, each entry in `errors` has its own `fileFault`.
    FileFault {
        /// The file is empty.
        Empty = "EMPTY",
        /// The file is larger than 15 MB.
        TooLarge = "TOO_LARGE",
        /// The content is not PDF, JPEG, HEIC, PNG, WebP or TIFF, or is of a kind that the service does not decode. The file
        /// name is ignored.
        UnsupportedFormat = "UNSUPPORTED_FORMAT",
        /// There are other bytes before or after the PDF document, or the file has a second format.
        ExtraBytes = "EXTRA_BYTES",
        /// The file is password-protected.
        Encrypted = "ENCRYPTED",
        /// The file is truncated or cannot be read.
        Damaged = "DAMAGED",
        /// The file has more than 30 pages.
        TooManyPages = "TOO_MANY_PAGES",
        /// A page has more than 80 million pixels.
        TooManyPixels = "TOO_MANY_PIXELS",
        /// The archive already has 10 files, or the slot is already filled.
        TooManyFiles = "TOO_MANY_FILES",
        /// The user's upload quota is used up.
        QuotaExceeded = "QUOTA_EXCEEDED",
        /// The uploaded bytes do not match the announced `sha256`.
        HashMismatch = "HASH_MISMATCH",
    }
}

/// Maximum size of a file: 15 MB.
pub const MAX_FILE_BYTES: u32 = 15_000_000;
/// Maximum number of files in an archive.
pub const MAX_FILES: u8 = 10;
/// Maximum number of pages in a file.
pub const MAX_PAGES: u16 = 30;
/// Maximum number of pixels in a page. An A3 sheet scanned at 600 dpi has 70 million.
pub const MAX_PIXELS: u32 = 80_000_000;

/// Processing state of an archive, with the reason if it failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveState {
    /// Processing status.
    pub status: ArchiveStatus,
    /// Reason for the failure. Null if the archive did not fail.
    pub error_code: Option<ArchiveErrorCode>,
    /// Human-readable description of `errorCode`.
    pub error_message: Option<String>,
    /// Why the archive has no files: revoked, or expired after 60 days. Null unless the status is REVOKED.
    pub end_reason: Option<EndReason>,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFile {
    /// Unique identifier of the file, with the prefix `file-`.
    pub id: FileId,
    /// File name on the uploader's device.
    pub name: String,
    /// Side or part of the document that the file contains.
    pub slot: FileSlot,
    /// Detected format.
    pub format: FileFormat,
    /// Size in bytes.
    pub size_bytes: u32,
    /// SHA-256 of the file's bytes, in lowercase hex.
    pub sha256: String,
    /// Signed, expiring URL of the file's bytes.
    pub url: String,
    /// Time at which the file was created.
    pub created_at: Timestamp,
}

/// Part of a page, as fractions of its width and height. The page is as a viewer shows it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PageArea {
    /// Distance from the left edge of the page, from 0 to 1.
    pub left: f64,
    /// Distance from the upper edge of the page, from 0 to 1.
    pub top: f64,
    /// Width, from 0 to 1.
    pub width: f64,
    /// Height, from 0 to 1.
    pub height: f64,
}

/// A value extracted from a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExtractedField {
    /// Name of the field, like `netAmount`. The documents guide lists the fields of each kind of document.
    pub name: String,
    /// Value as text. Dates are `YYYY-MM-DD`; amounts use a decimal point.
    pub value: String,
    /// Reader's confidence in the value, from 0 to 1.
    pub confidence: f64,
    /// Page that contains the value, starting at 1.
    pub page: u16,
    /// Part of the page that contains the value. Null if the value was derived from others.
    pub area: Option<PageArea>,
}

words! {
    /// Reason to doubt values of a document.
    ExtractionFaultCode {
        /// Amounts contradict each other: the gross amount less the deductions is not the net amount, or the base is larger
        /// than the gross amount. Or the transactions do not lead from the opening to the closing balance: some were not read.
        AmountsContradict = "AMOUNTS_CONTRADICT",
        /// The check digit of a number is wrong.
        CheckDigitWrong = "CHECK_DIGIT_WRONG",
        /// The document has several values, and does not say which one it is. Or the text of the file and the drawn page
        /// differ, or the letters are hardly legible.
        SeveralValues = "SEVERAL_VALUES",
    }
}

/// Reason to doubt values of a document. Their confidence is low.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExtractionFault {
    /// The reason.
    pub code: ExtractionFaultCode,
    /// Names of the fields in doubt.
    pub fields: Vec<String>,
}

/// Data extracted from one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// Kind of document that was recognized.
    pub document_type: ArchiveType,
    /// Pages of the document, counted over all files, starting at 1.
    pub pages: Vec<u16>,
    /// Extracted values, in reading order.
    pub fields: Vec<ExtractedField>,
    /// Reasons to doubt values. Empty if nothing contradicts them.
    pub faults: Vec<ExtractionFault>,
}

/// Documents that a person or a tenant uploaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Archive {
    /// Unique identifier of the archive, with the prefix `archive-`.
    pub id: ArchiveId,
    /// Time at which the archive was created.
    pub created_at: Timestamp,
    /// User that the archive belongs to.
    pub user_id: UserId,
    /// `user-provided` or `tenant-provided`.
    pub provider_id: String,
    /// Kind of document that the uploader selected.
    #[serde(rename = "type")]
    pub archive_type: ArchiveType,
    /// Processing state.
    pub state: ArchiveState,
    /// Files, in order. Empty if the archive is revoked.
    pub files: Vec<ArchiveFile>,
    /// Extracted data of the first document. Null until the archive is analyzed, and after it is revoked.
    pub extraction: Option<Extraction>,
    /// Extracted data of further documents of the same kind and person in the files, like the second of two payslips.
    pub further_extractions: Vec<Extraction>,
    /// Visit of the hosted pages in which the archive was created. Null if it was created elsewhere.
    pub link_site_session_id: Option<LinkSiteSessionId>,
}
