//! Writes all of one tenant to a file, for another installation with the same root key (ADR 288).
//!
//! The file has the format of a portable backup, the tenant's rows alone, and the sealed pieces of its files. Keys of scopes are
//! wrapped by a key that is derived from the root key and the code of the export. The code is not in the file.

use std::collections::BTreeSet;
use std::io::BufWriter;
use std::path::Path;

use link_domain::documents::archive::Segment;
use link_domain::documents::file_store::FileStoreError;
use link_domain::kernel::digest::Digest32;
use link_types::id::TenantId;
use serde::{Deserialize, Serialize};

use super::catalog::{SCOPE_KEYS, file_objects, key_buckets, tables_of_tenant};
use super::database::Database;
use super::draft::Draft;
use super::error::BackupError;
use super::format::{BackupHeader, DatabaseKind, PortableWriter};
use super::key_transfer::KeyOpener;
use super::move_code::{root_check, transfer_key};
use super::row::{RowBuilder, fields_of, text_of};
use super::sealed_columns::FILE_SEGMENTS;
use crate::keys::{Keys, Label};
use crate::tables::kernel::master_keys;
use crate::{StoreError, migrations};

/// The free bytes that an export leaves on the file system, which the service may need for its other tenants.
const RESERVED_SPACE: u64 = 256 * 1024 * 1024;
/// The number of rows after which the free space is looked at again.
const ROWS_A_CHECK: u64 = 10_000;

/// The maximum number of archives and forms that the error about missing pieces names.
const MAX_NAMED_HOLDERS: usize = 5;

/// Returns the content of a piece of a file.
pub type FetchObject<'f> = &'f mut dyn FnMut(&str) -> Result<Vec<u8>, FileStoreError>;

/// The counts of the rows and pieces that were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportedTenant {
    /// The number of rows.
    pub rows: u64,
    /// The number of pieces of files.
    pub objects: u64,
}

/// The tenant of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TenantHeader {
    /// The id.
    pub(super) id: TenantId,
    /// SHA-256 of the code of the export, in hexadecimal digits.
    pub(super) code_hash: String,
    /// A value that only the root key of the export can compute, to tell another root key from damage.
    pub(super) root_check: String,
}

/// Checks that an export can be written to a new file in a folder.
///
/// # Errors
///
/// [`BackupError`] if the file exists, or the service cannot write the folder or should not fill it.
pub fn check_export_target(target: &Path) -> Result<(), BackupError> {
    Draft::create(target)?.check_space(RESERVED_SPACE)
}

/// An export to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TenantExport<'e> {
    pub(crate) tenant: &'e TenantId,
    pub(crate) code: &'e str,
    /// When the rows are read, in microseconds.
    pub(crate) now: i64,
    pub(crate) target: &'e Path,
}

impl TenantExport<'_> {
    /// Writes the file. The tenant is [moving](link_domain::tenancy::tenant::standing::Standing::Moving).
    pub(crate) fn write(
        self,
        database: &mut Database,
        keys: &Keys,
        fetch: FetchObject<'_>,
    ) -> Result<ExportedTenant, BackupError> {
        let draft = Draft::create(self.target)?;
        database.begin_snapshot()?;
        let version = migrations::version(&mut database.session())?;
        let root = master_keys::find_root(&mut database.session())?.ok_or(StoreError::Closed)?;
        let is_postgres = database.is_postgres();
        let export = Digest32::from_text(self.code);
        let header = BackupHeader {
            schema_version: version,
            master_key: root.master_id,
            root_key: base16ct::lower::encode_string(&root.wrapped),
            created_at: self.now,
            database: if is_postgres { DatabaseKind::Postgresql } else { DatabaseKind::Sqlite },
            tenant: Some(TenantHeader {
                id: self.tenant.clone(),
                code_hash: base16ct::lower::encode_string(export.as_bytes()),
                root_check: root_check(keys, self.tenant, &export),
            }),
        };
        let unwritable = |error: std::io::Error| draft.unwritable(&error);
        let mut writer = PortableWriter::new(BufWriter::new(draft.file()), header).map_err(unwritable)?;
        let mut opener = KeyOpener::new(keys);
        if let Some(table) = key_buckets(version)?.filter(|_| is_postgres) {
            database.read_table(&table, &mut |row| opener.add_bucket(row))?;
        }
        let by = transfer_key(keys, self.code);
        let (mut objects, mut rows) = (Vec::new(), 0_u64);
        for table in tables_of_tenant(version, self.tenant)? {
            writer.begin_table(&table.name, table.column_names()).map_err(unwritable)?;
            let object = table.position_of("object").filter(|_| table.name == FILE_SEGMENTS);
            let is_of_keys = table.name == SCOPE_KEYS;
            draft.check_space(RESERVED_SPACE)?;
            database.read_table(&table, &mut |row| {
                rows += 1;
                if rows.is_multiple_of(ROWS_A_CHECK) {
                    draft.check_space(RESERVED_SPACE)?;
                }
                if let Some(at) = object {
                    let fields = fields_of(row, table.columns.len()).unwrap_or_default();
                    objects.extend(text_of(fields.get(at).copied().flatten()).map(str::to_owned));
                }
                if is_of_keys {
                    let row = opener.wrap_for_transfer(row, &by)?;
                    return writer.write_row(&row).map_err(unwritable);
                }
                writer.write_row(row).map_err(unwritable)
            })?;
            writer.end_table(&table.name).map_err(unwritable)?;
        }
        // Vacuum waits for the snapshot, and files take longer than rows.
        database.session().script("ROLLBACK")?;
        let table = file_objects();
        writer.begin_table(&table.name, table.column_names()).map_err(unwritable)?;
        objects.sort();
        let (mut missing, mut holders) = (0, BTreeSet::new());
        for object in &objects {
            draft.check_space(RESERVED_SPACE)?;
            match fetch(object) {
                Ok(content) => {
                    let mut row = RowBuilder::new(2);
                    row.push_bytes(object.as_bytes());
                    row.push_bytes(&content);
                    writer.write_row(&row.finish()).map_err(unwritable)?;
                }
                Err(FileStoreError::Missing) => {
                    missing += 1_u64;
                    if holders.len() < MAX_NAMED_HOLDERS {
                        holders.extend(Segment::folder_of(object).map(str::to_owned));
                    }
                }
                Err(error) => return Err(BackupError::Files(error)),
            }
        }
        writer.end_table(&table.name).map_err(unwritable)?;
        if missing > 0 {
            return Err(BackupError::MissingFiles { missing, holders: holders.into_iter().collect() });
        }
        let (file, _) = writer.finish(keys.tree.key(Label::Backup)).map_err(unwritable)?;
        drop(file);
        draft.keep()?;
        Ok(ExportedTenant { rows, objects: objects.len() as u64 })
    }
}
