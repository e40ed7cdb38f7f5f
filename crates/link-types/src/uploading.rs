//! What the widget and the service say to each other about uploads and about what is already linked: archives under
//! way, the accounts screen, the place in an attempt, the survey.
//!
//! Bytes travel by tus 1.0: `POST …/link/uploads` with `Upload-Length` and `Upload-Metadata` (`archiveId`, `slot`,
//! `filename` and, when known, `sha256` in hex), then `PATCH`, `HEAD` and `DELETE` at the `Location` it answered,
//! `…/link/uploads/{fileId}`.

use serde::{Deserialize, Serialize};

use crate::{
    archive::{ArchiveErrorCode, ArchiveType, FileFault, FileFormat, FileSlot},
    id::{AccountId, ArchiveId, FileId, ProviderId},
    link::ConsentReceipt,
};

/// Body of `POST …/link/archives`: an archive to upload files into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateArchive {
    /// The kind of document.
    #[serde(rename = "type")]
    pub archive_type: ArchiveType,
    /// What was consented to.
    pub consent: ConsentReceipt,
}

/// A file of an archive, complete or under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadFile {
    /// Prefix `file-`; its tus address is `…/link/uploads/{fileId}`.
    pub file_id: FileId,
    /// The name it has on the person's device.
    pub name: String,
    /// Which part of the document it shows.
    pub slot: FileSlot,
    /// What it is; null until all of it has come.
    pub format: Option<FileFormat>,
    /// Bytes in all.
    pub size_bytes: u32,
    /// SHA-256 of all its bytes, lower-case hex; null when the uploader did not say: a file picked again after a
    /// reload is known by it.
    pub sha256: Option<String>,
    /// Bytes the service holds.
    pub received_bytes: u32,
}

words! {
    /// What the service is doing with the files.
    AnalyzeStep {
        /// They wait for their turn.
        Queued = "QUEUED",
        /// The pages are being read.
        Reading = "READING",
    }
}

/// How far an archive has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ArchivePhase {
    /// Files are still coming; nothing was submitted yet.
    Uploading {},
    /// Submitted; the files are being read (STARTED).
    #[serde(rename_all = "camelCase")]
    Analyzing {
        /// What is being done.
        step: AnalyzeStep,
    },
    /// Read (ANALYZED).
    Analyzed {},
    /// Not read (UNSUPPORTED or ERROR).
    #[serde(rename_all = "camelCase")]
    Failed {
        /// Why.
        error_code: ArchiveErrorCode,
    },
    /// Taken back (REVOKED).
    Revoked {},
}

/// An archive as the widget sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveProgress {
    /// The archive.
    pub archive_id: ArchiveId,
    /// The kind of document.
    #[serde(rename = "type")]
    pub archive_type: ArchiveType,
    /// Grows with every change of phase or of the list of files; `?after=` it to wait for the next.
    pub version: u32,
    /// Its files, in order.
    pub files: Vec<UploadFile>,
    /// How far it has come.
    pub phase: ArchivePhase,
    /// Whole days since it was begun.
    pub added_days_ago: u32,
}

words! {
    /// How a linked account fares.
    LinkedStatus {
        /// All is well.
        Connected = "CONNECTED",
        /// Its data is being read.
        Reading = "READING",
        /// The person has to sign in again.
        ActionRequired = "USER_ACTION_REQUIRED",
    }
}

/// An account on the accounts screen: connected, and of the session's user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkedAccount {
    /// The account.
    pub account_id: AccountId,
    /// Its provider.
    pub provider_id: ProviderId,
    /// The provider's short name.
    pub provider_name: String,
    /// Address of its logo; a monogram is drawn when null.
    pub logo_url: Option<String>,
    /// The login, masked, like `g•••d`; null for a provider without one.
    pub login_name: Option<String>,
    /// How it fares.
    pub status: LinkedStatus,
    /// Whole days since its data was last read; null before the first reading ended.
    pub last_sync_days_ago: Option<u32>,
}

/// What `GET …/link/linked` answers: everything the person has given so far, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Linked {
    /// Connected accounts.
    pub accounts: Vec<LinkedAccount>,
    /// Submitted archives that were not taken back.
    pub archives: Vec<ArchiveProgress>,
}

/// What `POST …/link/accounts/{id}/revocation` and `POST …/link/archives/{id}/revocation` answer: the right to go
/// through with it, bound to the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Revocation {
    /// Sent back to go through with it.
    pub confirmation: String,
}

/// Body of `POST …/link/accounts/{id}/revoke` and `POST …/link/archives/{id}/revoke`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmRevocation {
    /// What the question before it was answered with.
    pub confirmation: String,
}

