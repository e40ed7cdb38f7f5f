//! Why a backup is not written, not restored, or not verified.

use std::path::PathBuf;

use link_domain::documents::file_store::FileStoreError;

use crate::StoreError;

/// Reason why a backup was not written or not restored. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The data folder holds no SQLite database.
    #[error(
        "the folder {} has no SQLite database. Name the data folder with --data-dir, or a PostgreSQL database with \
         --database-url",
        folder.display()
    )]
    NoDatabase {
        /// The data folder.
        folder: PathBuf,
    },
    /// The data folder does not exist.
    #[error(
        "the data folder {} does not exist. Name it with --data-dir, or create it and restore its keys",
        folder.display()
    )]
    NoFolder {
        /// The data folder.
        folder: PathBuf,
    },
    /// The store is in memory.
    #[error("the database is in memory, so there is nothing to back up or to restore")]
    InMemory,
    /// The file to write exists.
    #[error("the file {} exists. Name a new file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The backup cannot be written.
    #[error(
        "cannot write the backup {} ({fault}). Name a file in a folder that the user of the service can write, with \
         enough space",
        path.display()
    )]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The cause.
        fault: String,
    },
    /// The file system of the backup is too small.
    #[error(
        "the folder {} has {free} bytes free, and the backup may need {needed}. Free some space, or name a file elsewhere",
        folder.display()
    )]
    NoSpace {
        /// The folder of the backup.
        folder: PathBuf,
        /// The size of the tables.
        needed: u64,
        /// The space that this user may use.
        free: u64,
    },
    /// The bucket refuses the service, or is away.
    #[error("cannot use the backups at {place} in the bucket: {source}")]
    Place {
        /// The beginning of the names of the objects.
        place: String,
        /// The cause, with its remedy.
        source: FileStoreError,
    },
    /// The folder of scheduled backups is not the one that has the earlier ones.
    #[error(
        "the folder {} has no file {marker}, which the first backup wrote there: its volume is away, or was exchanged. \
         Nothing was written. Mount it again. If it was emptied on purpose, create the file",
        folder.display()
    )]
    NoMarker {
        /// The folder.
        folder: PathBuf,
        /// The name of the file.
        marker: &'static str,
    },
    /// The keys of the backup are gone.
    #[error(
        "the keys that open this backup are gone: it is older than 60 days, or --keys-dir names another folder"
    )]
    Expired,
    /// Keys of days that are not over are missing.
    #[error(
        "{days} day keys are missing in the key folder (the first is {first}.day). Without them, {things} users, accounts \
         and other resources of this backup cannot be decrypted. Restore the folder from its second copy, and check \
         --keys-dir"
    )]
    LostDays {
        /// The number of days.
        days: usize,
        /// The first day.
        first: i64,
        /// The number of resources that their keys protect.
        things: i64,
    },
    /// The bucket has no complete backup of this name.
    #[error("the bucket has no complete backup called {place}. {}", name_some(found))]
    NoBackup {
        /// The name.
        place: String,
        /// The newest backups below it.
        found: Vec<String>,
    },
    /// The backup cannot be read.
    #[error("cannot read the backup {} ({source}). Name a file that this user can read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file has a write-ahead log, which holds a part of it.
    #[error(
        "the file {} is the database of a folder, not a backup: {0}-wal holds a part of it. Make a backup with \
         `linchpin backup`",
        path.display()
    )]
    HasLog {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged, or not the database of a service.
    #[error(
        "the file {} is damaged or not a backup of Linchpin ({fault}). Nothing was changed. Use another backup",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first fault.
        fault: String,
    },
    /// The backup is of another installation, or of before its master key was rotated.
    #[error(
        "the backup {} needs the master key {needed}, and {owner} has {found}. Nothing was changed. If the master key was \
         rotated after this backup, copy the old key to {}. Otherwise name the folder of the right keys with --keys-dir",
        path.display(),
        needed_file.display()
    )]
    OtherKey {
        /// The file.
        path: PathBuf,
        /// The id of the backup's master key.
        needed: String,
        /// The file in which that key is looked for.
        needed_file: PathBuf,
        /// The part that has the other key, such as `the key folder`.
        owner: &'static str,
        /// The id of that master key.
        found: String,
    },
    /// There is a database in the place to restore to.
    #[error("there is a database in {place}. Nothing was changed. {remedy}")]
    NotEmpty {
        /// The file or the server.
        place: String,
        /// How to restore anyway.
        remedy: &'static str,
    },
    /// A SQLite file cannot become a PostgreSQL database.
    #[error(
        "the file {} is a SQLite database. For PostgreSQL, restore it into an empty data folder first, and write a portable \
         backup there: `linchpin backup --portable FILE`",
        path.display()
    )]
    NotPortable {
        /// The file.
        path: PathBuf,
    },
    /// The backup is of the other kind of database.
    #[error(
        "the backup {} is of {found}, and the database to fill is {expected}. Nothing was changed. If the service moves, \
         restore with --move. Otherwise check --database-url",
        path.display()
    )]
    OtherDatabase {
        /// The file.
        path: PathBuf,
        /// The database of the backup.
        found: &'static str,
        /// The database to fill.
        expected: &'static str,
    },
    /// Other programs use the PostgreSQL database.
    #[error(
        "{sessions} other sessions of this user are connected to the PostgreSQL database {database}. Nothing was changed. \
         Stop the service on every node, and other programs that use the database"
    )]
    InUse {
        /// The database.
        database: String,
        /// The number of sessions.
        sessions: i64,
    },
    /// A scope's key does not open although the key of its day exists.
    #[error(
        "the key of {scope} in the backup does not open with the key file {day}.day. Nothing was changed. Restore the right \
         key folder, or use another backup"
    )]
    KeyClosed {
        /// The scope.
        scope: String,
        /// The day.
        day: i64,
    },
    /// A key file that must open scope keys is missing.
    #[error(
        "the key file {day}.day is missing, and {keys} keys of the backup need it to move to the other kind of database. \
         Nothing was changed. Restore the key folder first"
    )]
    NoDayKey {
        /// The day.
        day: i64,
        /// The number of keys that were wrapped for it.
        keys: u64,
    },
    /// The database holds other rows than the backup.
    #[error("the table {table} was not restored as it is in the backup. Nothing was changed. Report this")]
    Differs {
        /// The table.
        table: String,
    },
    /// A piece of a file of the tenant cannot be read or stored.
    #[error("cannot use a file of the tenant: {0}")]
    Files(#[source] FileStoreError),
    /// The file store lacks pieces of files that the tenant's rows name.
    #[error(
        "the file store lacks {missing} pieces of the tenant's files, so the export would lose them. They belong to {}, and perhaps \
         others. Restore them from the backup of --files, or resume the tenant, revoke these archives and forms, suspend and export it again",
        holders.join(", ")
    )]
    MissingFiles {
        /// The number of pieces.
        missing: u64,
        /// The first archives and forms that have them, such as `archives/` and an id.
        holders: Vec<String>,
    },
    /// The export is of another schema.
    #[error(
        "the export {} has the schema {found}, and this cell {known}. Nothing was changed. Upgrade both cells to the same \
         version, and export the tenant again",
        path.display()
    )]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// The version of the export.
        found: i64,
        /// The version of this installation.
        known: i64,
    },
    /// The code is not that of the export.
    #[error(
        "the code is not that of the export {}. Nothing was changed. `linchpin tenant export` printed it after it wrote this \
         file",
        path.display()
    )]
    WrongCode {
        /// The file.
        path: PathBuf,
    },
    /// The export is of an installation with another root key.
    #[error(
        "the export {} is of a cell with another root key. Nothing was changed. A tenant moves only between cells with the same \
         root key: a cell takes it with its first import, before its first start, or has it after a split. See \
         docs/how-to/cells.md",
        path.display()
    )]
    OtherRoot {
        /// The file.
        path: PathBuf,
    },
    /// The installation has the tenant, or had it.
    #[error(
        "the tenant {tenant} is in this cell already, or was erased here. Nothing was changed. It cannot be imported here: use another cell, or go on \
         with the import that this cell has"
    )]
    TenantExists {
        /// The tenant.
        tenant: String,
    },
    /// Another tenant has a name that is unique in an installation.
    #[error(
        "another tenant of this cell has {what} {name}. Nothing was changed. Resume the tenant in its first cell, let it change \
         this, and export it again"
    )]
    NameTaken {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The folder is in use, a file in it cannot be written, or the schema is newer than this program.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn name_some(found: &[String]) -> String {
    if found.is_empty() {
        "There are none below it either".to_owned()
    } else {
        format!("Below it are: {}", found.join(", "))
    }
}

impl BackupError {
    /// Returns a short code: the bucket's or the database's own, if there is one.
    #[must_use]
    pub fn code(&self) -> String {
        match self {
            Self::Store(error) => error.code(),
            Self::Place { source: FileStoreError::Refused { code, .. }, .. }
            | Self::Files(FileStoreError::Refused { code, .. }) => code.clone(),
            Self::Place { .. } | Self::Files(_) => "Unavailable".to_owned(),
            Self::NoSpace { .. } => "ENOSPC".to_owned(),
            // The name of the variant.
            Self::NoDatabase { .. }
            | Self::NoFolder { .. }
            | Self::InMemory
            | Self::Exists { .. }
            | Self::Unwritable { .. }
            | Self::NoMarker { .. }
            | Self::Expired
            | Self::LostDays { .. }
            | Self::NoBackup { .. }
            | Self::Unreadable { .. }
            | Self::HasLog { .. }
            | Self::Damaged { .. }
            | Self::OtherKey { .. }
            | Self::NotEmpty { .. }
            | Self::NotPortable { .. }
            | Self::OtherDatabase { .. }
            | Self::InUse { .. }
            | Self::KeyClosed { .. }
            | Self::NoDayKey { .. }
            | Self::MissingFiles { .. }
            | Self::OtherSchema { .. }
            | Self::WrongCode { .. }
            | Self::OtherRoot { .. }
            | Self::TenantExists { .. }
            | Self::NameTaken { .. }
            | Self::Differs { .. } => {
                format!("{self:?}").split([' ', '{']).next().unwrap_or_default().to_owned()
            }
        }
    }
}

impl From<rusqlite::Error> for BackupError {
    fn from(error: rusqlite::Error) -> Self {
        BackupError::Store(error.into())
    }
}
