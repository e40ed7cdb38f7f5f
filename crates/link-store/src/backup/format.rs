//! The file of a portable backup: a line that names the format, then frames.
//!
//! Each frame is a kind of one byte, its length in four, and the content. A header is followed by the tables, and a manifest
//! is at the end. It holds the number of rows and the hash of each table, and is signed with a key that is derived from the
//! root key, so that a backup that was changed is rejected.

use std::io::{Read, Write};

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::row::split_row;
use super::tenant_export::TenantHeader;
use crate::keys::Key;

/// The first line of a file.
pub(super) const FIRST_LINE: &[u8; 18] = b"Linchpin backup 1\n";

/// The first line of the file of one tenant. It has the length of [`FIRST_LINE`], and no restore accepts it.
pub(super) const FIRST_LINE_OF_TENANT: &[u8; 18] = b"Linchpin tenant 1\n";

/// Rows are gathered into frames of about this size.
const FRAME_BYTES: usize = 256 * 1024;
/// The maximum size of a frame, far above that of one row.
const MAX_FRAME_BYTES: u32 = 1 << 30;
const SIGNATURE_BYTES: usize = 32;

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Header,
    Table,
    Rows,
    End,
    Manifest,
}

impl FrameKind {
    const ALL: [FrameKind; 5] =
        [FrameKind::Header, FrameKind::Table, FrameKind::Rows, FrameKind::End, FrameKind::Manifest];

    const fn code(self) -> u8 {
        match self {
            FrameKind::Header => b'H',
            FrameKind::Table => b'T',
            FrameKind::Rows => b'R',
            FrameKind::End => b'E',
            FrameKind::Manifest => b'M',
        }
    }
}

/// The kind of database that a backup was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum DatabaseKind {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgresql,
}

/// The description of a backup, before its tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BackupHeader {
    /// The version of the schema.
    pub(super) schema_version: i64,
    /// The id of the master key.
    pub(super) master_key: String,
    /// The root key, wrapped with the master key, in hexadecimal digits.
    pub(super) root_key: String,
    /// When the rows were read, in microseconds since 1970.
    pub(super) created_at: i64,
    /// The kind of database.
    pub(super) database: DatabaseKind,
    /// The tenant, if the file has only its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tenant: Option<TenantHeader>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TableHeader {
    table: String,
    columns: Vec<String>,
}

/// The rows of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSum {
    /// The table.
    pub table: String,
    /// The number of its rows.
    pub rows: u64,
    /// The SHA-256 of its rows, in hexadecimal digits.
    pub sha256: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    header: BackupHeader,
    tables: Vec<TableSum>,
}

/// Counts and hashes the rows of a table.
#[derive(Default)]
pub(super) struct RowHasher {
    rows: u64,
    hash: Sha256,
}

impl RowHasher {
    pub(super) fn add(&mut self, row: &[u8]) {
        self.rows += 1;
        self.hash.update(row);
    }

    pub(super) fn finish(self, table: &str) -> TableSum {
        let sha256 = base16ct::lower::encode_string(&self.hash.finalize());
        TableSum { table: table.to_owned(), rows: self.rows, sha256 }
    }
}

pub(super) fn sign(key: &Key, manifest: &[u8]) -> Hmac<Sha256> {
    // HMAC accepts keys of any length, so this cannot fail.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes())
        .unwrap_or_else(|_| <Hmac<Sha256> as KeyInit>::new(&Default::default()));
    mac.update(manifest);
    mac
}

/// Writes the file of a backup.
pub(super) struct PortableWriter<W> {
    file: W,
    manifest: Manifest,
    buffer: Vec<u8>,
    hasher: RowHasher,
}

impl<W: Write> PortableWriter<W> {
    pub(super) fn new(mut file: W, header: BackupHeader) -> std::io::Result<Self> {
        file.write_all(if header.tenant.is_some() { FIRST_LINE_OF_TENANT } else { FIRST_LINE })?;
        let text = serde_json::to_vec(&header)?;
        let manifest = Manifest { header, tables: Vec::new() };
        let mut writer = Self { file, manifest, buffer: Vec::new(), hasher: RowHasher::default() };
        writer.write_frame(FrameKind::Header, &text)?;
        Ok(writer)
    }

    fn write_frame(&mut self, kind: FrameKind, content: &[u8]) -> std::io::Result<()> {
        let length = u32::try_from(content.len()).ok().filter(|it| *it <= MAX_FRAME_BYTES);
        let length = length.ok_or(std::io::ErrorKind::FileTooLarge)?;
        self.file.write_all(&[kind.code()])?;
        self.file.write_all(&length.to_be_bytes())?;
        self.file.write_all(content)
    }

