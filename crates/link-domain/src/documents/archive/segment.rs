//! Segments: the pieces in which a file is encrypted and stored.

use link_types::id::{ArchiveId, FileId};

use crate::kernel::context::Context;

/// Size of a segment in bytes: 256 KiB. The last segment of a file may be shorter.
pub const SEGMENT_BYTES: u32 = 256 * 1024;

/// A stored piece of a file: its position, and the object that contains the encrypted bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Archive that the file belongs to.
    pub archive_id: ArchiveId,
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
        archive_id: &ArchiveId,
        file_id: &FileId,
        index: u32,
        length: u32,
        context: &mut Context,
    ) -> Self {
        let object = format!("{}/{file_id}/{index:05}-{}", Self::folder(archive_id), context.uuid_hex());
        Self { archive_id: archive_id.clone(), file_id: file_id.clone(), index, length, object }
    }

    /// Returns the prefix of all object names of an archive, without the trailing slash.
    pub fn folder(archive_id: &ArchiveId) -> String {
        format!("archives/{archive_id}")
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
