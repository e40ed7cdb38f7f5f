//! Tenants.

use std::collections::{BTreeMap, BTreeSet};

use link_domain::kernel::clock::{ClockOffset, TenantTime, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::Tenant;
use link_domain::tenancy::tenant::standing::{MovedCopy, Standing};
use link_types::Mode;
use link_types::id::TenantId;

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::opt_digest;
use crate::tables::resource::resource;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "tenants";

columns! {
    /// The columns of a tenant.
    tenant_columns => struct Columns {
        id, name, created_at, sandbox_offset, standing, standing_since, erase_at, is_moved, export_hash,
        import_hash,
    }
}
pub(crate) use tenant_columns;
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// A tenant, and how far its sandbox clock is ahead.
    offset_columns => struct OffsetColumns { id, sandbox_offset }
}
const OFFSET: OffsetColumns = OffsetColumns::after(0);

/// The deliveries of the tenant `?1` that workers may claim or have claimed, with the condition of an index.
macro_rules! pending_deliveries {
    ($made:literal) => {
        concat!(
            "webhooks w JOIN deliveries d ON d.webhook_id = w.id WHERE w.tenant_id = ?1 \
             AND d.run_at IS NOT NULL AND d.blocked = 0 AND d.attempts_made ",
            $made
        )
    };
}

macro_rules! end_lapsed {
    ($made:literal) => {
        concat!(
            "UPDATE deliveries SET fence = fence + 1, lease_owner = NULL, lease_until = NULL \
             WHERE id IN (SELECT d.id FROM ",
            pending_deliveries!($made),
            " AND d.lease_until <= ?2)"
        )
    };
}

