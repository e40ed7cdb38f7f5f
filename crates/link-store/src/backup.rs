//! Backups of a database: each is one file, which a restore puts in the place of the database.
//!
//! A backup holds neither keys nor files. The keys must stay outside, so that old backups lose what was erased.
//!
//! There are two forms. SQLite's own file is the faster one. The portable form is the same for both databases, and the only
//! one of PostgreSQL.

mod bucket;
mod catalog;
pub(crate) mod database;
mod draft;
mod error;
mod format;
mod key_transfer;
mod move_code;
mod place;
mod portable;
mod restore;
mod row;
mod sealed_columns;
mod sqlite_file;
mod tenant_export;
mod tenant_import;
mod tenant_pass;
mod thread;
mod verify;

use std::path::Path;

use link_domain::kernel::clock::Wall;
use secrecy::ExposeSecret as _;

pub use self::bucket::fetch_backup;
use self::database::Database;
pub use self::error::BackupError;
pub use self::format::TableSum;
pub(crate) use self::move_code::{code_of_activation, find_copy};
pub use self::place::{BackupPlace, BackupTarget, StoredBackup, is_marked};
pub use self::restore::{RestoreFlags, Restored, RestoredTable, check_target, restore};
pub(crate) use self::tenant_export::TenantExport;
pub use self::tenant_export::{ExportedTenant, FetchObject, check_export_target};
pub use self::tenant_import::{ImportedTenant, PutObject, check_file_space, import_tenant};
pub use self::thread::on_thread;
pub use self::verify::{SegmentSample, Verified, VerifiedColumn, verify};
use crate::engine::PostgresServer;
use crate::engine::folder::{DATABASE_FILE, Folder};
use crate::engine::sqlite::open_reader;
use crate::keys::Keys;
use crate::settings::StoreSettings;
use crate::tables::kernel::master_keys;
use crate::{StoreError, sql::Session};

/// The form of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupForm {
    /// A SQLite file of a SQLite database, and the portable form of PostgreSQL.
    Usual,
    /// The form that both databases restore.
    Portable,
}

/// Writes a backup of a database that no service of this data folder uses.
///
/// # Errors
///
/// [`StoreError::FolderInUse`] if a service runs on the data folder: then [`crate::Store::back_up`] does the same. Otherwise
/// see [`BackupError`].
pub fn back_up(
    settings: &StoreSettings,
    target: &Path,
    form: BackupForm,
    now: Wall,
) -> Result<(), BackupError> {
    match settings {
        StoreSettings::Ephemeral => Err(BackupError::InMemory),
        StoreSettings::Sqlite { folder, keys } => {
            let database = folder.join(DATABASE_FILE);
            if !database.try_exists().map_err(StoreError::file("cannot access", &database))? {
                return Err(BackupError::NoDatabase { folder: folder.to_owned() });
            }
            let folder = Folder::open(folder)?;
            match form {
                BackupForm::Usual => sqlite_file::write(&folder.database(), target),
                BackupForm::Portable => {
                    let root = sqlite_file::root(&folder.database())?.ok_or(StoreError::Closed)?;
                    write_sqlite(&folder.database(), &Keys::read(keys, &root)?, now, target)
                }
            }
        }
        StoreSettings::Postgres { address, keys, .. } => {
            let server = PostgresServer::parse(address.expose_secret())?;
            let root = master_keys::find_root(&mut Session::Postgres {
                connection: &mut server.connect()?,
                fault: None,
            })?;
            write_postgres(&server, &Keys::read(keys, &root.ok_or(StoreError::Closed)?)?, now, target)
        }
    }
}

/// Writes a portable backup of a SQLite database.
pub(crate) fn write_sqlite(
    database: &Path,
    keys: &Keys,
    now: Wall,
    target: &Path,
) -> Result<(), BackupError> {
    let mut database = Database::Sqlite(open_reader(database)?);
    portable::write(&mut database, keys, now.micros(), target).map(drop)
}

/// Writes a portable backup of a PostgreSQL database.
pub(crate) fn write_postgres(
    server: &PostgresServer,
    keys: &Keys,
    now: Wall,
    target: &Path,
) -> Result<(), BackupError> {
    let mut connection = server.connect()?;
    let now = Session::Postgres { connection: &mut connection, fault: None }.wall(now.micros())?;
    portable::write(&mut Database::Postgres(Box::new(connection)), keys, now, target).map(drop)
}

/// Writes a SQLite file, while a service writes to the database.
pub(crate) use sqlite_file::write as write_file;

/// Returns the names of the tables that a backup has.
#[cfg(test)]
pub(crate) fn tables_of_schema() -> Result<Vec<String>, StoreError> {
    Ok(catalog::tables(crate::migrations::newest_version(), false)?.into_iter().map(|it| it.name).collect())
}
