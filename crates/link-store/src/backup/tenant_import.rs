//! Reads the file of one tenant into the database of another installation with the same root key (ADR 288).
//!
//! The file is read three times: to check all of it, to store the pieces of files, and to insert the rows in one transaction. What
//! is killed before the commit leaves no row. The pieces that it leaves are written again by the next attempt.

use std::path::Path;

use link_domain::documents::file_store::FileStoreError;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::tenancy::tenant::standing::MovedCopy;
use link_types::id::TenantId;
use rusqlite::Connection;
use secrecy::ExposeSecret as _;

use super::catalog::{FILE_OBJECTS, SCOPE_KEYS, Table, file_objects, key_buckets, tables_of_tenant};
use super::database::Database;
use super::draft::check_space;
use super::error::BackupError;
use super::format::{BackupHeader, FormatError, TableSum};
use super::key_transfer::KeyTransfer;
use super::move_code::{code_of_import, root_check, transfer_key};
use super::portable::{describe_damage, read_keys};
use super::restore::RestoredTable;
use super::row::{fields_of, int_of, text_of};
use super::tenant_export::TenantHeader;
use super::tenant_pass::{Pass, differs, unreadable};
use crate::engine::PostgresServer;
use crate::engine::folder::Folder;
use crate::keys::{Day, KeyFiles, Keys, WrappedRoot};
use crate::settings::StoreSettings;
use crate::sql::{Param, Session, Sql, params};
use crate::tables::kernel::master_keys;
use crate::tables::opt_digest;
use crate::tables::tenancy::tenant_rows::SUPPRESSIONS;
use crate::{StoreError, migrations};

static TENANT: Sql = Sql::from_static("tenant_import::TENANT", "SELECT 1 FROM tenants WHERE id = ?1");
static ARRIVED: Sql = Sql::from_static(
    "tenant_import::ARRIVED",
    "SELECT import_hash FROM tenants WHERE id = ?1 AND standing = 'ARRIVING' AND export_hash = ?2",
);
static SLUG: Sql =
    Sql::from_static("tenant_import::SLUG", "SELECT 1 FROM link_sites WHERE slug = ?1 AND tenant_id <> ?2");
static HOST: Sql = Sql::from_static(
    "tenant_import::HOST",
    "SELECT 1 FROM link_site_hosts WHERE host = ?1 AND proven_at IS NOT NULL AND tenant_id <> ?2",
);
static DOMAIN: Sql = Sql::from_static(
    "tenant_import::DOMAIN",
    "SELECT 1 FROM sign_on_domains WHERE domain = ?1 AND proven_at IS NOT NULL AND tenant_id <> ?2",
);
/// No host or domain can be proven between the last look at the names and the commit.
const LOCK_PROVEN: &str = "LOCK TABLE link_site_hosts, sign_on_domains IN SHARE ROW EXCLUSIVE MODE";
static SUPPRESS: Sql = Sql::from_static(
    "tenant_import::SUPPRESS",
    "INSERT INTO mail_suppressions (recipient_hash, reason, at) VALUES (?1, ?2, ?3) \
     ON CONFLICT (recipient_hash) DO NOTHING",
);
static ARRIVE: Sql = Sql::from_static(
    "tenant_import::ARRIVE",
    "UPDATE tenants SET standing = 'ARRIVING', standing_since = ?2, import_hash = ?4 \
     WHERE id = ?1 AND standing = 'MOVING' AND export_hash = ?3",
);
static VOID_JOBS: Sql = Sql::from_static(
    "tenant_import::VOID_JOBS",
    "UPDATE jobs SET lease_owner = NULL, lease_until = NULL WHERE tenant_id = ?1 AND lease_owner IS NOT NULL",
);
static VOID_DELIVERIES: Sql = Sql::from_static(
    "tenant_import::VOID_DELIVERIES",
    "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL WHERE tenant_id = ?1 AND lease_owner IS NOT NULL",
);

/// A name that is unique in an installation: the statement that finds it, its kind, and the name.
type UniqueName = (&'static Sql, &'static str, String);

/// Stores a piece of a file.
pub type PutObject<'p> = &'p mut dyn FnMut(&str, Vec<u8>) -> Result<(), FileStoreError>;

