//! Files and their segments: which objects hold a file's bytes, and the key that seals them.

use link_domain::documents::archive::Segment;
use link_types::id::{ArchiveId, FileId};
use zeroize::Zeroizing;

use crate::keys::{Key, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{StoreError, Tx};

const TABLE: &str = "file_segments";

columns! {
    /// The columns of a segment.
    segment_columns => struct Columns { archive_id, file_id, position, length, object }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO file_segments (file_id, position, archive_id, length, object) VALUES (?1, ?2, ?3, ?4, ?5) \
           ON CONFLICT (file_id, position) DO UPDATE SET length = excluded.length, object = excluded.object";
    PUT_FILE = "INSERT INTO archive_files (id, archive_id) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING";
    ARCHIVE_OF_FILE = "SELECT archive_id FROM archive_files WHERE id = ?1";
    DELETE_FILE = "DELETE FROM archive_files WHERE id = ?1";
    DELETE_FILES_OF_ARCHIVE = "DELETE FROM archive_files WHERE archive_id = ?1";
    OF_FILE = concat!("SELECT ", segment_columns!(""), " FROM file_segments WHERE archive_id = ?1 \
              AND file_id = ?2 ORDER BY position");
    OBJECTS_OF_ARCHIVE = "SELECT object FROM file_segments WHERE archive_id = ?1";
    DELETE_OF_FILE = "DELETE FROM file_segments WHERE file_id = ?1";
    DELETE_OF_ARCHIVE = "DELETE FROM file_segments WHERE archive_id = ?1";
}

fn read(row: &Row<'_>) -> Result<Segment, StoreError> {
    Ok(Segment {
        archive_id: parse(TABLE, row.str(COLUMNS.archive_id)?)?,
        file_id: parse(TABLE, row.str(COLUMNS.file_id)?)?,
        index: small(TABLE, row.int(COLUMNS.position)?)?,
        length: small(TABLE, row.int(COLUMNS.length)?)?,
        object: row.text(COLUMNS.object)?,
    })
}

/// Seals and opens the segments of an archive's files.
#[derive(Clone, Debug)]
pub struct FileKey(Key);

impl FileKey {
    pub(crate) fn new(key: Key) -> Self {
        Self(key)
    }

    /// Seals a segment for its position in its file.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoEntropy`] if there are no random bytes.
    pub fn seal(&self, segment: &Segment, clear: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.0.seal(Location { table: TABLE, id: &place(segment) }, clear)
    }

    /// Opens a segment.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unsealable`] if it was not sealed for this position, or has another length.
    pub fn open(&self, segment: &Segment, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, StoreError> {
        let clear = self.0.open(Location { table: TABLE, id: &place(segment) }, sealed)?;
        if u32::try_from(clear.len()) == Ok(segment.length) {
            Ok(clear)
        } else {
            Err(StoreError::Unsealable { table: TABLE })
        }
    }
}

fn place(segment: &Segment) -> String {
    format!("{}/{}", segment.file_id, segment.index)
}

resource! {
    /// Files of archives, and the segments that hold their bytes.
    Files, files
}

impl<'c, S: ReadSession<'c>> Files<'_, S> {
    /// Returns the key of an archive's files, or [`StoreError::Erased`] if it is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn key(&mut self, archive: &ArchiveId) -> Result<FileKey, StoreError> {
        self.0.reader().scope_key(archive.as_str()).map(FileKey)
    }

    /// Returns the archive that has or had this file. The caller must check who owns the archive.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn archive_of(&mut self, file: &FileId) -> Result<Option<ArchiveId>, StoreError> {
        self.session().find(&ARCHIVE_OF_FILE, params![file.as_str()], |row| parse(TABLE, row.str(0)?))
    }

    /// Returns a file's segments in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn segments(&mut self, archive: &ArchiveId, file: &FileId) -> Result<Vec<Segment>, StoreError> {
        self.session().query(&OF_FILE, params![archive.as_str(), file.as_str()], read)
    }

    /// Returns the names of all objects that hold an archive's bytes.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn objects_of_archive(&mut self, archive: &ArchiveId) -> Result<Vec<String>, StoreError> {
        self.session().query(&OBJECTS_OF_ARCHIVE, params![archive.as_str()], |row| row.text(0))
    }
}

impl Files<'_, Tx<'_>> {
    pub(crate) fn put_segment(&mut self, segment: &Segment) -> Result<(), StoreError> {
        let Segment { archive_id, file_id, index, length, object } = segment;
        self.session().execute_later(
            &PUT,
            params![
                file_id.as_str(),
                i64::from(*index),
                archive_id.as_str(),
                i64::from(*length),
                object.as_str()
            ],
        )
    }

    pub(crate) fn put(&mut self, file: &FileId, archive: &ArchiveId) -> Result<(), StoreError> {
        self.session().execute_later(&PUT_FILE, params![file.as_str(), archive.as_str()])
    }

    pub(crate) fn delete(&mut self, file: &FileId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_FILE, params![file.as_str()])?;
        self.session().execute_later(&DELETE_FILE, params![file.as_str()])
    }

    pub(crate) fn delete_of_archive(&mut self, archive: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_ARCHIVE, params![archive])?;
        self.session().execute_later(&DELETE_FILES_OF_ARCHIVE, params![archive])
    }
}
