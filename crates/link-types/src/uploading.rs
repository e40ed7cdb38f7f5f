//! Requests and responses between the widget and the service for uploads and for what is already linked: archives in
//! progress, the accounts screen, the choices made in an attempt, the survey.
//!
//! Files are uploaded by tus 1.0. `POST …/link/uploads` takes `Upload-Length` and `Upload-Metadata`: `archiveId`,
//! `slot`, `filename` and, if known, `sha256` in hex. `PATCH`, `HEAD` and `DELETE` use the returned `Location`,
//! `…/link/uploads/{fileId}`.

use serde::{Deserialize, Serialize};

use crate::{
    archive::{ArchiveErrorCode, ArchiveType, FileFault, FileFormat, FileSlot},
    data::DataPointKind,
    id::{AccountId, ArchiveId, FileId, ProviderId},
    link::ConsentReceipt,
};

/// Body of `POST …/link/archives`: creates an archive to upload files into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateArchive {
    /// Kind of document.
    #[serde(rename = "type")]
    pub archive_type: ArchiveType,
    /// Consent that the person gave.
    pub consent: ConsentReceipt,
}

/// A file in an archive, completely or partly uploaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadFile {
    /// Unique identifier of the file, with the prefix `file-`. Its tus URL is `…/link/uploads/{fileId}`.
    pub file_id: FileId,
    /// File name on the person's device.
    pub name: String,
    /// Side or part of the document that the file contains.
    pub slot: FileSlot,
    /// Detected format. Null until the upload is complete.
    pub format: Option<FileFormat>,
    /// Total size in bytes.
    pub size_bytes: u32,
    /// SHA-256 of the whole file in lowercase hex, which identifies a file that is selected again after a reload. Null
    /// if the uploader did not send it.
    pub sha256: Option<String>,
    /// Number of bytes that the service has received.
    pub received_bytes: u32,
}

words! {
    /// Step that the service is working on.
    AnalyzeStep {
        /// The files are waiting in the queue.
        Queued = "QUEUED",
        /// The pages are being read.
        Reading = "READING",
    }
}

/// Progress of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ArchivePhase {
    /// Files are being uploaded. The archive is not submitted yet.
    Uploading {},
    /// The archive is submitted, and its files are being read (STARTED).
    #[serde(rename_all = "camelCase")]
    Analyzing {
        /// Current step.
        step: AnalyzeStep,
    },
    /// The files were read (ANALYZED).
    Analyzed {},
    /// The files could not be read (UNSUPPORTED or ERROR).
    #[serde(rename_all = "camelCase")]
    Failed {
        /// Reason for the failure.
        error_code: ArchiveErrorCode,
    },
    /// The person revoked access (REVOKED).
    Revoked {},
}

/// An archive as the widget shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveProgress {
    /// Identifier of the archive.
    pub archive_id: ArchiveId,
    /// Kind of document.
    #[serde(rename = "type")]
    pub archive_type: ArchiveType,
    /// Version number that increases when the phase or the list of files changes. Pass it as `?after=` to wait for the
    /// next change.
    pub version: u32,
    /// Files, in order.
    pub files: Vec<UploadFile>,
    /// Progress of the archive.
    pub phase: ArchivePhase,
    /// Whole days since the archive was created.
    pub added_days_ago: u32,
}

words! {
    /// Status of a linked account.
    LinkedStatus {
        /// The account is connected and up to date.
        Connected = "CONNECTED",
        /// The account's data is being read.
        Reading = "READING",
        /// The person must sign in again.
        ActionRequired = "USER_ACTION_REQUIRED",
    }
}

/// A connected account of the session's user, as the accounts screen shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkedAccount {
    /// Identifier of the account.
    pub account_id: AccountId,
    /// Provider of the account.
    pub provider_id: ProviderId,
    /// Short name of the provider.
    pub provider_name: String,
    /// URL of the provider's logo. If null, a monogram is drawn.
    pub logo_url: Option<String>,
    /// Masked login name, like `g•••d`. Null if the provider needs no login.
    pub login_name: Option<String>,
    /// Status of the account.
    pub status: LinkedStatus,
    /// Whole days since the account's data was last read. Null until the first read finishes.
    pub last_sync_days_ago: Option<u32>,
    /// Whether the person must consent before they sign in again: the terms have changed since the account's consent.
    pub consent_needed: bool,
    /// Optional kinds of data that the person chose to share with their last consent for the account.
    pub chosen_data: Vec<DataPointKind>,
}

