//! Verifies a backup without restoring it: reads all of it, and opens some sealed values of each column.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use link_domain::documents::archive::Segment;
use link_domain::kernel::clock::Wall;

use super::catalog::{KEY_BUCKETS, SCOPE_KEYS, Table, tables};
use super::database::Database;
use super::error::BackupError;
use super::format::{FIRST_LINE, RowHasher, TableSum};
use super::key_transfer::KeyOpener;
use super::portable::{HeadedFile, Source, read_keys};
use super::row::{fields_of, int_of, text_of};
use super::sealed_columns::{FILE_SEGMENTS, KeyOf, SEALED_COLUMNS, SealedColumn};
use super::sqlite_file::{check_pages, root};
use crate::engine::folder::with_suffix;
use crate::engine::sqlite::open_reader;
use crate::keys::{Day, Key, KeyFiles, Keys, Location};
use crate::sql::Session;
use crate::tables::documents::file_segments::FileKey;
use crate::tables::kernel::scopes::LostDay;
use crate::{StoreError, migrations};

/// The largest sealed value that is kept in memory until its key is found.
const MAX_SAMPLE_BYTES: usize = 8 * 1024 * 1024;

/// The sealed values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedColumn {
    /// The table and the column, such as `users.body`.
    pub name: String,
    /// The number of values.
    pub values: u64,
    /// The number of values that were opened. The keys of the other samples have ended, or were erased.
    pub opened: u64,
}

/// A piece of a file, and the key that opens it.
#[derive(Debug, Clone)]
pub struct SegmentSample {
    /// The piece.
    pub segment: Segment,
    /// The key of its archive.
    pub key: FileKey,
}

/// The contents of a backup that was read completely.
#[derive(Debug, Clone)]
pub struct Verified {
    /// When it was written. `None` for a SQLite file, which does not say so.
    pub created_at: Option<Wall>,
    /// The id of the master key that it needs.
    pub master_key: String,
    /// The number of rows and the hash of each table.
    pub tables: Vec<TableSum>,
    /// The sealed columns that have values.
    pub columns: Vec<VerifiedColumn>,
    /// The days from today on whose key files are missing. Everything of the backup that they protect is lost.
    pub lost_days: Vec<LostDay>,
    /// Pieces of files, of which one should be opened. Empty if the backup has none whose key exists.
    pub segments: Vec<SegmentSample>,
}

impl Verified {
    /// Returns whether the keys of the backup are gone: it is too old, or the key folder is not the right one.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        let is_closed = |it: &VerifiedColumn| it.values > 0 && it.opened == 0;
        let users = self.columns.iter().any(|it| it.name == "users.body" && is_closed(it));
        users || (!self.columns.is_empty() && self.columns.iter().all(is_closed))
    }

    /// Refuses a backup whose keys are gone, or of which a part cannot be decrypted.
    ///
    /// # Errors
    ///
    /// [`BackupError::Expired`] or [`BackupError::LostDays`].
    pub fn check_keys(&self) -> Result<(), BackupError> {
        if self.is_expired() {
            return Err(BackupError::Expired);
        }
        let Some(first) = self.lost_days.first() else { return Ok(()) };
        let things = self.lost_days.iter().map(|it| it.things).sum();
        Err(BackupError::LostDays { days: self.lost_days.len(), first: first.day.0, things })
    }
}

/// Reads all of a backup, checks its hashes or its pages, and opens values of each sealed column with the keys of a folder.
/// Changes nothing.
///
/// # Errors
///
/// See [`BackupError`]. [`BackupError::Damaged`] if a value does not open although its key exists.
pub fn verify(keys: &KeyFiles, backup: &Path, now: Wall) -> Result<Verified, BackupError> {
    let verified = read_all(keys, backup, Day::from_micros(now.micros()));
    verified.map_err(|error| {
        let BackupError::Differs { table } = error else { return error };
        let fault = format!("a row of {table} cannot be decoded");
        BackupError::Damaged { path: backup.to_owned(), fault }
    })
}

