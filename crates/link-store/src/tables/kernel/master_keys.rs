//! The master keys of the database: the current one wraps the root key (ADR 273).

use link_domain::kernel::clock::Wall;

use crate::keys::{MasterKey, WRAPPED_BYTES, WrappedRoot};
use crate::reader::ReadSession;
use crate::sql::{Session, Sql, columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

columns! {
    /// The columns of a master key.
    master_key_columns => struct Columns { key_id, root_key, created_at, replaced_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    FIND_CURRENT = concat!("SELECT ", master_key_columns!(""), " FROM master_keys WHERE replaced_at IS NULL");
    LIST = concat!("SELECT ", master_key_columns!(""), " FROM master_keys ORDER BY created_at DESC, key_id LIMIT 1000");
    INSERT = "INSERT INTO master_keys (key_id, root_key, created_at) VALUES (?1, ?2, ?3)";
    /// The root key that a replaced master key wrapped is overwritten, so that the old key opens nothing.
    REPLACE = "UPDATE master_keys SET root_key = ?3, replaced_at = ?2 WHERE key_id = ?1 AND replaced_at IS NULL";
}

/// Bytes that overwrite a wrapped key. They have its length, so that SQLite does not move the row (ADR 116).
const OVERWRITTEN: [u8; WRAPPED_BYTES] = [0; WRAPPED_BYTES];

/// The clock of SQLite, in microseconds since 1970: a first start has no other.
static SQLITE_TIME: Sql = Sql::from_static(
    "master_keys::SQLITE_TIME",
    "SELECT CAST(ROUND((julianday('now') - 2440587.5) * 86400000000.0) AS INTEGER)",
);

/// A master key that the database has or had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterKeyRecord {
    /// An identifier that does not reveal the key.
    pub id: String,
    /// When the database was created with it, or it replaced another.
    pub created_at: Wall,
    /// When another key replaced it. `None` if it is the current one.
    pub replaced_at: Option<Wall>,
}

/// Returns the wrapped root key, or `None` if the database was never used.
pub(crate) fn find_root(session: &mut Session<'_>) -> Result<Option<WrappedRoot>, StoreError> {
    session.find(&FIND_CURRENT, params![], |row| {
        Ok(WrappedRoot { master_id: row.text(COLUMNS.key_id)?, wrapped: row.bytes(COLUMNS.root_key)? })
    })
}

/// Records the first master key of a database.
pub(crate) fn insert_first(session: &mut Session<'_>, root: &WrappedRoot) -> Result<(), StoreError> {
    let now = match session.is_postgres() {
        true => session.wall(0)?,
        false => session.find(&SQLITE_TIME, params![], |row| row.int(0))?.unwrap_or(0),
    };
    session.execute(&INSERT, params![&root.master_id, &root.wrapped, now]).map(drop)
}

resource! {
    /// The master keys of the database.
    MasterKeys, master_keys
}

impl<'c, S: ReadSession<'c>> MasterKeys<'_, S> {
    /// Returns the newest 1,000 master keys, the current one first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list(&mut self) -> Result<Vec<MasterKeyRecord>, StoreError> {
        let mut found = self.session().query(&LIST, params![], |row| {
            Ok(MasterKeyRecord {
                id: row.text(COLUMNS.key_id)?,
                created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
                replaced_at: row.opt_int(COLUMNS.replaced_at)?.map(Wall::from_micros),
            })
        })?;
        // A clock that went back must not make an old key the first.
        found.sort_by_key(|it| it.replaced_at.is_some());
        Ok(found)
    }

    /// Returns the wrapped root key.
    pub(crate) fn root(&mut self) -> Result<Option<WrappedRoot>, StoreError> {
        find_root(self.session())
    }
}

impl Tx<'_> {
    /// Wraps the root key with another master key. Returns `false` if another node has replaced the key in the meantime.
    pub(crate) fn replace_master_key(
        &mut self,
        old: &str,
        new: &MasterKey,
        now: Wall,
    ) -> Result<bool, StoreError> {
        let now = self.session.wall(now.micros())?;
        if self.session.execute(&REPLACE, params![old, now, OVERWRITTEN.as_slice()])? == 0 {
            // The unit may run again after a commit whose confirmation was lost.
            return Ok(find_root(&mut self.session)?.is_some_and(|it| it.master_id == new.id()));
        }
        let root = self.reader.keys.wrap_root(new)?;
        self.session.execute(&INSERT, params![&root.master_id, &root.wrapped, now])?;
        self.scopes().vacuum_later(MASTER_KEYS)?;
        Ok(true)
    }
}

/// The name under which the vacuum of a replaced key is pending on PostgreSQL. No scope has it.
pub(crate) const MASTER_KEYS: &str = "master_keys";
