//! Writes and restores the portable form of a backup, which is the same for both databases.

use std::io::{BufReader, BufWriter, Read};
use std::path::Path;

use bytes::Bytes;

use super::catalog::{KEY_BUCKETS, SCOPE_KEYS, Table, tables};
use super::database::Database;
use super::draft::Draft;
use super::error::BackupError;
use super::format::{
    BackupHeader, DatabaseKind, FormatError, PortableReader, PortableWriter, RowHasher, TableSum,
};
use super::key_transfer::{KeyOpener, KeyTransfer};
use crate::keys::{Day, KeyFiles, Keys, Label, WrappedRoot};
use crate::tables::kernel::master_keys;
use crate::{StoreError, migrations};

const BUFFER_BYTES: usize = 1024 * 1024;

/// Writes all tables to a new file.
pub(crate) fn write(
    database: &mut Database,
    keys: &Keys,
    now: i64,
    target: &Path,
) -> Result<Vec<TableSum>, BackupError> {
    let draft = Draft::create(target)?;
    draft.check_space(database.size()?)?;
    database.begin_snapshot()?;
    let version = migrations::version(&mut database.session())?;
    // Another node may have rotated the master key: the row counts, and the root key stays the same.
    let root = master_keys::find_root(&mut database.session())?.ok_or(StoreError::Closed)?;
    let root_key = base16ct::lower::encode_string(&root.wrapped);
    let is_postgres = database.is_postgres();
    let kind = if is_postgres { DatabaseKind::Postgresql } else { DatabaseKind::Sqlite };
    let header = BackupHeader {
        schema_version: version,
        master_key: root.master_id,
        root_key,
        created_at: now,
        database: kind,
        tenant: None,
    };
    let unwritable = |error: std::io::Error| draft.unwritable(&error);
    let file = BufWriter::with_capacity(BUFFER_BYTES, draft.file());
    let mut writer = PortableWriter::new(file, header).map_err(unwritable)?;
    for table in tables(version, is_postgres)? {
        writer.begin_table(&table.name, table.column_names()).map_err(unwritable)?;
        database.read_table(&table, &mut |row| writer.write_row(row).map_err(unwritable))?;
        writer.end_table(&table.name).map_err(unwritable)?;
    }
    database.session().script("ROLLBACK")?;
    let (file, sums) = writer.finish(keys.tree.key(Label::Backup)).map_err(unwritable)?;
    drop(file);
    draft.keep()?;
    Ok(sums)
}

/// A portable backup whose header was read.
pub(super) struct HeadedFile<'k, R> {
    reader: PortableReader<BufReader<R>>,
    path: &'k Path,
}

impl<'k, R: Read> HeadedFile<'k, R> {
    /// Reads the header of a file, after its first line, and checks that its schema is known.
    pub(super) fn open(file: R, path: &'k Path) -> Result<Self, BackupError> {
        let reader = PortableReader::new(BufReader::with_capacity(BUFFER_BYTES, file));
        let reader = reader.map_err(|error| describe_damage(path, &error))?;
        let found = reader.header.schema_version;
        if found > migrations::newest_version() {
            return Err(StoreError::SchemaTooNew {
                found,
                serves_from: found,
                known: migrations::newest_version(),
            }
            .into());
        }
        Ok(Self { reader, path })
    }

    /// Opens the keys of the backup.
    pub(super) fn keys(&self, files: &KeyFiles) -> Result<Keys, BackupError> {
        let BackupHeader { master_key, root_key, .. } = &self.reader.header;
        let invalid = FormatError::Invalid("its root key is not hexadecimal");
        let wrapped =
            base16ct::lower::decode_vec(root_key).map_err(|_| describe_damage(self.path, &invalid))?;
        let root = WrappedRoot { master_id: master_key.clone(), wrapped };
        read_keys(files, &root, self.path)
    }
}

/// Opens the keys of a backup. Only the master key that the backup names opens them.
pub(super) fn read_keys(files: &KeyFiles, root: &WrappedRoot, backup: &Path) -> Result<Keys, BackupError> {
    Keys::read(files, root).map_err(|error| {
        if let StoreError::WrongMasterKey { found, expected, .. } = error {
            let (path, needed_file) = (backup.to_owned(), files.path_of(&expected));
            return BackupError::OtherKey {
                path,
                needed_file,
                needed: expected,
                owner: "the key folder",
                found,
            };
        }
        if matches!(error, StoreError::Unsealable { .. }) {
            return describe_damage(
                backup,
                &FormatError::Invalid("its root key does not open with its master key"),
            );
        }
        error.into()
    })
}

/// A portable backup that is being read.
pub(super) struct Source<'k, R> {
    reader: PortableReader<R>,
    keys: &'k Keys,
    path: &'k Path,
    tables: std::vec::IntoIter<Table>,
}

impl<'k, R: Read> Source<'k, BufReader<R>> {
    /// Continues with the tables of a file whose header was read.
    pub(super) fn new(headed: HeadedFile<'k, R>, keys: &'k Keys) -> Result<Self, BackupError> {
        let HeadedFile { reader, path } = headed;
        let BackupHeader { schema_version, database, .. } = &reader.header;
        let tables = tables(*schema_version, *database == DatabaseKind::Postgresql)?.into_iter();
        Ok(Self { reader, keys, path, tables })
    }