fn read_all(keys: &KeyFiles, backup: &Path, today: Day) -> Result<Verified, BackupError> {
    let unreadable = |source| BackupError::Unreadable { path: backup.to_owned(), source };
    let real = backup.canonicalize().map_err(unreadable)?;
    let mut file = File::open(&real).map_err(unreadable)?;
    let mut first = Vec::new();
    (&mut file).take(FIRST_LINE.len() as u64).read_to_end(&mut first).map_err(unreadable)?;
    if first == FIRST_LINE {
        let headed = HeadedFile::open(file, backup)?;
        let keys = headed.keys(keys)?;
        let mut samples = Samples::new(&keys, today);
        let mut source = Source::new(headed, &keys)?;
        let created_at = Some(Wall::from_micros(source.header().created_at));
        while let Some(table) = source.next_table()? {
            while let Some(row) = source.next_row(&table)? {
                samples.take(&table, &row)?;
            }
        }
        let master_key = source.header().master_key.clone();
        return samples.open_all(backup, (created_at, master_key), source.into_sums());
    }
    if with_suffix(&real, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
        return Err(BackupError::HasLog { path: backup.to_owned() });
    }
    check_pages(&open_reader(&real)?, backup)?;
    let root = root(&real)?.ok_or_else(|| BackupError::Damaged {
        path: backup.to_owned(),
        fault: "it has no master key".to_owned(),
    })?;
    let keys = read_keys(keys, &root, backup)?;
    let mut samples = Samples::new(&keys, today);
    let sums = read_sqlite(&mut samples, &real)?;
    samples.open_all(backup, (None, root.master_id), sums)
}

fn read_sqlite(samples: &mut Samples<'_>, real: &Path) -> Result<Vec<TableSum>, BackupError> {
    let connection = open_reader(real)?;
    let version = migrations::version(&mut Session::Sqlite(&connection))?;
    let mut database = Database::Sqlite(connection);
    database.begin_snapshot()?;
    let mut sums = Vec::new();
    for table in tables(version, false)? {
        let mut hasher = RowHasher::default();
        database.read_table(&table, &mut |row| {
            hasher.add(row);
            samples.take(&table, row)
        })?;
        sums.push(hasher.finish(&table.name));
    }
    Ok(sums)
}

/// A sealed value whose key is not known yet.
struct Sample {
    id: String,
    scope: Option<String>,
    sealed: Vec<u8>,
}

/// Samples of each sealed column: the values number 1, 2, 4, 8 and so on, because the newest and the oldest may have ended.
struct Samples<'k> {
    keys: &'k Keys,
    opener: KeyOpener<'k>,
    today: Day,
    lost_days: BTreeMap<Day, i64>,
    columns: Vec<(&'static SealedColumn, u64, Vec<Sample>)>,
    segments: Vec<Segment>,
    segments_seen: u64,
    /// The scopes of the samples, with their keys once they are found.
    scopes: HashMap<String, Option<Key>>,
}

impl<'k> Samples<'k> {
    fn new(keys: &'k Keys, today: Day) -> Self {
        let columns = SEALED_COLUMNS.iter().map(|it| (it, 0, Vec::new())).collect();
        let opener = KeyOpener::new(keys);
        let (lost_days, segments, scopes) = Default::default();
        Self { keys, opener, today, lost_days, columns, segments, segments_seen: 0, scopes }
    }

    fn take(&mut self, table: &Table, row: &[u8]) -> Result<(), BackupError> {
        let differs = || BackupError::Differs { table: table.name.clone() };
        match table.name.as_str() {
            KEY_BUCKETS => return self.opener.add_bucket(row),
            SCOPE_KEYS => return self.take_key(table, row),
            FILE_SEGMENTS => return self.take_segment(table, row),
            _ => {}
        }
        if !self.columns.iter().any(|(it, ..)| it.table == table.name) {
            return Ok(());
        }
        let fields = fields_of(row, table.columns.len()).ok_or_else(differs)?;
        let field = |name: &str| table.position_of(name).and_then(|at| fields.get(at).copied().flatten());
        for (column, count, samples) in self.columns.iter_mut().filter(|(it, ..)| it.table == table.name) {
            let Some(sealed) = field(column.column) else { continue };
            *count += 1;
            if !count.is_power_of_two() || sealed.len() > MAX_SAMPLE_BYTES {
                continue;
            }
            let scope = match column.key {
                KeyOf::Scope(name) | KeyOf::ScopeOr(name, _) => text_of(field(name)).map(str::to_owned),
                KeyOf::Service(_) => None,
            };
            if let Some(scope) = &scope {
                self.scopes.entry(scope.clone()).or_default();
            }
            let id = format!("{}{}", text_of(field(column.id.0)).unwrap_or_default(), column.id.1);
            samples.push(Sample { id, scope, sealed: sealed.to_vec() });
        }
        Ok(())
    }

