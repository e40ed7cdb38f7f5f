//! The port to what looks into documents: it parses foreign bytes, so it works in a process of its own.

use link_types::archive::{ArchiveErrorCode, ArchiveType, Extraction, FileFault, FileFormat, FileSlot};

use super::{Answer, Batch};
use crate::clock::TenantTime;

/// Looks into uploaded files. It keeps nothing between calls, and asking it the same again must be safe: a crash may
/// have lost the answer.
pub trait DocumentReader: Send + Sync {
    /// What one file is, before it is accepted.
    ///
    /// # Errors
    /// [`InspectFault`] when it is refused, or could not be looked at.
    fn inspect<'a>(
        &'a self,
        content: Box<dyn FileContent + 'a>,
    ) -> Answer<'a, Result<Inspection, InspectFault>>;

    /// Reads the document that an archive's files show.
    fn read<'a>(&'a self, request: DocumentRequest<'a>) -> Answer<'a, DocumentReading>;
}

/// The bytes of a file, from its first on, in pieces of at most 256 KiB, so that it is never in memory whole.
pub trait FileContent: Send {
    /// The next piece; null after the last.
    ///
    /// # Errors
    /// [`ContentLost`] when the rest cannot be had.
    fn next(&mut self) -> Answer<'_, Result<Option<Vec<u8>>, ContentLost>>;
}

/// A stored file cannot be read: its store is away, or it was erased meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stored file cannot be read")]
pub struct ContentLost;

/// What a file was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// By its content.
    pub format: FileFormat,
    /// Pages, from 1 to [`link_types::archive::MAX_PAGES`].
    pub pages: u16,
    /// The pixels of the largest page; for a PDF, of its largest image.
    pub pixels: u32,
}

/// Why a file was not inspected to a good end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InspectFault {
    /// The file is refused.
    #[error("the file is refused: {}", .0.as_str())]
    Refused(FileFault),
    /// The reader is away, or the content could not be had: the file is not to blame.
    #[error("the document reader is not available")]
    Unavailable,
}

/// A document to read.
pub struct DocumentRequest<'a> {
    /// The kind the person said it is.
    pub archive_type: ArchiveType,
    /// Its files, in the order of upload.
    pub files: Vec<DocumentFile<'a>>,
    /// The moment of the reading, on the tenant's clock.
    pub at: TenantTime,
}

/// One file of a document.
pub struct DocumentFile<'a> {
    /// Which part of the document it shows.
    pub slot: FileSlot,
    /// What it is.
    pub format: FileFormat,
    /// Bytes in all.
    pub size_bytes: u32,
    /// Its bytes. A piece is fetched when it is asked for.
    pub content: Box<dyn FileContent + 'a>,
}

/// What a reading came to.
#[derive(Clone, PartialEq)]
pub enum DocumentReading {
    /// The document was recognized.
    Read {
        /// The kind it is, and its values. A kind other than the one asked for is the domain's to refuse.
        extraction: Extraction,
        /// What the values say of the person. The ids are placeholders: the domain gives each its own.
        batch: Batch,
    },
    /// It was recognized, and some of its pages could not be read: the same of the others.
    ReadInPart {
        /// The kind it is, and its values.
        extraction: Extraction,
        /// What the values say of the person.
        batch: Batch,
    },
    /// It was not. [`ArchiveErrorCode::ServiceUnavailable`] is tried again for a while.
    Failed {
        /// Why.
        code: ArchiveErrorCode,
    },
}

impl std::fmt::Debug for DocumentReading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read { extraction, batch } => {
                write!(f, "Read({} fields, {batch:?})", extraction.fields.len())
            }
            Self::ReadInPart { extraction, batch } => {
                write!(f, "ReadInPart({} fields, {batch:?})", extraction.fields.len())
            }
            Self::Failed { code } => write!(f, "Failed({})", code.as_str()),
        }
    }
}
