//! API keys, stored as digests only.

use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::ApiKey;

use super::tenants::{self, tenant_columns};
use crate::callers::Caller;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{digest, opt_digest, owner};
use crate::{StoreError, Tx};

const TABLE: &str = "api_keys";

columns! {
    /// The columns of a key.
    api_key_columns => struct Columns {
        key_hash, tenant_id, mode, secret_hash, previous_secret_hash, name, last_four, scopes, created_at, expires_at,
        last_used_at, revoked_at,
    }
}
const COLUMNS: Columns = Columns::after(0);
/// The columns of the key's tenant, where it is joined.
const TENANT: tenants::Columns = tenants::Columns::after(Columns::COUNT);

statements! {
    PUT = "INSERT INTO api_keys (key_hash, tenant_id, mode, secret_hash, previous_secret_hash, name, \
           last_four, scopes, created_at, expires_at, revoked_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
           ON CONFLICT (key_hash) DO UPDATE SET secret_hash = excluded.secret_hash, \
           previous_secret_hash = excluded.previous_secret_hash, expires_at = excluded.expires_at, \
           revoked_at = excluded.revoked_at";
    SET_USED = "UPDATE api_keys SET last_used_at = ?2 WHERE key_hash = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)";
    FIND_CALLER = concat!("SELECT ", api_key_columns!("k."), ", ", tenant_columns!("t."), " FROM api_keys k \
                  JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = ?1");
    FIND_LOCKED = concat!("SELECT ", api_key_columns!(""), " FROM api_keys WHERE key_hash = ?1 /*lock*/");
    OF_OWNER = concat!("SELECT ", api_key_columns!(""), " FROM api_keys WHERE tenant_id = ?1 AND mode = ?2 \
               ORDER BY created_at, key_hash");
    DELETE = "DELETE FROM api_keys WHERE key_hash = ?1";
}

fn read(row: &Row<'_>) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        key_hash: digest(TABLE, row.bytes(COLUMNS.key_hash)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
        previous_secret_hash: opt_digest(TABLE, row.opt_bytes(COLUMNS.previous_secret_hash)?)?,
        name: row.text(COLUMNS.name)?,
        last_four: row.text(COLUMNS.last_four)?,
        scopes: row.str(COLUMNS.scopes)?.split(' ').map(|it| parse(TABLE, it)).collect::<Result<_, _>>()?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        expires_at: row.opt_int(COLUMNS.expires_at)?.map(Wall::from_micros),
        last_used_at: row.opt_int(COLUMNS.last_used_at)?.map(Wall::from_micros),
        revoked_at: row.opt_int(COLUMNS.revoked_at)?.map(TenantTime::from_micros),
    })
}

resource! {
    /// API keys.
    ApiKeys, api_keys
}

impl<'c, S: ReadSession<'c>> ApiKeys<'_, S> {
    pub(crate) fn caller(&mut self, key_hash: &Digest32) -> Result<Option<Caller>, StoreError> {
        self.session().find(&FIND_CALLER, params![key_hash.as_bytes()], |row| {
            Ok((read(row)?, tenants::read(row, TENANT)?))
        })
    }

    /// Returns an owner's keys, oldest first, including revoked ones.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list(&mut self, owner: &Owner) -> Result<Vec<ApiKey>, StoreError> {
        self.session().query(&OF_OWNER, params![owner.tenant.as_str(), owner.mode.as_str()], read)
    }
}

impl ApiKeys<'_, Tx<'_>> {
    /// Returns and locks the key with this digest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, key_hash: &Digest32) -> Result<Option<ApiKey>, StoreError> {
        self.session().find(&FIND_LOCKED, params![key_hash.as_bytes()], read)
    }

    /// Stores when a key was last used. Cached callers stay: no decision depends on this time.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn set_used(&mut self, key_hash: &Digest32, at: Wall) -> Result<(), StoreError> {
        self.session().execute_later(&SET_USED, params![key_hash.as_bytes(), at.micros()])
    }

    pub(crate) fn delete(&mut self, key_hash: &Digest32) -> Result<(), StoreError> {
        self.0.changes_callers = true;
        self.session().execute_later(&DELETE, params![key_hash.as_bytes()])
    }

    pub(crate) fn put(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        self.0.changes_callers = true;
        let ApiKey {
            key_hash,
            owner,
            secret_hash,
            previous_secret_hash,
            name,
            last_four,
            scopes,
            created_at,
            expires_at,
            last_used_at: _,
            revoked_at,
        } = key;
        let scopes = scopes.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" ");
        self.session().execute_later(
            &PUT,
            params![
                key_hash.as_bytes(),
                owner.tenant.as_str(),
                owner.mode.as_str(),
                secret_hash.as_bytes(),
                previous_secret_hash.as_ref().map(Digest32::as_bytes),
                name,
                last_four,
                &scopes,
                created_at.micros(),
                expires_at.map(Wall::micros),
                revoked_at.map(TenantTime::micros),
            ],
        )
    }
}
