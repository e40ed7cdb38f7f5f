//! Port to the document reader. It parses untrusted bytes, so it runs in a separate process.

use link_types::archive::{ArchiveErrorCode, ArchiveType, FileFault, FileFormat, FileSlot};

use crate::data::batch::Batch;
use crate::data::batch::Extracted;
use crate::kernel::clock::TenantTime;
use crate::kernel::system::BoxFuture;

/// Inspects and reads uploaded files. It is stateless between calls. Repeating a call must be safe, because a crash may
/// have lost the result.
pub trait DocumentReader: Send + Sync {
    /// Inspects a file before it is accepted.
    ///
    /// # Errors
    /// [`InspectError`] if the file is rejected or could not be inspected.
    fn inspect<'a>(
        &'a self,
        content: Box<dyn FileContent + 'a>,
    ) -> BoxFuture<'a, Result<Inspection, InspectError>>;

    /// Reads the document in an archive's files.
    fn read<'a>(&'a self, request: DocumentRequest<'a>) -> BoxFuture<'a, DocumentReading>;
}

/// Content of a file, from its start, in chunks of at most 256 KiB, so that the whole file is never in memory.
pub trait FileContent: Send {
    /// Returns the next chunk, or `None` after the last one.
    ///
    /// # Errors
    /// [`ContentLostError`] if the rest cannot be read.
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>>;
}

/// Error for a stored file that cannot be read, because its store is unavailable or the file was erased meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stored file cannot be read")]
pub struct ContentLostError;

/// Result of inspecting a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Format, detected from the content.
    pub format: FileFormat,
    /// Number of pages, from 1 to [`link_types::archive::MAX_PAGES`].
    pub pages: u16,
    /// Pixels of the largest page or, in a PDF, of the largest image.
    pub pixels: u32,
}

/// Reason why an inspection did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InspectError {
    /// The file is rejected.
    #[error("the file is rejected: {}", .0.as_str())]
    Refused(FileFault),
    /// The reader or the content is unavailable. The file may be valid.
    #[error("the document reader is unavailable")]
    Unavailable,
}

/// A document to read.
pub struct DocumentRequest<'a> {
    /// Kind of document that the uploader selected.
    pub archive_type: ArchiveType,
    /// Files, in upload order.
    pub files: Vec<DocumentFile<'a>>,
    /// Time of the reading, on the tenant's clock.
    pub at: TenantTime,
}

/// A file of a document.
pub struct DocumentFile<'a> {
    /// Side or part of the document that the file contains.
    pub slot: FileSlot,
    /// Detected format.
    pub format: FileFormat,
    /// Total size in bytes.
    pub size_bytes: u32,
    /// Content, fetched in chunks on demand.
    pub content: Box<dyn FileContent + 'a>,
}

/// Result of a reading.
#[derive(Clone, PartialEq)]
pub enum DocumentReading {
    /// The document was recognized.
    Read {
        /// Recognized kind and extracted values of each document. The domain rejects a kind other than the selected one.
        extracted: Extracted,
        /// Data points derived from the values. Their ids are placeholders; the domain assigns the final ones.
        batch: Batch,
    },
    /// The document was recognized, but some pages could not be read. The data is from the other pages.
    ReadInPart {
        /// Recognized kind and extracted values of each document.
        extracted: Extracted,
        /// Data points derived from the values.
        batch: Batch,
    },
    /// The document was not recognized. [`ArchiveErrorCode::ServiceUnavailable`] is retried for a while.
    Failed {
        /// Reason for the failure.
        code: ArchiveErrorCode,
    },
}

impl std::fmt::Debug for DocumentReading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read { extracted, batch } => write!(f, "Read({extracted:?}, {batch:?})"),
            Self::ReadInPart { extracted, batch } => write!(f, "ReadInPart({extracted:?}, {batch:?})"),
            Self::Failed { code } => write!(f, "Failed({})", code.as_str()),
        }
    }
}
