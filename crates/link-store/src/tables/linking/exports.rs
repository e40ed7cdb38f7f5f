//! Exports: the file is sealed with its account's key, its metadata is unencrypted.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::linking::export::{Export, ExportFile};
use link_types::export::ExportFormat;
use link_types::id::{AccountId, ExportId, TenantId};

use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{digest, owner, small};
use crate::{StoreError, Tx};

const TABLE: &str = "exports";

columns! {
    /// The columns of an export without its file.
    export_columns => struct Columns {
        id, tenant_id, mode, account_id, account_version, format, sha256, created_at, expires_at,
    }
}
const COLUMNS: Columns = Columns::after(0);
/// The column of the file, where it is selected.
const BODY: usize = Columns::COUNT;

statements! {
    INSERT = "INSERT INTO exports (id, tenant_id, mode, account_id, account_version, format, sha256, created_at, \
              expires_at, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    FIND = concat!("SELECT ", export_columns!(""), ", body FROM exports WHERE id = ?1 AND tenant_id = ?2 \
           AND mode = ?3");
    LATEST = concat!("SELECT ", export_columns!(""), " FROM exports WHERE account_id = ?1 AND format = ?2 \
             AND tenant_id = ?3 AND mode = ?4 ORDER BY id DESC LIMIT 1");
    DELETE_OF_SCOPE = "DELETE FROM exports WHERE account_id = ?1";
    DELETE_EXPIRED = "DELETE FROM exports WHERE expires_at < ?1";
    DELETE_EXPIRED_IN_SANDBOX =
        "DELETE FROM exports WHERE tenant_id = ?1 AND mode = 'SANDBOX' AND expires_at < ?2";
}

fn read(row: &Row<'_>) -> Result<Export, StoreError> {
    Ok(Export {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        account_id: parse(TABLE, row.str(COLUMNS.account_id)?)?,
        account_version: small(TABLE, row.int(COLUMNS.account_version)?)?,
        format: parse(TABLE, row.str(COLUMNS.format)?)?,
        sha256: digest(TABLE, row.bytes(COLUMNS.sha256)?)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        expires_at: TenantTime::from_micros(row.int(COLUMNS.expires_at)?),
    })
}

resource! {
    /// Exports of accounts.
    Exports, exports
}

impl<'c, S: ReadSession<'c>> Exports<'_, S> {
    /// Returns an export with its file, expired or not. `None` if its account is erased.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, owner: &Owner, id: &ExportId) -> Result<Option<ExportFile>, StoreError> {
        let key = params![id.as_str(), owner.tenant.as_str(), owner.mode.as_str()];
        let found = self.session().find(&FIND, key, |row| Ok((read(row)?, row.bytes(BODY)?)))?;
        let Some((export, sealed)) = found else { return Ok(None) };
        let key = match self.0.reader().scope_key(export.account_id.as_str()) {
            Err(StoreError::Erased) => return Ok(None),
            key => key?,
        };
        let clear = key.open(Location { table: TABLE, id: export.id.as_str() }, &sealed)?;
        Ok(Some(ExportFile { export, content: clear.to_vec() }))
    }

    /// Returns the newest export of an account in a format, expired or not.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn latest(
        &mut self,
        owner: &Owner,
        account: &AccountId,
        format: ExportFormat,
    ) -> Result<Option<Export>, StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        self.session().find(&LATEST, params![account.as_str(), format.as_str(), tenant, mode], read)
    }
}

impl Exports<'_, Tx<'_>> {
    pub(crate) fn insert(&mut self, file: &ExportFile) -> Result<(), StoreError> {
        let Export { id, owner, account_id, account_version, format, sha256, created_at, expires_at } =
            &file.export;
        let key = self.0.scope_key(account_id.as_str())?;
        let body = key.seal(Location { table: TABLE, id: id.as_str() }, &file.content)?;
        self.session().execute_later(
            &INSERT,
            params![
                id.as_str(),
                owner.tenant.as_str(),
                owner.mode.as_str(),
                account_id.as_str(),
                i64::from(*account_version),
                format.as_str(),
                Digest32::as_bytes(sha256),
                created_at.micros(),
                expires_at.micros(),
                &body,
            ],
        )
    }

    pub(crate) fn delete_of_scope(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_SCOPE, params![scope])
    }

    /// Deletes the exports that expired before a time.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_before(&mut self, before: TenantTime) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_EXPIRED, params![before.micros()])
    }

    /// Deletes the exports of a tenant's sandbox that expired before a time on its clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_in_sandbox(
        &mut self,
        tenant: &TenantId,
        before: TenantTime,
    ) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_EXPIRED_IN_SANDBOX, params![tenant.as_str(), before.micros()])
    }
}