    pub(super) fn begin_table(&mut self, table: &str, columns: Vec<String>) -> std::io::Result<()> {
        let text = serde_json::to_vec(&TableHeader { table: table.to_owned(), columns })?;
        self.write_frame(FrameKind::Table, &text)
    }

    pub(super) fn write_row(&mut self, row: &[u8]) -> std::io::Result<()> {
        self.hasher.add(row);
        self.buffer.extend_from_slice(row);
        if self.buffer.len() >= FRAME_BYTES { self.write_rows() } else { Ok(()) }
    }

    fn write_rows(&mut self) -> std::io::Result<()> {
        let rows = std::mem::take(&mut self.buffer);
        self.write_frame(FrameKind::Rows, &rows)?;
        self.buffer = rows;
        self.buffer.clear();
        Ok(())
    }

    pub(super) fn end_table(&mut self, table: &str) -> std::io::Result<()> {
        if !self.buffer.is_empty() {
            self.write_rows()?;
        }
        let sum = std::mem::take(&mut self.hasher).finish(table);
        self.write_frame(FrameKind::End, &serde_json::to_vec(&sum)?)?;
        self.manifest.tables.push(sum);
        Ok(())
    }

    /// Writes the manifest, and returns the file and the sums of the tables.
    pub(super) fn finish(mut self, key: &Key) -> std::io::Result<(W, Vec<TableSum>)> {
        let text = serde_json::to_vec(&self.manifest)?;
        let signature = sign(key, &text).finalize().into_bytes();
        self.write_frame(FrameKind::Manifest, &[signature.as_slice(), &text].concat())?;
        self.file.flush()?;
        Ok((self.file, self.manifest.tables))
    }
}