    fn take_key(&mut self, table: &Table, row: &[u8]) -> Result<(), BackupError> {
        let fields = fields_of(row, table.columns.len());
        if let Some(day) = self.opener.find_lost_day(row, self.today)? {
            *self.lost_days.entry(day).or_default() += 1;
        }
        let scope = fields.and_then(|it| text_of(it.first().copied().flatten()).map(str::to_owned));
        if let Some(key) = scope.and_then(|it| self.scopes.get_mut(&it)) {
            *key = self.opener.open_row(row)?;
        }
        Ok(())
    }

    fn take_segment(&mut self, table: &Table, row: &[u8]) -> Result<(), BackupError> {
        self.segments_seen += 1;
        if !self.segments_seen.is_power_of_two() {
            return Ok(());
        }
        let fields = fields_of(row, table.columns.len()).unwrap_or_default();
        let field = |name: &str| table.position_of(name).and_then(|at| fields.get(at).copied().flatten());
        let read = || {
            Some(Segment {
                holder: text_of(field("holder_id"))?.parse().ok()?,
                file_id: text_of(field("file_id"))?.parse().ok()?,
                index: int_of(field("position"))?.try_into().ok()?,
                length: int_of(field("length"))?.try_into().ok()?,
                object: text_of(field("object"))?.to_owned(),
            })
        };
        let segment = read().ok_or_else(|| BackupError::Differs { table: table.name.clone() })?;
        self.scopes.entry(segment.holder.as_str().to_owned()).or_default();
        self.segments.push(segment);
        Ok(())
    }

    /// Opens the samples whose keys exist.
    fn open_all(
        self,
        backup: &Path,
        (created_at, master_key): (Option<Wall>, String),
        tables: Vec<TableSum>,
    ) -> Result<Verified, BackupError> {
        let mut columns = BTreeMap::new();
        for (column, values, samples) in self.columns.iter().filter(|(_, values, _)| *values > 0) {
            let mut opened = 0;
            for sample in samples {
                let key = match (&sample.scope, column.key) {
                    (Some(scope), _) => self.scopes.get(scope).and_then(Option::as_ref),
                    (None, KeyOf::Service(label) | KeyOf::ScopeOr(_, label)) => {
                        Some(self.keys.tree.key(label))
                    }
                    (None, KeyOf::Scope(_)) => None,
                };
                let Some(key) = key else { continue };
                let location = Location { table: column.location, id: &sample.id };
                key.open(location, &sample.sealed).map_err(|error| unsealable(backup, &error))?;
                opened += 1;
            }
            let name = format!("{}.{}", column.table, column.column);
            columns.insert(name.clone(), VerifiedColumn { name, values: *values, opened });
        }
        let key_of = |segment: &Segment| self.scopes.get(segment.holder.as_str()).cloned().flatten();
        let segments = self.segments.iter().filter_map(|segment| {
            key_of(segment).map(|key| SegmentSample { segment: segment.clone(), key: FileKey::new(key) })
        });
        let segments = segments.collect();
        let lost_days = self.lost_days.iter().map(|(day, things)| LostDay { day: *day, things: *things });
        let (columns, lost_days) = (columns.into_values().collect(), lost_days.collect());
        Ok(Verified { created_at, master_key, tables, columns, lost_days, segments })
    }
}

fn unsealable(backup: &Path, error: &StoreError) -> BackupError {
    BackupError::Damaged { path: backup.to_owned(), fault: error.to_string() }
}