/// What the widget's program asks of uploads.ts, the script that has the files. To the program a file is a handle, a
/// number from 1 that no other file of this opening has; its bytes never get there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileOrder {
    /// From now on look at files that are chosen, dropped or pasted, and report the connection.
    Open {},
    /// Send what the service does not have yet of a file.
    #[serde(rename_all = "camelCase")]
    Send {
        /// The file.
        handle: u32,
        /// The archive it belongs to.
        archive_id: ArchiveId,
        /// Which part of the document it shows.
        slot: FileSlot,
        /// What the service calls it; null when it does not know it yet.
        file_id: Option<FileId>,
    },
    /// Stop sending a file; what the service has of it stays there.
    Stop {
        /// The file.
        handle: u32,
    },
    /// Forget a file, here and at the service.
    #[serde(rename_all = "camelCase")]
    Drop {
        /// The file.
        handle: u32,
        /// What the service calls it; null when it need not be told.
        file_id: Option<FileId>,
    },
    /// Forget all files here, stop sending, look at no more.
    Close {},
}

/// What uploads.ts reports. Facts only: what follows from them is the link flow's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileFact {
    /// The connection, when files are first looked at and whenever it changes.
    #[serde(rename_all = "camelCase")]
    Connection {
        /// False when the device says that it has none.
        online: bool,
        /// The person wants to save data.
        save_data: bool,
    },
    /// Files were chosen, dropped or pasted; each is being looked at. Once for each file.
    #[serde(rename_all = "camelCase")]
    Picked {
        /// The file.
        handle: u32,
        /// Where it was put.
        slot: FileSlot,
        /// Its name on the person's device.
        name: String,
        /// Its bytes, before a photo is scaled down.
        size_bytes: u32,
    },
    /// A file was looked at; a photo that was too large was scaled down.
    #[serde(rename_all = "camelCase")]
    Inspected {
        /// The file.
        handle: u32,
        /// Bytes to send.
        size_bytes: u32,
        /// What it is by its first bytes; null when it is none of these.
        format: Option<FileFormat>,
        /// Its pages; null when that cannot be told without reading all of it.
        pages: Option<u32>,
        /// Pixels of its largest page, at most 4,294,967,295; null for a PDF.
        pixels: Option<u32>,
        /// SHA-256 of the bytes to send, lower-case hex; null when it was too large to hash.
        sha256: Option<String>,
        /// `ENCRYPTED` or `DAMAGED`, when it is.
        fault: Option<FileFault>,
        /// A `blob:` address of a small picture of it.
        preview: Option<String>,
    },
    /// The service holds this file up to here, or the browser has sent this much more of it.
    #[serde(rename_all = "camelCase")]
    Sending {
        /// The file.
        handle: u32,
        /// What the service calls it.
        file_id: FileId,
        /// Bytes from the start.
        offset: u32,
    },
    /// The service holds all of a file.
    Sent {
        /// The file.
        handle: u32,
    },
    /// Sending or forgetting a file failed.
    #[serde(rename_all = "camelCase")]
    Cut {
        /// The file.
        handle: u32,
        /// The HTTP status; 0 when nothing came back.
        status: u16,
        /// Why the service refused it.
        file_fault: Option<FileFault>,
        /// Milliseconds that the service asks to wait before the next try; 0 when it does not say.
        retry_in_ms: u32,
    },
    /// The service does not have a file any more, as was asked for.
    Dropped {
        /// The file.
        handle: u32,
    },
}

/// Where the person is in an attempt, beyond account and archives; body of `PUT …/link/attempt`, and given back
/// with the session, so that a reload asks nothing twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttemptPlace {
    /// What was consented to; null before the consent page is passed.
    pub consent: Option<ConsentReceipt>,
    /// The provider being signed in to; null before one is chosen.
    pub provider_id: Option<ProviderId>,
    /// The login option chosen there.
    pub login_option: Option<String>,
    /// The kind of document being uploaded; null before one is chosen.
    pub archive_type: Option<ArchiveType>,
}

/// Body of `POST …/link/survey`: an employer or provider the person could not find.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmployerSurvey {
    /// The employer's or provider's name as typed, 1 to 200 characters.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub employer: String,
    /// What had been searched for before, at most 200 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 200))]
    pub searched: Option<String>,
}

/// One UI event as the service keeps it; no personal data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UiEventRecord {
    /// Number within the opening, from 1; one already known changes nothing.
    pub seq: u32,
    /// What happened.
    pub event_name: crate::host::UiEventName,
    /// Milliseconds since the widget was opened.
    pub after_ms: u32,
    /// The account it is about.
    pub account_id: Option<AccountId>,
    /// The archive it is about.
    pub archive_id: Option<ArchiveId>,
}

/// A place where the widget's program trapped: numbers that only a kept symbol file turns into names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TrapReport {
    /// The wasm file's hashed name.
    #[cfg_attr(feature = "schema", schema(max_length = 100))]
    pub build: String,
    /// Byte offsets into it, innermost frame first, at most 32.
    #[cfg_attr(feature = "schema", schema(max_items = 32))]
    pub offsets: Vec<u32>,
}

/// Body of `POST …/link/events`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UiEventBatch {
    /// Names the opening of the widget: 8 to 64 letters, digits and hyphens.
    #[cfg_attr(feature = "schema", schema(pattern = "^[A-Za-z0-9-]{8,64}$"))]
    pub opening: String,
    /// The events, at most 100.
    #[cfg_attr(feature = "schema", schema(max_items = 100))]
    pub events: Vec<UiEventRecord>,
    /// A trap since the last batch.
    pub trap: Option<TrapReport>,
}