/// Reason why the file of a backup cannot be used. The text ends a message.
#[derive(Debug, thiserror::Error)]
pub(super) enum FormatError {
    #[error("{0}")]
    Read(#[from] std::io::Error),
    #[error("{0}")]
    Invalid(&'static str),
    #[error("a part of it cannot be parsed: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the rows of {0} do not match their hash")]
    Changed(String),
    #[error("its signature does not match its keys: it was changed")]
    Signature,
}

/// Reads the file of a backup, and checks every hash.
pub(super) struct PortableReader<R> {
    file: R,
    pub(super) header: BackupHeader,
    sums: Vec<TableSum>,
    /// The rest of the last frame of rows.
    rows: Bytes,
    hasher: RowHasher,
}

impl<R: Read> PortableReader<R> {
    /// Reads the header. `file` is after [`FIRST_LINE`].
    pub(super) fn new(file: R) -> Result<Self, FormatError> {
        let header = BackupHeader {
            schema_version: 0,
            master_key: String::new(),
            root_key: String::new(),
            created_at: 0,
            database: DatabaseKind::Sqlite,
            tenant: None,
        };
        let mut reader =
            Self { file, header, sums: Vec::new(), rows: Bytes::new(), hasher: RowHasher::default() };
        let (FrameKind::Header, text) = reader.read_frame()? else {
            return Err(FormatError::Invalid("it has no header"));
        };
        reader.header = serde_json::from_slice(&text)?;
        Ok(reader)
    }

    fn read_frame(&mut self) -> Result<(FrameKind, Bytes), FormatError> {
        let mut head = [0; 5];
        self.file.read_exact(&mut head).map_err(|_| FormatError::Invalid("it ends too early"))?;
        let [code, length @ ..] = head;
        let kind = FrameKind::ALL.into_iter().find(|it| it.code() == code);
        let kind = kind.ok_or(FormatError::Invalid("it has an unknown part"))?;
        let length = u32::from_be_bytes(length);
        if length > MAX_FRAME_BYTES {
            return Err(FormatError::Invalid("a part of it is too long"));
        }
        let mut content = Vec::new();
        (&mut self.file).take(u64::from(length)).read_to_end(&mut content)?;
        if content.len() < length as usize {
            return Err(FormatError::Invalid("it ends too early"));
        }
        Ok((kind, content.into()))
    }

    /// Begins the next table, and returns its name and columns. Returns `None` after the last table, once the signature of
    /// the manifest is checked.
    pub(super) fn next_table(&mut self, key: &Key) -> Result<Option<(String, Vec<String>)>, FormatError> {
        let (kind, content) = self.read_frame()?;
        match kind {
            FrameKind::Table => {
                let TableHeader { table, columns } = serde_json::from_slice(&content)?;
                self.hasher = RowHasher::default();
                Ok(Some((table, columns)))
            }
            FrameKind::Manifest => self.check_manifest(key, &content).map(|()| None),
            FrameKind::Header | FrameKind::Rows | FrameKind::End => {
                Err(FormatError::Invalid("its parts are in the wrong order"))
            }
        }
    }

    fn check_manifest(&mut self, key: &Key, content: &[u8]) -> Result<(), FormatError> {
        let short = FormatError::Invalid("its manifest is too short");
        let (signature, text) = content.split_at_checked(SIGNATURE_BYTES).ok_or(short)?;
        sign(key, text).verify_slice(signature).map_err(|_| FormatError::Signature)?;
        let manifest: Manifest = serde_json::from_slice(text)?;
        if manifest.header != self.header || manifest.tables != self.sums {
            return Err(FormatError::Invalid("its manifest does not match its tables"));
        }
        let rest = (&mut self.file).take(1).read_to_end(&mut Vec::new())?;
        if rest == 0 { Ok(()) } else { Err(FormatError::Invalid("it has bytes after its manifest")) }
    }

    /// Returns the next row of a table. Returns `None` after its last row, once the hash of the table is checked.
    pub(super) fn next_row(&mut self, table: &str) -> Result<Option<Bytes>, FormatError> {
        while self.rows.is_empty() {
            let (kind, content) = self.read_frame()?;
            match kind {
                FrameKind::Rows => self.rows = content,
                FrameKind::End => {
                    let sum = std::mem::take(&mut self.hasher).finish(table);
                    if serde_json::from_slice::<TableSum>(&content)? != sum {
                        return Err(FormatError::Changed(table.to_owned()));
                    }
                    self.sums.push(sum);
                    return Ok(None);
                }
                FrameKind::Header | FrameKind::Table | FrameKind::Manifest => {
                    return Err(FormatError::Invalid("its parts are in the wrong order"));
                }
            }
        }
        let row = split_row(&mut self.rows).ok_or(FormatError::Invalid("a row of it is incomplete"))?;
        self.hasher.add(&row);
        Ok(Some(row))
    }

    /// Returns the sum of the table that was read last.
    pub(super) fn last_sum(&self) -> Option<&TableSum> {
        self.sums.last()
    }

    /// Returns the sums of all tables.
    pub(super) fn into_sums(self) -> Vec<TableSum> {
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::RowBuilder;
    use super::*;

    fn row(value: i64) -> Bytes {
        let mut row = RowBuilder::new(1);
        row.push_int(value);
        row.finish()
    }

    fn header() -> BackupHeader {
        BackupHeader {
            schema_version: 1,
            master_key: "key".to_owned(),
            root_key: "00".to_owned(),
            created_at: 7,
            database: DatabaseKind::Postgresql,
            tenant: None,
        }
    }

    fn file(key: &Key) -> Vec<u8> {
        let mut writer = PortableWriter::new(Vec::new(), header()).unwrap();
        for table in ["a", "b"] {
            writer.begin_table(table, vec!["c".to_owned()]).unwrap();
            (0..40_000).for_each(|value| writer.write_row(&row(value)).unwrap());
            writer.end_table(table).unwrap();
        }
        writer.finish(key).unwrap().0
    }

    /// Reads all of a file, and returns the number of rows.
    fn read(file: &[u8], key: &Key) -> Result<u64, FormatError> {
        let mut reader = PortableReader::new(&file[FIRST_LINE.len()..])?;
        assert_eq!(reader.header, header());
        while let Some((table, columns)) = reader.next_table(key)? {
            assert_eq!(columns, ["c"]);
            while reader.next_row(&table)?.is_some() {}
        }
        Ok(reader.into_sums().iter().map(|it| it.rows).sum())
    }

    #[test]
    fn written_rows_are_read_back() {
        let key = Key::random().unwrap();
        assert_eq!(read(&file(&key), &key).unwrap(), 80_000);
    }

    #[test]
    fn changed_or_truncated_backup_is_rejected() {
        let key = Key::random().unwrap();
        let good = file(&key);
        for (at, name) in
            [(good.len() / 3, "a row"), (good.len() - 4, "the manifest"), (good.len() - 600, "a sum")]
        {
            let mut changed = good.clone();
            changed[at] ^= 1;
            assert!(read(&changed, &key).is_err(), "{name}");
        }
        assert!(read(&good[..good.len() - 1], &key).is_err());
        assert!(read(&[good.as_slice(), b"x"].concat(), &key).is_err());
        assert!(matches!(read(&good, &Key::random().unwrap()), Err(FormatError::Signature)));
    }
}