    pub(super) fn header(&self) -> &BackupHeader {
        &self.reader.header
    }

    /// Begins the next table. Returns `None` when all of the file is read and its signature is right.
    pub(super) fn next_table(&mut self) -> Result<Option<Table>, BackupError> {
        next_table(&mut self.reader, &mut self.tables, self.keys)
            .map_err(|error| describe_damage(self.path, &error))
    }

    /// Returns the next row of a table. Returns `None` when its hash is right.
    pub(super) fn next_row(&mut self, table: &Table) -> Result<Option<Bytes>, BackupError> {
        self.reader.next_row(&table.name).map_err(|error| describe_damage(self.path, &error))
    }

    /// Returns the sums of the tables.
    pub(super) fn into_sums(self) -> Vec<TableSum> {
        self.reader.into_sums()
    }
}

/// Begins the next table of a file, which must be the next one of `tables`. Returns `None` when all of the file is read and its
/// signature is right.
pub(super) fn next_table<R: Read>(
    reader: &mut PortableReader<R>,
    tables: &mut impl Iterator<Item = Table>,
    keys: &Keys,
) -> Result<Option<Table>, FormatError> {
    let found = reader.next_table(keys.tree.key(Label::Backup))?;
    let expected = tables.next();
    let is_expected = match (&found, &expected) {
        (Some((name, columns)), Some(table)) => *name == table.name && *columns == table.column_names(),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if is_expected {
        Ok(expected)
    } else {
        Err(FormatError::Invalid("its tables are not those of its schema"))
    }
}

pub(super) fn describe_damage(path: &Path, error: &FormatError) -> BackupError {
    BackupError::Damaged { path: path.to_owned(), fault: error.to_string() }
}

/// Fills an empty database with a backup in one transaction, and compares each table with the backup before the commit.
pub(super) fn restore<R: Read>(
    source: &mut Source<'_, BufReader<R>>,
    database: &mut Database,
    today: Day,
) -> Result<(), BackupError> {
    database.begin_fill()?;
    let filled = fill(source, database, today);
    // A connection that failed cannot roll back, and the server does.
    let ended = database.session().script(if filled.is_ok() { "COMMIT" } else { "ROLLBACK" });
    filled?;
    Ok(ended?)
}

fn fill<R: Read>(
    source: &mut Source<'_, BufReader<R>>,
    database: &mut Database,
    today: Day,
) -> Result<(), BackupError> {
    let (header, keys) = (source.header().clone(), source.keys);
    migrations::migrate_to(&mut database.session(), header.schema_version)?;
    let is_for_postgres = database.is_postgres();
    let converts = (header.database == DatabaseKind::Postgresql) != is_for_postgres;
    let mut transfer = KeyTransfer::new(keys, is_for_postgres, today);
    while let Some(table) = source.next_table()? {
        match table.name.as_str() {
            KEY_BUCKETS if converts => {
                while let Some(row) = source.next_row(&table)? {
                    transfer.opener.add_bucket(&row)?;
                }
            }
            SCOPE_KEYS if converts => {
                database.fill_table(&table, &mut || {
                    while let Some(row) = source.next_row(&table)? {
                        if let Some(converted) = transfer.convert(&row)? {
                            return Ok(Some(converted));
                        }
                    }
                    Ok(None)
                })?;
            }
            _ => {
                database.fill_table(&table, &mut || source.next_row(&table))?;
                compare(database, &table, source.reader.last_sum())?;
            }
        }
    }
    if converts {
        let (buckets, digest) = transfer.finish()?;
        let tables = tables(header.schema_version, is_for_postgres)?;
        compare_keys(database, keys, &tables, buckets, digest)?;
    }
    Ok(migrations::migrate_to(&mut database.session(), migrations::newest_version())?)
}

/// Compares the rows of a table with those of the backup.
fn compare(database: &mut Database, table: &Table, expected: Option<&TableSum>) -> Result<(), BackupError> {
    let mut hasher = RowHasher::default();
    database.read_table(table, &mut |row| {
        hasher.add(row);
        Ok(())
    })?;
    if expected == Some(&hasher.finish(&table.name)) {
        Ok(())
    } else {
        Err(BackupError::Differs { table: table.name.clone() })
    }
}

/// Writes the new buckets, and compares the keys that the database now opens with those of the backup.
fn compare_keys(
    database: &mut Database,
    keys: &Keys,
    tables: &[Table],
    buckets: Vec<Bytes>,
    expected: [u8; 32],
) -> Result<(), BackupError> {
    let mut opener = KeyOpener::new(keys);
    let mut buckets = buckets.into_iter();
    for table in tables {
        if table.name == KEY_BUCKETS {
            database.fill_table(table, &mut || Ok(buckets.next()))?;
            database.read_table(table, &mut |row| opener.add_bucket(row))?;
        } else if table.name == SCOPE_KEYS {
            database.read_table(table, &mut |row| opener.open_row(row).map(drop))?;
        }
    }
    if opener.finish() == expected {
        Ok(())
    } else {
        Err(BackupError::Differs { table: SCOPE_KEYS.to_owned() })
    }
}
