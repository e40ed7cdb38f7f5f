//! Which database to open, and where its keys are.

use std::path::PathBuf;

use secrecy::SecretString;

use crate::StoreError;
use crate::engine::PostgresServer;
use crate::keys::KeyFiles;

/// The database to open and the location of its keys.
#[derive(Debug, Clone)]
pub enum StoreSettings {
    /// SQLite in a folder that this process owns exclusively.
    Sqlite {
        /// The data folder, created with mode 0700 if it is missing.
        folder: PathBuf,
        /// Where the keys are.
        keys: KeyFiles,
    },
    /// A PostgreSQL server. Several nodes may share it if they also share the key files.
    Postgres {
        /// `postgres://user:password@host/database`.
        address: SecretString,
        /// The number of connections for writing. The same number is opened for reading.
        connections: usize,
        /// Where the keys are.
        keys: KeyFiles,
    },
    /// SQLite and keys in memory. Nothing is written to disk.
    Ephemeral,
}

impl StoreSettings {
    /// Returns settings for SQLite with the database and the keys at their default paths in one data folder.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> StoreSettings {
        let folder = folder.into();
        let keys = KeyFiles::in_folder(&folder);
        StoreSettings::Sqlite { folder, keys }
    }
}

/// Checks a PostgreSQL address without connecting.
///
/// # Errors
///
/// [`StoreError::Address`] if the address is invalid. The error shows no part of the address.
pub fn check_address(address: &str) -> Result<(), StoreError> {
    PostgresServer::parse(address).map(drop)
}