/// The contents of the file of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedTenant {
    /// The tenant.
    pub tenant: TenantId,
    /// When its rows were exported.
    pub exported_at: Wall,
    /// The code that proves the import to the first installation.
    pub code: String,
    /// The tables, without empty ones. None if this export was imported before.
    pub tables: Vec<RestoredTable>,
}

/// Imports a tenant. It then waits for its activation.
///
/// `import` is a random value, by which this import differs from others of the same export. SQLite must not be in use. A service
/// may run on PostgreSQL. A database that no service has used takes the root key of the file.
///
/// # Errors
///
/// See [`BackupError`]. No row was written.
pub fn import_tenant(
    settings: &StoreSettings,
    file: &Path,
    code: &str,
    import: Digest32,
    now: Wall,
    put: PutObject<'_>,
) -> Result<ImportedTenant, BackupError> {
    let import = Import::open(file, code, import)?;
    match settings {
        StoreSettings::Ephemeral => Err(BackupError::InMemory),
        StoreSettings::Sqlite { folder, keys } => {
            let folder = Folder::open(folder)?;
            // The rows are in the log first, and then in the database too.
            check_space(folder.path(), size_of(file)?.saturating_mul(2))?;
            folder.close_database()?;
            let connection = Connection::open(folder.database())?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "secure_delete", "ON")?;
            let is_used = connection.table_exists(None, "master_keys")?;
            let mut database = Database::Sqlite(connection);
            import.run(&mut database, keys, is_used, now, put)
        }
        StoreSettings::Postgres { address, keys, .. } => {
            let server = PostgresServer::parse(address.expose_secret())?;
            server.check_pooling()?;
            let mut database = Database::Postgres(Box::new(server.connect()?));
            let is_used = database.has_tables()?;
            let now = Wall::from_micros(database.session().wall(now.micros())?);
            import.run(&mut database, keys, is_used, now, put)
        }
    }
}

/// Checks that the pieces of files of an export fit into the folder of the file store.
///
/// # Errors
///
/// [`BackupError`] if the file system of the folder has less free space than the export has bytes, or one cannot be read.
pub fn check_file_space(export: &Path, files: &Path) -> Result<(), BackupError> {
    check_space(files, size_of(export)?)
}

fn size_of(file: &Path) -> Result<u64, BackupError> {
    Ok(file.metadata().map_err(|source| unreadable(file, source))?.len())
}

/// A file whose header was read.
struct Import<'i> {
    path: &'i Path,
    code: &'i str,
    copy: MovedCopy,
    header: BackupHeader,
    tenant: TenantHeader,
}

impl<'i> Import<'i> {
    fn open(path: &'i Path, code: &'i str, import: Digest32) -> Result<Self, BackupError> {
        let code = code.trim();
        let Pass { reader, .. } = Pass::open(path, Vec::new())?;
        let header = reader.header;
        let found = header.schema_version;
        if found != migrations::newest_version() {
            return Err(BackupError::OtherSchema {
                path: path.to_owned(),
                found,
                known: migrations::newest_version(),
            });
        }
        let other = FormatError::Invalid("it names no tenant");
        let tenant = header.tenant.clone().ok_or_else(|| describe_damage(path, &other))?;
        let export = Digest32::from_text(code);
        if tenant.code_hash != base16ct::lower::encode_string(export.as_bytes()) {
            return Err(BackupError::WrongCode { path: path.to_owned() });
        }
        Ok(Self { path, code, copy: MovedCopy { export, import }, header, tenant })
    }

