//! The files of an archive.

use link_types::Sensitive;
use link_types::archive::{FileFormat, FileSlot};
use link_types::id::FileId;
use serde::{Deserialize, Serialize};

use crate::clock::TenantTime;
use crate::sealed;

/// Characters of a file's name that are kept.
const NAME_CHARACTERS: usize = 255;

/// A file that is announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The name it has on the person's device.
    pub name: Sensitive,
    /// Which part of the document it shows.
    pub slot: FileSlot,
    /// Bytes in all.
    pub size_bytes: u64,
    /// SHA-256 of all its bytes, lower-case hex, when the uploader said it.
    pub sha256: Option<String>,
}

/// A file of an archive that is not submitted yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum UploadingFile {
    /// Its bytes are coming.
    Receiving(IncomingFile),
    /// All of it is there and was found to be fit.
    Complete(StoredFile),
}

/// A file whose bytes are coming.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingFile {
    /// The id.
    pub id: FileId,
    /// The name it has on the person's device.
    #[serde(with = "sealed")]
    pub name: Sensitive,
    /// Which part of the document it shows.
    pub slot: FileSlot,
    /// Bytes in all.
    pub size_bytes: u32,
    /// The digest that was announced.
    pub sha256: Option<String>,
    /// When it was announced.
    pub created_at: TenantTime,
    /// Bytes that are durable.
    pub received_bytes: u32,
}

/// A file whose bytes are all there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// The id.
    pub id: FileId,
    /// The name it has on the person's device.
    #[serde(with = "sealed")]
    pub name: Sensitive,
    /// Which part of the document it shows.
    pub slot: FileSlot,
    /// Bytes in all.
    pub size_bytes: u32,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// When it was announced.
    pub created_at: TenantTime,
    /// What it is.
    pub format: FileFormat,
    /// Its pages.
    pub pages: u16,
}

impl UploadingFile {
    /// The id.
    pub const fn id(&self) -> &FileId {
        match self {
            Self::Receiving(file) => &file.id,
            Self::Complete(file) => &file.id,
        }
    }

    /// Which part of the document it shows.
    pub const fn slot(&self) -> FileSlot {
        match self {
            Self::Receiving(file) => file.slot,
            Self::Complete(file) => file.slot,
        }
    }

    /// Bytes in all.
    pub const fn size_bytes(&self) -> u32 {
        match self {
            Self::Receiving(file) => file.size_bytes,
            Self::Complete(file) => file.size_bytes,
        }
    }

    /// Bytes that are durable.
    pub const fn received_bytes(&self) -> u32 {
        match self {
            Self::Receiving(file) => file.received_bytes,
            Self::Complete(file) => file.size_bytes,
        }
    }

    /// The file, when all of it is there.
    pub const fn stored(&self) -> Option<&StoredFile> {
        match self {
            Self::Receiving(_) => None,
            Self::Complete(file) => Some(file),
        }
    }
}

/// A name as it is kept: without the folders before it and without control characters, and never endless.
pub(super) fn kept_name(name: &Sensitive) -> Sensitive {
    let last = name.expose().rsplit(['/', '\\']).next().unwrap_or_default();
    let shown = last.chars().filter(|character| !character.is_control()).take(NAME_CHARACTERS);
    Sensitive::new(shown.collect::<String>())
}
