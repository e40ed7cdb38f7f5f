//! Files in an archive.

use link_types::Sensitive;
use link_types::archive::{FileFormat, FileSlot};
use link_types::id::FileId;
use serde::{Deserialize, Serialize};

use super::holder::FileHolder;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::sealed;

/// Maximum number of characters stored of a file name.
const MAX_NAME_CHARACTERS: usize = 255;

/// A file that the uploader announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// File name on the uploader's device.
    pub name: Sensitive,
    /// Side or part of the document that the file contains.
    pub slot: FileSlot,
    /// Total size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the whole file in lowercase hex, if the uploader sent it.
    pub sha256: Option<String>,
}

/// A file in an archive that is not submitted yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum UploadingFile {
    /// The file is being uploaded.
    Receiving(IncomingFile),
    /// The file is completely uploaded and passed inspection.
    Complete(StoredFile),
}

/// A partly uploaded file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingFile {
    /// Identifier of the file.
    pub id: FileId,
    /// File name on the uploader's device.
    #[serde(with = "sealed")]
    pub name: Sensitive,
    /// Side or part of the document that the file contains.
    pub slot: FileSlot,
    /// Total size in bytes.
    pub size_bytes: u32,
    /// Announced SHA-256, if any.
    pub sha256: Option<String>,
    /// When the file was announced.
    pub created_at: TenantTime,
    /// Number of durably stored bytes.
    pub received_bytes: u32,
}

/// A completely uploaded file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// Identifier of the file.
    pub id: FileId,
    /// File name on the uploader's device.
    #[serde(with = "sealed")]
    pub name: Sensitive,
    /// Side or part of the document that the file contains.
    pub slot: FileSlot,
    /// Total size in bytes.
    pub size_bytes: u32,
    /// SHA-256 of the file, in lowercase hex.
    pub sha256: String,
    /// When the file was announced.
    pub created_at: TenantTime,
    /// Detected format.
    pub format: FileFormat,
    /// Number of pages.
    pub pages: u16,
}

impl UploadingFile {
    /// Returns the file's identifier.
    pub const fn id(&self) -> &FileId {
        match self {
            Self::Receiving(file) => &file.id,
            Self::Complete(file) => &file.id,
        }
    }

    /// Returns the side or part of the document that the file contains.
    pub const fn slot(&self) -> FileSlot {
        match self {
            Self::Receiving(file) => file.slot,
            Self::Complete(file) => file.slot,
        }
    }

    /// Returns the file's total size in bytes.
    pub const fn size_bytes(&self) -> u32 {
        match self {
            Self::Receiving(file) => file.size_bytes,
            Self::Complete(file) => file.size_bytes,
        }
    }

    /// Returns the number of durably stored bytes.
    pub const fn received_bytes(&self) -> u32 {
        match self {
            Self::Receiving(file) => file.received_bytes,
            Self::Complete(file) => file.size_bytes,
        }
    }

    /// Returns the file if it is completely uploaded.
    pub const fn stored_file(&self) -> Option<&StoredFile> {
        match self {
            Self::Receiving(_) => None,
            Self::Complete(file) => Some(file),
        }
    }
}

/// Returns a file name as it is stored: without folders and control characters, and with limited length.
pub(crate) fn clean_name(name: &Sensitive) -> Sensitive {
    let last = name.expose().rsplit(['/', '\\']).next().unwrap_or_default();
    let is_shown = |it: &char| !it.is_control() && !is_bidi_control(*it);
    let shown: String = last.chars().filter(is_shown).take(MAX_NAME_CHARACTERS).collect();
    Sensitive::new(if shown.trim().is_empty() { "file".to_owned() } else { shown })
}

/// Returns whether a character changes the direction of a text: `exe.pdf` may be shown for a name that ends in `fdp.exe`.
const fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Size of a segment in bytes: 256 KiB. The last segment of a file may be shorter.
pub const SEGMENT_BYTES: u32 = 256 * 1024;

/// A stored piece of a file: its position, and the object that contains the encrypted bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Object that the file belongs to.
    pub holder: FileHolder,
    /// File that the segment belongs to.
    pub file_id: FileId,
    /// Index of the segment in the file, starting at 0. The segment starts at `index` times [`SEGMENT_BYTES`].
    pub index: u32,
    /// Number of bytes before encryption.
    pub length: u32,
    /// Name of the object. Names are unique, so committed data is never overwritten.
    pub object: String,
}

impl Segment {
    /// Creates a segment whose object has not been written yet.
    pub fn new(
        holder: impl Into<FileHolder>,
        file_id: &FileId,
        index: u32,
        length: u32,
        context: &mut Context,
    ) -> Self {
        let holder = holder.into();
        let object = format!("{}/{file_id}/{index:05}-{}", holder.folder(), context.uuid_hex());
        Self { holder, file_id: file_id.clone(), index, length, object }
    }

    /// Returns the prefix of all object names of a holder, without the trailing slash.
    pub fn folder(holder: impl Into<FileHolder>) -> String {
        holder.into().folder()
    }

    /// Returns the prefix of all object names of the holder of an object, or `None` if the name is not a segment's.
    pub fn folder_of(object: &str) -> Option<&str> {
        object.rsplitn(3, '/').nth(2)
    }

    /// Returns the file that an object belongs to, or `None` if the name is not a segment's.
    pub fn file_of(object: &str) -> Option<FileId> {
        object.split('/').nth(2)?.parse().ok()
    }

    /// Returns the offset after the last byte.
    pub const fn ends_at(&self) -> u32 {
        self.index.saturating_mul(SEGMENT_BYTES).saturating_add(self.length)
    }
}