    fn run(
        &self,
        database: &mut Database,
        files: &KeyFiles,
        is_used: bool,
        now: Wall,
        put: PutObject<'_>,
    ) -> Result<ImportedTenant, BackupError> {
        let of_file = self.root()?;
        let keys = match is_used {
            true => {
                let version = migrations::version(&mut database.session())?;
                if version != self.header.schema_version {
                    let (path, found) = (self.path.to_owned(), self.header.schema_version);
                    return Err(BackupError::OtherSchema { path, found, known: version });
                }
                let root = master_keys::find_root(&mut database.session())?.ok_or(StoreError::Closed)?;
                Keys::read(files, &root)?
            }
            false => read_keys(files, &of_file, self.path)?,
        };
        if root_check(&keys, &self.tenant.id, &self.copy.export) != self.tenant.root_check {
            return Err(BackupError::OtherRoot { path: self.path.to_owned() });
        }
        let names = self.check(&keys)?;
        if is_used {
            if let Some(copy) = self.find_arrived(&mut database.session())? {
                return Ok(self.describe(&keys, &copy, Vec::new()));
            }
            self.check_new(&mut database.session())?;
            self.check_names(&mut database.session(), &names)?;
        }
        let mut pass = self.pass()?;
        while let Some(table) = pass.next_table(&keys)? {
            while let Some(row) = pass.next_row(&table)? {
                if table.name == FILE_OBJECTS {
                    let fields = fields_of(&row, 2).unwrap_or_default();
                    let [Some(object), Some(content)] = fields.as_slice() else {
                        return Err(differs(&table));
                    };
                    let object = text_of(Some(*object)).ok_or_else(|| differs(&table))?;
                    put(object, content.to_vec()).map_err(BackupError::Files)?;
                }
            }
        }
        let keys = match is_used {
            true => keys,
            false => {
                let adopt = |found: Option<&WrappedRoot>| Keys::adopt(files, found.unwrap_or(&of_file));
                migrations::prepare(&mut database.session(), adopt)?
            }
        };
        database.begin_fill()?;
        let filled = self.fill(database, &keys, now, &names);
        // A connection that failed cannot roll back, and the server does.
        let ended = database.session().script(if filled.is_ok() { "COMMIT" } else { "ROLLBACK" });
        let sums = match filled {
            Ok(sums) => sums,
            Err(error) => return Err(self.explain(database, &names, error)),
        };
        ended?;
        Ok(self.describe(&keys, &self.copy, sums))
    }

    fn describe(&self, keys: &Keys, copy: &MovedCopy, sums: Vec<TableSum>) -> ImportedTenant {
        let tables = sums.into_iter().filter(|it| it.rows > 0);
        ImportedTenant {
            tenant: self.tenant.id.clone(),
            exported_at: Wall::from_micros(self.header.created_at),
            code: code_of_import(keys, &self.tenant.id, copy),
            tables: tables.map(|it| RestoredTable { name: it.table, rows: it.rows }).collect(),
        }
    }

    /// Returns the copy that the installation has of this export already: the operator may have lost its code.
    fn find_arrived(&self, session: &mut Session<'_>) -> Result<Option<MovedCopy>, BackupError> {
        let values = params![self.tenant.id.as_str(), self.copy.export.as_bytes()];
        let found = session.find(&ARRIVED, values, |row| opt_digest("tenants", row.opt_bytes(0)?))?;
        Ok(found.flatten().map(|import| MovedCopy { import, ..self.copy }))
    }

    fn root(&self) -> Result<WrappedRoot, BackupError> {
        let invalid = FormatError::Invalid("its root key is not hexadecimal");
        let wrapped = base16ct::lower::decode_vec(&self.header.root_key);
        let wrapped = wrapped.map_err(|_| describe_damage(self.path, &invalid))?;
        Ok(WrappedRoot { master_id: self.header.master_key.clone(), wrapped })
    }

    fn pass(&self) -> Result<Pass, BackupError> {
        let mut tables = tables_of_tenant(self.header.schema_version, &self.tenant.id)?;
        tables.push(file_objects());
        Pass::open(self.path, tables)
    }

    /// Reads all of the file, and returns the names in it that are unique in an installation.
    fn check(&self, keys: &Keys) -> Result<Vec<UniqueName>, BackupError> {
        let (mut pass, mut names) = (self.pass()?, Vec::new());
        while let Some(table) = pass.next_table(keys)? {
            let unique = match table.name.as_str() {
                "link_sites" => Some((&SLUG, "the address of a link site", "slug", None)),
                "link_site_hosts" => Some((&HOST, "the proven host", "host", Some("proven_at"))),
                "sign_on_domains" => {
                    Some((&DOMAIN, "the proven sign-on domain", "domain", Some("proven_at")))
                }
                _ => None,
            };
            while let Some(row) = pass.next_row(&table)? {
                let Some((sql, what, column, needed)) = unique else { continue };
                let fields = fields_of(&row, table.columns.len()).ok_or_else(|| differs(&table))?;
                let field =
                    |name: &str| table.position_of(name).and_then(|at| fields.get(at).copied().flatten());
                if needed.is_none_or(|it| field(it).is_some()) {
                    let name = text_of(field(column)).ok_or_else(|| differs(&table))?;
                    names.push((sql, what, name.to_owned()));
                }
            }
        }
        Ok(names)
    }

