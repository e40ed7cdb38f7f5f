//! Orders to uploads.ts, and its reports.

use serde::{Deserialize, Serialize};

use crate::{
    archive::{FileFault, FileFormat, FileSlot},
    id::{ArchiveId, FileId},
};

/// Command from the widget's program to uploads.ts, the script that holds the files and plays recordings. The program
/// refers to a file by a handle: a number, starting at 1, that is unique within one opening. File contents never reach
/// the program.
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
    /// Play the recording of a challenge from its start.
    Play {
        /// Recording as a `data:` URL.
        recording: String,
    },
    /// Prepare for the recording of a challenge, and stop another one. Sent when its page is shown, so that the script has
    /// loaded when the person presses the button: a browser plays nothing long after a press.
    Prepare {},
    /// Stop the recording.
    Silence {},
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
    /// The recording was played to its end.
    Played {},
    /// The browser did not play the recording.
    Unplayable {},
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
