//! Moves of tenants between installations: the export, and the codes of its steps.

use std::path::PathBuf;
use std::time::Duration;

use link_domain::documents::file_store::FileStoreError;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::tenancy::tenant::standing::MovedCopy;
use link_types::id::TenantId;

use super::Store;
use crate::backup::database::Database;
use crate::backup::{BackupError, ExportedTenant, TenantExport, code_of_activation, find_copy, on_thread};
use crate::engine::sqlite::open_reader;
use crate::engine::{Engine, QUEUE_TIMEOUT, UNIT_TIMEOUT};
use crate::sql::Session;

impl Store {
    /// Returns the code that activates a copy of a tenant in the other installation.
    #[must_use]
    pub fn activation_code(&self, tenant: &TenantId, copy: &MovedCopy) -> String {
        code_of_activation(&self.shared.keys, tenant, copy)
    }

    /// Returns the copy that a code of an import proves. `export` is the digest of the code of the export. `None` if the code is
    /// of another one.
    #[must_use]
    pub fn find_copy(&self, tenant: &TenantId, export: Digest32, code: &str) -> Option<MovedCopy> {
        find_copy(&self.shared.keys, tenant, export, code)
    }

    /// Returns how long a unit of work can take after it was asked for, apart from the work of its closure. Zero on SQLite, which
    /// has one writer.
    #[must_use]
    pub fn max_unit_time(&self) -> Duration {
        match &self.shared.engine {
            Engine::Sqlite(_) => Duration::ZERO,
            Engine::Postgres(_) => QUEUE_TIMEOUT + UNIT_TIMEOUT,
        }
    }

    /// Writes all of a moving tenant to a new file, while requests for other tenants continue. `fetch` returns the pieces of its
    /// files.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if the file exists or cannot be written, a file of the tenant cannot be read, or the database is in memory.
    pub async fn export_tenant(
        &self,
        tenant: TenantId,
        code: String,
        now: Wall,
        target: PathBuf,
        mut fetch: impl FnMut(&str) -> Result<Vec<u8>, FileStoreError> + Send + 'static,
    ) -> Result<ExportedTenant, BackupError> {
        let store = self.clone();
        on_thread(move || {
            let keys = &store.shared.keys;
            let export = TenantExport { tenant: &tenant, code: &code, now: now.micros(), target: &target };
            match &store.shared.engine {
                Engine::Sqlite(engine) => {
                    let path = engine.path().ok_or(BackupError::InMemory)?;
                    let _long_read = engine.long_read();
                    export.write(&mut Database::Sqlite(open_reader(path)?), keys, &mut fetch)
                }
                Engine::Postgres(engine) => {
                    let mut connection = engine.server().connect()?;
                    let now =
                        Session::Postgres { connection: &mut connection, fault: None }.wall(export.now)?;
                    let mut database = Database::Postgres(Box::new(connection));
                    TenantExport { now, ..export }.write(&mut database, keys, &mut fetch)
                }
            }
        })
        .await?
    }
}