    /// Refuses a tenant that the installation has or had.
    fn check_new(&self, session: &mut Session<'_>) -> Result<(), BackupError> {
        let tenant = &self.tenant.id;
        match session.find(&TENANT, params![tenant.as_str()], |_| Ok(()))? {
            Some(()) => Err(BackupError::TenantExists { tenant: tenant.to_string() }),
            None => Ok(()),
        }
    }

    /// Refuses names that another tenant of the installation has, also an erased one.
    fn check_names(&self, session: &mut Session<'_>, names: &[UniqueName]) -> Result<(), BackupError> {
        for (sql, what, name) in names {
            if session.find(sql, params![name, self.tenant.id.as_str()], |_| Ok(()))?.is_some() {
                return Err(BackupError::NameTaken { what, name: name.clone() });
            }
        }
        Ok(())
    }

    /// Returns why rows could not be inserted. A unit that committed after the last look, or another import of the tenant, makes
    /// the insert itself fail, with an error that names an index.
    fn explain(&self, database: &mut Database, names: &[UniqueName], error: BackupError) -> BackupError {
        let mut session = database.session();
        let looked = self.check_new(&mut session).and_then(|()| self.check_names(&mut session, names));
        match looked {
            Err(taken @ (BackupError::TenantExists { .. } | BackupError::NameTaken { .. })) => taken,
            // If the connection is lost, its first error is the cause.
            Ok(()) | Err(_) => error,
        }
    }

    fn fill(
        &self,
        database: &mut Database,
        keys: &Keys,
        now: Wall,
        names: &[UniqueName],
    ) -> Result<Vec<TableSum>, BackupError> {
        // Other nodes may have taken a name while the pieces of files were stored.
        self.check_new(&mut database.session())?;
        self.check_names(&mut database.session(), names)?;
        let by = transfer_key(keys, self.code);
        let mut transfer = KeyTransfer::new(keys, database.is_postgres(), Day::from_micros(now.micros()));
        let mut pass = self.pass()?;
        while let Some(table) = pass.next_table(keys)? {
            match table.name.as_str() {
                SCOPE_KEYS => database.fill_table(&table, &mut || {
                    while let Some(row) = pass.next_row(&table)? {
                        if let Some(taken) = transfer.take(&row, &by)? {
                            return Ok(Some(taken));
                        }
                    }
                    Ok(None)
                })?,
                SUPPRESSIONS => {
                    while let Some(row) = pass.next_row(&table)? {
                        let values = values_of(&table, &row)?;
                        database.session().execute(&SUPPRESS, &values)?;
                    }
                }
                FILE_OBJECTS => while pass.next_row(&table)?.is_some() {},
                _ => database.fill_table(&table, &mut || pass.next_row(&table))?,
            }
        }
        let (buckets, _) = transfer.finish()?;
        if let Some(table) = key_buckets(self.header.schema_version)?.filter(|_| database.is_postgres()) {
            let mut buckets = buckets.into_iter();
            database.fill_table(&table, &mut || Ok(buckets.next()))?;
        }
        let (tenant, mut session) = (self.tenant.id.as_str(), database.session());
        session.execute(&VOID_JOBS, params![tenant])?;
        session.execute(&VOID_DELIVERIES, params![tenant])?;
        if session.is_postgres() {
            session.script(LOCK_PROVEN)?;
        }
        self.check_names(&mut session, names)?;
        let MovedCopy { export, import } = &self.copy;
        let values = params![tenant, now.micros(), export.as_bytes(), import.as_bytes()];
        match session.execute(&ARRIVE, values)? {
            1 => Ok(pass.reader.into_sums()),
            _ => Err(BackupError::Differs { table: "tenants".to_owned() }),
        }
    }
}

fn values_of<'r>(table: &Table, row: &'r [u8]) -> Result<Vec<Param<'r>>, BackupError> {
    let fields = fields_of(row, table.columns.len()).unwrap_or_default();
    let [hash, reason, at] = fields.as_slice() else { return Err(differs(table)) };
    let (Some(hash), Some(reason), Some(at)) = (*hash, text_of(*reason), int_of(*at)) else {
        return Err(differs(table));
    };
    Ok(params![hash, reason, at].to_vec())
}