statements! {
    PUT = "INSERT INTO tenants (id, name, created_at, sandbox_offset, standing, standing_since, erase_at, is_moved, \
           export_hash, import_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
           ON CONFLICT (id) DO UPDATE SET name = excluded.name, sandbox_offset = excluded.sandbox_offset, \
           standing = excluded.standing, standing_since = excluded.standing_since, erase_at = excluded.erase_at, \
           is_moved = excluded.is_moved, export_hash = excluded.export_hash, import_hash = excluded.import_hash";
    FIND = concat!("SELECT ", tenant_columns!(""), " FROM tenants WHERE id = ?1");
    FIND_LOCKED = concat!("SELECT ", tenant_columns!(""), " FROM tenants WHERE id = ?1 /*lock*/");
    /// Blocks the beginning of a move until the end of the unit. It does not block other units.
    FIND_SHARED = concat!("SELECT ", tenant_columns!(""), " FROM tenants WHERE id = ?1 /*share*/");
    FIND_OFFSET = "SELECT sandbox_offset FROM tenants WHERE id = ?1";
    SANDBOX_OFFSETS = concat!("SELECT ", offset_columns!(""), " FROM tenants WHERE sandbox_offset > 0");
    STOPPED = "SELECT id FROM tenants WHERE standing <> 'ACTIVE'";
    BETWEEN_CELLS = "SELECT id FROM tenants WHERE standing <> 'ACTIVE' AND standing IN ('MOVING', 'ARRIVING')";
    /// Whether a worker has work of a tenant. Like claims, searches its webhooks' pending deliveries. A
    /// cancelled one whose attempt is in progress does not count: only the log of the attempt would be lost.
    LEASED = concat!("SELECT 1 FROM jobs WHERE tenant_id = ?1 AND lease_until > ?2 AND lease_owner IS NOT NULL \
             UNION ALL SELECT 1 FROM ", pending_deliveries!("= 0"), " AND d.lease_until > ?2 \
             UNION ALL SELECT 1 FROM ", pending_deliveries!("> 0"), " AND d.lease_until > ?2 LIMIT 1");
    /// A worker that stalled beyond its lease cannot finish, renew or postpone with the older fence.
    END_LAPSED_JOBS = "UPDATE jobs SET fence = fence + 1, lease_owner = NULL, lease_until = NULL \
                       WHERE tenant_id = ?1 AND lease_until <= ?2 AND lease_owner IS NOT NULL";
    END_LAPSED_FIRST = end_lapsed!("= 0");
    END_LAPSED_RESEND = end_lapsed!("> 0");
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
    let export = opt_digest(TABLE, row.opt_bytes(columns.export_hash)?)?;
    let known =
        || export.ok_or_else(|| StoreError::undecodable(TABLE, "the digest of its export is missing"));
    let import = opt_digest(TABLE, row.opt_bytes(columns.import_hash)?)?;
    let copy = export.zip(import).map(|(export, import)| MovedCopy { export, import });
    let here = || copy.ok_or_else(|| StoreError::undecodable(TABLE, "its import is missing"));
    Ok(match row.str(columns.standing)? {
        "ACTIVE" => Standing::Active,
        "SUSPENDED" => Standing::Suspended { since: time(columns.standing_since)? },
        "MOVING" => Standing::Moving { since: time(columns.standing_since)?, export: known()? },
        "ARRIVING" => Standing::Arriving { since: time(columns.standing_since)?, copy: here()? },
        "DELETED" => Standing::Deleted {
            since: time(columns.standing_since)?,
            erase_at: time(columns.erase_at)?,
            is_moved: row.flag(columns.is_moved)?,
            copy,
        },
        "ERASED" => Standing::Erased { since: time(columns.standing_since)?, copy },
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

    /// Returns the tenants that are between two installations. There are few.
    pub(crate) fn find_between_cells(&mut self) -> Result<BTreeSet<TenantId>, StoreError> {
        let found = self.session().query(&BETWEEN_CELLS, params![], |row| parse(TABLE, row.str(0)?))?;
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

    /// Returns a tenant, and keeps a move of it from beginning before the unit ends. Other units are not blocked. Call it
    /// before the unit locks other rows.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get_shared(&mut self, id: &TenantId) -> Result<Option<Tenant>, StoreError> {
        self.session().find(&FIND_SHARED, params![id.as_str()], |row| read(row, COLUMNS))
    }

    /// Ends the leases on work of a tenant that have expired, so that what their workers do later is rejected. Returns whether a
    /// worker still has a lease. PostgreSQL uses its own clock instead of `now`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn end_lapsed_leases(&mut self, id: &TenantId, now: Wall) -> Result<bool, StoreError> {
        let now = self.session().wall(now.micros())?;
        let of_tenant = params![id.as_str(), now];
        self.session().execute(&END_LAPSED_JOBS, of_tenant)?;
        self.session().execute(&END_LAPSED_FIRST, of_tenant)?;
        self.session().execute(&END_LAPSED_RESEND, of_tenant)?;
        Ok(self.session().find(&LEASED, of_tenant, |_| Ok(()))?.is_some())
    }

    pub(crate) fn put(&mut self, tenant: &Tenant) -> Result<(), StoreError> {
        self.0.changes_callers = true;
        let Tenant { id, name, created_at, sandbox_offset, standing } = tenant;
        let (word, since, erase_at, export, import) = match standing {
            Standing::Active => ("ACTIVE", None, None, None, None),
            Standing::Suspended { since } => ("SUSPENDED", Some(since), None, None, None),
            Standing::Moving { since, export } => ("MOVING", Some(since), None, Some(export), None),
            Standing::Arriving { since, copy } => {
                ("ARRIVING", Some(since), None, Some(&copy.export), Some(&copy.import))
            }
            Standing::Deleted { since, erase_at, is_moved: _, copy } => {
                let parts = copy.as_ref().map(|it| (&it.export, &it.import)).unzip();
                ("DELETED", Some(since), Some(erase_at), parts.0, parts.1)
            }
            Standing::Erased { since, copy } => {
                let parts = copy.as_ref().map(|it| (&it.export, &it.import)).unzip();
                ("ERASED", Some(since), None, parts.0, parts.1)
            }
        };
        let [since, erase_at] = [since, erase_at].map(|at| at.map(|it| it.micros()));
        let created = created_at.micros();
        self.session().execute_later(
            &PUT,
            params![
                id.as_str(),
                name,
                created,
                sandbox_offset.micros(),
                word,
                since,
                erase_at,
                i64::from(tenant.is_moved()),
                export.map(Digest32::as_bytes),
                import.map(Digest32::as_bytes)
            ],
        )
    }
}
