//! Tenants.

use std::collections::{BTreeMap, BTreeSet};

use link_domain::kernel::clock::{ClockOffset, TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::tenant::standing::Standing;
use link_types::Mode;
use link_types::id::TenantId;

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "tenants";

columns! {
    /// The columns of a tenant.
    tenant_columns => struct Columns {
        id, name, created_at, sandbox_offset, standing, standing_since, erase_at,
    }
}
pub(crate) use tenant_columns;
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// A tenant, and how far its sandbox clock is ahead.
    offset_columns => struct OffsetColumns { id, sandbox_offset }
}
const OFFSET: OffsetColumns = OffsetColumns::after(0);

statements! {
    PUT = "INSERT INTO tenants (id, name, created_at, sandbox_offset, standing, standing_since, erase_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, sandbox_offset = excluded.sandbox_offset, \
           standing = excluded.standing, standing_since = excluded.standing_since, erase_at = excluded.erase_at";
    FIND = concat!("SELECT ", tenant_columns!(""), " FROM tenants WHERE id = ?1");
    FIND_LOCKED = concat!("SELECT ", tenant_columns!(""), " FROM tenants WHERE id = ?1 /*lock*/");
    FIND_OFFSET = "SELECT sandbox_offset FROM tenants WHERE id = ?1";
    SANDBOX_OFFSETS = concat!("SELECT ", offset_columns!(""), " FROM tenants WHERE sandbox_offset > 0");
    STOPPED = "SELECT id FROM tenants WHERE standing <> 'ACTIVE'";
    ALL_TENANTS = concat!("SELECT ", tenant_columns!(""), " FROM tenants ORDER BY id");
}

/// Reads a tenant from its columns.
pub(crate) fn read(row: &Row<'_>, columns: Columns) -> Result<Tenant, StoreError> {
    Ok(Tenant {
        id: parse(TABLE, row.str(columns.id)?)?,
        name: row.text(columns.name)?,
        created_at: TenantTime::from_micros(row.int(columns.created_at)?),
        sandbox_offset: ClockOffset::from_micros(row.int(columns.sandbox_offset)?),
        standing: standing(row, columns)?,
    })
}

fn standing(row: &Row<'_>, columns: Columns) -> Result<Standing, StoreError> {
    let time = |column| {
        let at = row.opt_int(column)?.map(Wall::from_micros);
        at.ok_or_else(|| StoreError::undecodable(TABLE, "a time of its standing is missing"))
    };
    Ok(match row.str(columns.standing)? {
        "ACTIVE" => Standing::Active,
        "SUSPENDED" => Standing::Suspended { since: time(columns.standing_since)? },
        "DELETED" => {
            Standing::Deleted { since: time(columns.standing_since)?, erase_at: time(columns.erase_at)? }
        }
        "ERASED" => Standing::Erased { since: time(columns.standing_since)? },
        _ => return Err(StoreError::undecodable(TABLE, "its standing is unknown")),
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
        self.session().find(&FIND, params![id.as_str()], |row| read(row, COLUMNS))
    }
}

impl<'c, S: ReadSession<'c>> Tenants<'_, S> {
    /// Returns how far the clock of an environment is ahead of the wall clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn offset(&mut self, owner: &Owner) -> Result<ClockOffset, StoreError> {
        match owner.mode {
            Mode::Production => Ok(ClockOffset::default()),
            Mode::Sandbox => {
                let found =
                    self.session().find(&FIND_OFFSET, params![owner.tenant.as_str()], |row| row.int(0))?;
                Ok(found.map(ClockOffset::from_micros).unwrap_or_default())
            }
        }
    }

    /// Returns the sandbox clocks that are ahead, in microseconds. There are few.
    pub(crate) fn sandbox_offsets(&mut self) -> Result<BTreeMap<TenantId, i64>, StoreError> {
        let found = self.session().query(&SANDBOX_OFFSETS, params![], |row| {
            Ok((parse(TABLE, row.str(OFFSET.id)?)?, row.int(OFFSET.sandbox_offset)?))
        })?;
        Ok(found.into_iter().collect())
    }

    /// Returns the tenants that are suspended or deleted. There are few.
    pub(crate) fn find_stopped(&mut self) -> Result<BTreeSet<TenantId>, StoreError> {
        let found = self.session().query(&STOPPED, params![], |row| parse(TABLE, row.str(0)?))?;
        Ok(found.into_iter().collect())
    }

    /// Returns every tenant, by id. There are few.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list(&mut self) -> Result<Vec<Tenant>, StoreError> {
        self.session().query(&ALL_TENANTS, params![], |row| read(row, COLUMNS))
    }
}

impl Tenants<'_, Tx<'_>> {
    /// Returns and locks a tenant.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &TenantId) -> Result<Option<Tenant>, StoreError> {
        self.session().find(&FIND_LOCKED, params![id.as_str()], |row| read(row, COLUMNS))
    }

    pub(crate) fn put(&mut self, tenant: &Tenant) -> Result<(), StoreError> {
        self.0.changes_callers = true;
        let Tenant { id, name, created_at, sandbox_offset, standing } = tenant;
        let (word, since, erase_at) = match standing {
            Standing::Active => ("ACTIVE", None, None),
            Standing::Suspended { since } => ("SUSPENDED", Some(since), None),
            Standing::Deleted { since, erase_at } => ("DELETED", Some(since), Some(erase_at)),
            Standing::Erased { since } => ("ERASED", Some(since), None),
        };
        let [since, erase_at] = [since, erase_at].map(|at| at.map(|it| it.micros()));
        let created = created_at.micros();
        self.session().execute_later(
            &PUT,
            params![id.as_str(), name, created, sandbox_offset.micros(), word, since, erase_at],
        )
    }
}
