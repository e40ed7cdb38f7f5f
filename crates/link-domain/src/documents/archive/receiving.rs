//! Receiving the bytes of announced files.

use link_types::archive::FileFault;
use link_types::id::FileId;

use super::{
    ArchiveInput, IllegalArchiveTransitionError, IncomingFile, SEGMENT_BYTES, Segment, StoredFile,
    UploadingFile,
};
use crate::documents::document_reader::Inspection;

/// Part of a file that was stored durably.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedBytes {
    /// File that the bytes belong to.
    pub file_id: FileId,
    /// Number of bytes that were durable before.
    pub from: u32,
    /// Segment that contains the bytes.
    pub segment: Segment,
}

/// A change to a file that is being uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileInput {
    /// Bytes of a file were stored durably, but not its last ones.
    Received(ReceivedBytes),
    /// The last bytes of a file were stored durably, and the file passed inspection.
    Completed {
        /// Last bytes of the file.
        bytes: ReceivedBytes,
        /// Result of the inspection.
        inspection: Inspection,
        /// SHA-256 of the file, in lowercase hex.
        sha256: String,
    },
    /// The person removes a file, or the service rejected it.
    Remove(FileId),
}

impl From<FileInput> for ArchiveInput<'_> {
    fn from(input: FileInput) -> Self {
        match input {
            FileInput::Received(bytes) => Self::Received(bytes),
            FileInput::Completed { bytes, inspection, sha256 } => {
                Self::Completed { bytes, inspection, sha256 }
            }
            FileInput::Remove(file_id) => Self::RemoveFile { file_id },
        }
    }
}

/// Records bytes that are not the last ones of their file.
pub(crate) fn receive(
    file: &mut UploadingFile,
    bytes: &ReceivedBytes,
) -> Result<(), IllegalArchiveTransitionError> {
    let file = incoming(file)?;
    continues(bytes, file)?;
    if bytes.segment.ends_at() >= file.size_bytes {
        return Err(IllegalArchiveTransitionError::StaleOffset { received: file.received_bytes });
    }
    file.received_bytes = bytes.segment.ends_at();
    Ok(())
}

/// Records the last bytes of a file. The size of the file is then the offset after them.
pub(crate) fn complete(
    file: &mut UploadingFile,
    bytes: &ReceivedBytes,
    inspection: Inspection,
    sha256: String,
) -> Result<(), IllegalArchiveTransitionError> {
    let incoming = incoming(file)?;
    continues(bytes, incoming)?;
    if bytes.segment.ends_at() > incoming.size_bytes {
        return Err(IllegalArchiveTransitionError::StaleOffset { received: incoming.received_bytes });
    }
    if incoming.sha256.as_ref().is_some_and(|announced| *announced != sha256) {
        return Err(IllegalArchiveTransitionError::Refused(FileFault::HashMismatch));
    }
    *file = UploadingFile::Complete(StoredFile {
        id: incoming.id.clone(),
        name: incoming.name.clone(),
        slot: incoming.slot,
        size_bytes: bytes.segment.ends_at(),
        sha256,
        created_at: incoming.created_at,
        format: inspection.format,
        pages: inspection.pages,
    });
    Ok(())
}

const fn incoming(file: &mut UploadingFile) -> Result<&mut IncomingFile, IllegalArchiveTransitionError> {
    match file {
        UploadingFile::Receiving(file) => Ok(file),
        UploadingFile::Complete(_) => Err(IllegalArchiveTransitionError::AlreadyComplete),
    }
}

/// Checks that the segment continues the file: its first new byte is the one at `from`.
fn continues(bytes: &ReceivedBytes, file: &IncomingFile) -> Result<(), IllegalArchiveTransitionError> {
    let ReceivedBytes { from, segment, .. } = bytes;
    let fits = file.received_bytes == *from
        && segment.file_id == file.id
        && segment.index == from / SEGMENT_BYTES
        && segment.length <= SEGMENT_BYTES
        && segment.ends_at() > *from;
    if fits {
        Ok(())
    } else {
        Err(IllegalArchiveTransitionError::StaleOffset { received: file.received_bytes })
    }
}