/// Everything the person has linked or uploaded, newest first. `GET …/link/linked` returns it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Linked {
    /// Connected accounts.
    pub accounts: Vec<LinkedAccount>,
    /// Submitted archives that are not revoked.
    pub archives: Vec<ArchiveProgress>,
}

/// Confirmation needed to revoke an account or archive, bound to the session. `POST …/link/accounts/{id}/revocation`
/// and `POST …/link/archives/{id}/revocation` return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Revocation {
    /// Value to send back to confirm the revocation.
    pub confirmation: String,
}

/// Body of `POST …/link/accounts/{id}/revoke` and `POST …/link/archives/{id}/revoke`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmRevocation {
    /// Value returned by the preceding `revocation` request.
    pub confirmation: String,
}

/// Command from the widget's program to uploads.ts, the script that holds the files. The program refers to a file by a
/// handle: a number, starting at 1, that is unique within one opening. File contents never reach the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileOrder {
    /// Start watching for files that are selected, dropped or pasted, and report the connection state.
    Open {},
    /// Send the part of a file that the service does not have yet.
    #[serde(rename_all = "camelCase")]
    Send {
        /// Handle of the file.
        handle: u32,
        /// Archive that the file belongs to.
        archive_id: ArchiveId,
        /// Side or part of the document that the file contains.
        slot: FileSlot,
        /// Identifier of the file at the service. Null if the service does not know the file yet.
        file_id: Option<FileId>,
    },
    /// Stop sending a file. The service keeps the bytes it has received.
    Stop {
        /// Handle of the file.
        handle: u32,
    },
    /// Delete a file locally and at the service.
    #[serde(rename_all = "camelCase")]
    Drop {
        /// Handle of the file.
        handle: u32,
        /// Identifier of the file at the service. Null if the service need not be notified.
        file_id: Option<FileId>,
    },
    /// Turn a photo a quarter clockwise, and inspect it again.
    Turn {
        /// Handle of the file.
        handle: u32,
    },
    /// Cut a photo to the frame that the person placed on it, and inspect it again.
    Crop {
        /// Handle of the file.
        handle: u32,
    },
    /// Delete all files locally, stop sending, and stop watching for files.
    Close {},
}

/// Report from uploads.ts. It contains only facts; the link flow decides how to react.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileFact {
    /// State of the connection. Sent when the script starts watching for files, and at every change.
    #[serde(rename_all = "camelCase")]
    Connection {
        /// False if the device reports that it is offline.
        online: bool,
        /// Whether the person asked to save data.
        save_data: bool,
    },
    /// The person selected, dropped or pasted files together. A `Picked` fact for each of them follows.
    Chosen {
        /// Number of files.
        count: u32,
    },
    /// A file was selected, dropped or pasted, and is being inspected. Sent once per file.
    #[serde(rename_all = "camelCase")]
    Picked {
        /// Handle of the file.
        handle: u32,
        /// Slot that the file was placed in.
        slot: FileSlot,
        /// File name on the person's device.
        name: String,
        /// Size in bytes, before a photo is scaled down.
        size_bytes: u32,
        /// Whether the person took it with the camera just now.
        from_camera: bool,
    },
    /// A file was inspected. A photo that was too large was scaled down.
    #[serde(rename_all = "camelCase")]
    Inspected {
        /// Handle of the file.
        handle: u32,
        /// Number of bytes to send.
        size_bytes: u32,
        /// Format detected from the first bytes. Null if it is not supported.
        format: Option<FileFormat>,
        /// Number of pages. Null if the script would have to read the whole file to count them.
        pages: Option<u32>,
        /// Pixels of the largest page, at most 4,294,967,295. Null for a PDF.
        pixels: Option<u32>,
        /// SHA-256 of the bytes to send, in lowercase hex. Null if the file was too large to hash.
        sha256: Option<String>,
        /// `ENCRYPTED` or `DAMAGED`, if the file is.
        fault: Option<FileFault>,
        /// `blob:` URL of a thumbnail.
        preview: Option<String>,
        /// Measurements of a photo. Null for other files, and if the browser cannot draw the photo.
        photo: Option<PhotoFacts>,
    },
    /// Progress of an upload: bytes that the service has stored or that the browser has sent.
    #[serde(rename_all = "camelCase")]
    Sending {
        /// Handle of the file.
        handle: u32,
        /// Identifier of the file at the service.
        file_id: FileId,
        /// Offset in bytes from the start of the file.
        offset: u32,
    },
    /// The service has received a whole file.
    Sent {
        /// Handle of the file.
        handle: u32,
    },
    /// Sending or deleting a file failed.
    #[serde(rename_all = "camelCase")]
    Cut {
        /// Handle of the file.
        handle: u32,
        /// HTTP status. 0 if there was no response.
        status: u16,
        /// Reason why the service rejected the file.
        file_fault: Option<FileFault>,
        /// Milliseconds to wait before the next try, as requested by the service. 0 if it made no request.
        retry_in_ms: u32,
    },
    /// The service has deleted a file, as requested.
    Dropped {
        /// Handle of the file.
        handle: u32,
    },
}

