//! Tenants.

use link_domain::clock::{ClockOffset, TenantTime};
use link_domain::tenant::Tenant;
use link_types::id::TenantId;

use super::resource::resource;
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, params, statements};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "tenants";

statements! {
    PUT = "INSERT INTO tenants (id, name, created_at, sandbox_offset) VALUES (?1, ?2, ?3, ?4) \
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, sandbox_offset = excluded.sandbox_offset";
    FIND = "SELECT id, name, created_at, sandbox_offset FROM tenants WHERE id = ?1";
    FIND_LOCKED = "SELECT id, name, created_at, sandbox_offset FROM tenants WHERE id = ?1 /*lock*/";
    ALL_TENANTS = "SELECT id, name, created_at, sandbox_offset FROM tenants ORDER BY id";
}

/// Reads a tenant from the columns that start at `first`.
pub(super) fn read(row: &Row<'_>, first: usize) -> Result<Tenant, StoreError> {
    Ok(Tenant {
        id: parse(TABLE, row.str(first)?)?,
        name: row.text(first + 1)?,
        created_at: TenantTime::from_micros(row.int(first + 2)?),
        sandbox_offset: ClockOffset::from_micros(row.int(first + 3)?),
    })
}

resource! {
    /// Tenants.
    Tenants, tenants
}

impl Tenants<'_, Reader<'_>> {
    /// Returns a tenant.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &TenantId) -> Result<Option<Tenant>, StoreError> {
        self.session().find(&FIND, params![id.as_str()], |row| read(row, 0))
    }
}

impl<'c, S: ReadSession<'c>> Tenants<'_, S> {
    /// Returns every tenant, by id. There are few.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list(&mut self) -> Result<Vec<Tenant>, StoreError> {
        self.session().query(&ALL_TENANTS, params![], |row| read(row, 0))
    }
}

impl Tenants<'_, Tx<'_>> {
    /// Returns and locks a tenant.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &TenantId) -> Result<Option<Tenant>, StoreError> {
        self.session().find(&FIND_LOCKED, params![id.as_str()], |row| read(row, 0))
    }

    pub(crate) fn put(&mut self, tenant: &Tenant) -> Result<(), StoreError> {
        self.0.changes_callers = true;
        let Tenant { id, name, created_at, sandbox_offset } = tenant;
        self.session()
            .execute(&PUT, params![id.as_str(), name, created_at.micros(), sandbox_offset.micros()])
            .map(drop)
    }
}
