//! Files and their segments: which objects hold a file's bytes, and the key that seals them.

use link_domain::documents::archive::{FileHolder, Segment};
use link_types::id::FileId;
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
    segment_columns => struct Columns { holder_id, file_id, position, length, object }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO file_segments (file_id, position, holder_id, length, object) VALUES (?1, ?2, ?3, ?4, ?5) \
           ON CONFLICT (file_id, position) DO UPDATE SET length = excluded.length, object = excluded.object";
    PUT_FILE = "INSERT INTO uploaded_files (id, holder_id) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING";
    HOLDER_OF_FILE = "SELECT holder_id FROM uploaded_files WHERE id = ?1";
    DELETE_FILE = "DELETE FROM uploaded_files WHERE id = ?1";
    DELETE_FILES_OF_HOLDER = "DELETE FROM uploaded_files WHERE holder_id = ?1";
    OF_FILE = concat!("SELECT ", segment_columns!(""), " FROM file_segments WHERE holder_id = ?1 \
              AND file_id = ?2 ORDER BY position");
    OBJECTS_OF_HOLDER = "SELECT object FROM file_segments WHERE holder_id = ?1";
    DELETE_OF_FILE = "DELETE FROM file_segments WHERE file_id = ?1";
    DELETE_OF_HOLDER = "DELETE FROM file_segments WHERE holder_id = ?1";
}

fn read(row: &Row<'_>) -> Result<Segment, StoreError> {
    Ok(Segment {
        holder: parse(TABLE, row.str(COLUMNS.holder_id)?)?,
        file_id: parse(TABLE, row.str(COLUMNS.file_id)?)?,
        index: small(TABLE, row.int(COLUMNS.position)?)?,
        length: small(TABLE, row.int(COLUMNS.length)?)?,
        object: row.text(COLUMNS.object)?,
    })
}

/// Seals and opens the segments of the files of one holder.
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
    /// Uploaded files, and the segments that hold their bytes.
    Files, files
}

impl<'c, S: ReadSession<'c>> Files<'_, S> {
    /// Returns the key of a holder's files, or [`StoreError::Erased`] if it is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn key(&mut self, holder: impl Into<FileHolder>) -> Result<FileKey, StoreError> {
        self.0.reader().scope_key(holder.into().as_str()).map(FileKey)
    }

    /// Returns the object that has or had this file. The caller must check who owns it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn holder_of(&mut self, file: &FileId) -> Result<Option<FileHolder>, StoreError> {
        self.session().find(&HOLDER_OF_FILE, params![file.as_str()], |row| parse(TABLE, row.str(0)?))
    }

    /// Returns a file's segments in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn segments(
        &mut self,
        holder: impl Into<FileHolder>,
        file: &FileId,
    ) -> Result<Vec<Segment>, StoreError> {
        self.session().query(&OF_FILE, params![holder.into().as_str(), file.as_str()], read)
    }

    /// Returns the names of all objects with bytes of a holder's files.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn objects_of(&mut self, holder: impl Into<FileHolder>) -> Result<Vec<String>, StoreError> {
        self.session().query(&OBJECTS_OF_HOLDER, params![holder.into().as_str()], |row| row.text(0))
    }
}

impl Files<'_, Tx<'_>> {
    pub(crate) fn put_segment(&mut self, segment: &Segment) -> Result<(), StoreError> {
        let Segment { holder, file_id, index, length, object } = segment;
        self.session().execute_later(
            &PUT,
            params![
                file_id.as_str(),
                i64::from(*index),
                holder.as_str(),
                i64::from(*length),
                object.as_str()
            ],
        )
    }

    pub(crate) fn put(&mut self, file: &FileId, holder: &FileHolder) -> Result<(), StoreError> {
        self.session().execute_later(&PUT_FILE, params![file.as_str(), holder.as_str()])
    }

    pub(crate) fn delete(&mut self, file: &FileId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_FILE, params![file.as_str()])?;
        self.session().execute_later(&DELETE_FILE, params![file.as_str()])
    }

    pub(crate) fn delete_of_holder(&mut self, holder: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_HOLDER, params![holder])?;
        self.session().execute_later(&DELETE_FILES_OF_HOLDER, params![holder])
    }
}