/// Measurements of a photo by uploads.ts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PhotoFacts {
    /// `blob:` URL of the photo as it is sent.
    pub view: String,
    /// Steepness of the sharpest edges in percent: 100 if dark turns to light from one pixel to the next. Null if the
    /// photo has no edges.
    pub sharpness: Option<u32>,
    /// Mean brightness in percent.
    pub brightness: u32,
}

/// Choices made in an attempt, apart from its account and archives. They are the body of `PUT …/link/attempt` and are
/// returned with the session, so a reload asks no question twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
// The published document keeps the schema's first name, because generated clients use it.
#[cfg_attr(feature = "schema", schema(as = AttemptPlace))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResumePoint {
    /// Consent that the person gave. Null until the consent page is passed.
    pub consent: Option<ConsentReceipt>,
    /// Provider being signed in to. Null until one is selected.
    pub provider_id: Option<ProviderId>,
    /// Selected login option of the provider.
    pub login_option: Option<String>,
    /// Kind of document being uploaded. Null until one is selected.
    pub archive_type: Option<ArchiveType>,
    /// Connected account being signed in to again. Null if an account is linked.
    pub account_id: Option<AccountId>,
}

/// Body of `POST …/link/survey`: an employer or provider that the person could not find.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmployerSurvey {
    /// Name of the employer or provider as typed, 1 to 200 characters.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub employer: String,
    /// Preceding search text, at most 200 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 200))]
    pub searched: Option<String>,
}

/// A UI event as the service stores it. It contains no personal data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UiEventRecord {
    /// Sequence number within the opening, starting at 1. The service ignores a number it already has.
    pub seq: u32,
    /// Event that occurred.
    pub event_name: crate::host::UiEventName,
    /// Milliseconds since the widget opened.
    pub after_ms: u32,
    /// Account that the event is about.
    pub account_id: Option<AccountId>,
    /// Archive that the event is about.
    pub archive_id: Option<ArchiveId>,
}

/// Location of a trap in the widget's wasm program. Resolving the offsets to function names requires the build's symbol
/// file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrapReport {
    /// Hashed name of the wasm file.
    #[cfg_attr(feature = "schema", schema(max_length = 100))]
    pub build: String,
    /// Byte offsets into the file, innermost frame first. At most 32.
    #[cfg_attr(feature = "schema", schema(max_items = 32))]
    pub offsets: Vec<u32>,
}

/// Body of `POST …/link/events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UiEventBatch {
    /// Identifier of the widget opening: 8 to 64 letters, digits and hyphens.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z0-9-]{8,64}$"))]
    pub opening: String,
    /// UI events, at most 100.
    #[cfg_attr(feature = "schema", schema(max_items = 100))]
    pub events: Vec<UiEventRecord>,
    /// Trap that occurred since the last batch.
    pub trap: Option<TrapReport>,
}
