//! Reads the file of an exported tenant from its start to its end.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::catalog::Table;
use super::error::BackupError;
use super::format::{FIRST_LINE_OF_TENANT, FormatError, PortableReader};
use super::portable::{self, describe_damage};
use crate::keys::Keys;

pub(super) fn unreadable(path: &Path, source: std::io::Error) -> BackupError {
    BackupError::Unreadable { path: path.to_owned(), source }
}

pub(super) fn differs(table: &Table) -> BackupError {
    BackupError::Differs { table: table.name.clone() }
}

/// One reading of the file, table by table in the order of the schema.
pub(super) struct Pass {
    pub(super) reader: PortableReader<BufReader<File>>,
    tables: std::vec::IntoIter<Table>,
    path: PathBuf,
}

impl Pass {
    pub(super) fn open(path: &Path, tables: Vec<Table>) -> Result<Self, BackupError> {
        let mut file = BufReader::new(File::open(path).map_err(|source| unreadable(path, source))?);
        let mut first = Vec::new();
        (&mut file)
            .take(FIRST_LINE_OF_TENANT.len() as u64)
            .read_to_end(&mut first)
            .map_err(|source| unreadable(path, source))?;
        if first != FIRST_LINE_OF_TENANT {
            return Err(describe_damage(path, &FormatError::Invalid("it is not an export of a tenant")));
        }
        let reader = PortableReader::new(file).map_err(|error| describe_damage(path, &error))?;
        Ok(Self { reader, tables: tables.into_iter(), path: path.to_owned() })
    }

    /// Begins the next table. Returns `None` when all of the file is read and its signature is right.
    pub(super) fn next_table(&mut self, keys: &Keys) -> Result<Option<Table>, BackupError> {
        let found = portable::next_table(&mut self.reader, &mut self.tables, keys);
        found.map_err(|error| describe_damage(&self.path, &error))
    }

    pub(super) fn next_row(&mut self, table: &Table) -> Result<Option<Bytes>, BackupError> {
        self.reader.next_row(&table.name).map_err(|error| describe_damage(&self.path, &error))
    }
}
