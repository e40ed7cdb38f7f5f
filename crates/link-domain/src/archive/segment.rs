//! Segments: the pieces in which a file's bytes are sealed and stored.

use link_types::id::{ArchiveId, FileId};

use crate::context::Context;

/// Bytes of a segment; the last one of a file may be shorter.
pub const SEGMENT_BYTES: u32 = 256 * 1024;

/// One stored piece of a file: where it belongs, and the object that holds it sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The archive.
    pub archive_id: ArchiveId,
    /// The file.
    pub file_id: FileId,
    /// Its place among the file's segments, from 0: it begins at so many times [`SEGMENT_BYTES`].
    pub index: u32,
    /// Its bytes before they were sealed.
    pub length: u32,
    /// The object's name. No two segments ever have the same, so that what was committed is never written over.
    pub object: String,
}

impl Segment {
    /// A segment whose object is still to be written.
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

    /// What the names of all objects of an archive begin with, before a slash.
    pub fn folder(archive_id: &ArchiveId) -> String {
        format!("archives/{archive_id}")
    }

    /// The file that an object of this name belongs to; null when the name is no segment's.
    pub fn file_of(object: &str) -> Option<FileId> {
        object.split('/').nth(2)?.parse().ok()
    }

    /// The offset behind its last byte.
    pub const fn ends_at(&self) -> u32 {
        self.index.saturating_mul(SEGMENT_BYTES).saturating_add(self.length)
    }
}
