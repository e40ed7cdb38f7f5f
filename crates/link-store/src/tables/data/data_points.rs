//! Data points: one table for all kinds.

use link_domain::data::data_point::DataPoint;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_types::data::DataPointKind;
use link_types::id::{AccountId, UserId};
use link_types::{Date, Month};

use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, WrappedKey, key_columns, read_wrapped_key};
use crate::tables::list::{Created, List, ListQuery};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{Page, PageRequest, Reader, StoreError, Tx};

const TABLE: &str = "data_points";

columns! {
    /// The columns of a data point.
    point_columns => struct Columns {
        id, kind, tenant_id, mode, user_id, provider_id, source_id, source_type, source_created_at,
        created_at, date, month, scope_id, body,
    }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            point_columns!("p."),
            ", ",
            key_columns!("k."),
            " FROM data_points p LEFT JOIN scope_keys k ON k.scope_id = p.scope_id",
            $rest
        )
    };
}

statements! {
    PUT = "INSERT INTO data_points (id, kind, tenant_id, mode, user_id, provider_id, source_id, source_type, \
           source_created_at, created_at, date, month, scope_id, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) \
           ON CONFLICT (id) DO UPDATE SET date = excluded.date, month = excluded.month, body = excluded.body";
    FIND = select!(" WHERE p.id = ?1 AND p.tenant_id = ?2 AND p.mode = ?3 AND p.kind = ?4");
    /// Without the owner: SQLite would otherwise read all data points of the owner instead of those of the scope.
    OF_SCOPE = select!(" WHERE p.scope_id = ?1 ORDER BY p.id");
    OF_KIND = select!(" WHERE p.scope_id = ?1 AND p.kind = ?2 ORDER BY p.id");
    DELETE_OF_SCOPE = "DELETE FROM data_points WHERE scope_id = ?1";
    DELETE_OF_KIND = "DELETE FROM data_points WHERE scope_id = ?1 AND kind = ?2";
}

pub(crate) static DATA_POINTS: List = List {
    name: "data points",
    select: select!(""),
    id: "p.id",
    position: COLUMNS.id,
    always: &["p.tenant_id = ?", "p.mode = ?", "p.kind = ?"],
    filters: &[
        "p.user_id = ?",
        "p.source_id = ?",
        "p.date >= ?",
        "p.date <= ?",
        "p.month >= ?",
        "p.month <= ?",
    ],
};

/// Filters for a list of data points.
#[derive(Debug, Clone, Copy, Default)]
pub struct DataPointFilter<'a> {
    /// Only data points of this user.
    pub user: Option<&'a UserId>,
    /// Only data points from this account or archive.
    pub source: Option<&'a str>,
    /// Only data points created in this span.
    pub created: Created,
    /// Only data points for this date or a later one.
    pub from_date: Option<Date>,
    /// Only data points for this date or an earlier one.
    pub to_date: Option<Date>,
    /// Only data points for this month or a later one.
    pub from_month: Option<Month>,
    /// Only data points for this month or an earlier one.
    pub to_month: Option<Month>,
}

struct Stored {
    point: DataPoint,
    wrapped: WrappedKey,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let point = DataPoint {
        id: row.text(COLUMNS.id)?,
        kind: parse(TABLE, row.str(COLUMNS.kind)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        provider_id: parse(TABLE, row.str(COLUMNS.provider_id)?)?,
        source_id: row.text(COLUMNS.source_id)?,
        source_type: parse(TABLE, row.str(COLUMNS.source_type)?)?,
        source_created_at: TenantTime::from_micros(row.int(COLUMNS.source_created_at)?),
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        date: row.opt_str(COLUMNS.date)?.map(|date| parse(TABLE, date)).transpose()?,
        month: row.opt_str(COLUMNS.month)?.map(|month| parse(TABLE, month)).transpose()?,
        scope: parse::<ErasureScope>(TABLE, row.str(COLUMNS.scope_id)?)?,
        body: row.bytes(COLUMNS.body)?,
    };
    Ok(Stored { point, wrapped: read_wrapped_key(row, KEY)? })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>) -> Result<DataPoint, StoreError> {
        let key = reader.unwrap_key(self.point.scope.as_str(), self.wrapped)?;
        let clear = key.open(Location { table: TABLE, id: &self.point.id }, &self.point.body)?;
        Ok(DataPoint { body: clear.to_vec(), ..self.point })
    }
}

resource! {
    /// Data points of all kinds.
    DataPoints, data_points
}

impl<'c, S: ReadSession<'c>> DataPoints<'_, S> {
    /// Returns a data point of a kind.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(
        &mut self,
        owner: &Owner,
        kind: DataPointKind,
        id: &str,
    ) -> Result<Option<DataPoint>, StoreError> {
        let found = self.session().find(
            &FIND,
            params![id, owner.tenant.as_str(), owner.mode.as_str(), kind.as_str()],
            read,
        )?;
        match found.map(|stored| stored.open(self.0.reader())).transpose() {
            Err(StoreError::Erased) => Ok(None),
            opened => opened,
        }
    }

    /// Returns all data points of an account, oldest first of each kind.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_account(&mut self, owner: &Owner, account: &AccountId) -> Result<Vec<DataPoint>, StoreError> {
        self.of_source(owner, account.as_str())
    }

    /// Returns all data points of an account or archive, oldest first of each kind.
    ///
    /// # Errors
    ///
    /// [`StoreError::Erased`] if the source was just erased; [`StoreError`] if the database cannot be read.
    pub fn of_source(&mut self, owner: &Owner, source: &str) -> Result<Vec<DataPoint>, StoreError> {
        let found = self.session().query(&OF_SCOPE, params![source], read)?;
        let of_owner = found.into_iter().filter(|stored| stored.point.owner == *owner);
        of_owner.map(|stored| stored.open(self.0.reader())).collect()
    }

    /// Returns data points of a kind, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        kind: DataPointKind,
        filter: DataPointFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<DataPoint>, StoreError> {
        with_query(owner, kind, filter, request, |query| {
            self.0.reader().page(&DATA_POINTS, query, read, |reader, stored| stored.open(reader))
        })
    }
}

/// Runs a closure with the query of a list, which borrows texts that live only as long as the call.
pub(crate) fn with_query<T>(
    owner: &Owner,
    kind: DataPointKind,
    filter: DataPointFilter<'_>,
    request: &PageRequest,
    run: impl FnOnce(&ListQuery<'_>) -> T,
) -> T {
    let from_date = filter.from_date.map(|date| date.to_string());
    let to_date = filter.to_date.map(|date| date.to_string());
    let from_month = filter.from_month.map(|month| month.to_string());
    let to_month = filter.to_month.map(|month| month.to_string());
    run(&ListQuery {
        owner,
        always: &[kind.as_str()],
        filters: &[
            filter.user.map(UserId::as_str),
            filter.source,
            from_date.as_deref(),
            to_date.as_deref(),
            from_month.as_deref(),
            to_month.as_deref(),
        ],
        created: filter.created,
        prefix: kind.prefix(),
        request,
    })
}

impl DataPoints<'_, Tx<'_>> {
    /// Writes a data point. Its scope must have a key already, because its source's row was written before.
    pub(crate) fn put(&mut self, point: &DataPoint) -> Result<(), StoreError> {
        let key = self.0.scope_key(point.scope.as_str())?;
        let body = key.seal(Location { table: TABLE, id: &point.id }, &point.body)?;
        let date = point.date.map(|date| date.to_string());
        let month = point.month.map(|month| month.to_string());
        self.session().execute_later(
            &PUT,
            params![
                &point.id,
                point.kind.as_str(),
                point.owner.tenant.as_str(),
                point.owner.mode.as_str(),
                point.user_id.as_str(),
                point.provider_id.as_str(),
                &point.source_id,
                point.source_type.as_str(),
                point.source_created_at.micros(),
                point.created_at.micros(),
                date.as_ref(),
                month.as_ref(),
                point.scope.as_str(),
                &body,
            ],
        )
    }

    /// Returns the data points of a kind.
    pub(crate) fn of_kind(&mut self, scope: &str, kind: DataPointKind) -> Result<Vec<DataPoint>, StoreError> {
        let found = self.session().query(&OF_KIND, params![scope, kind.as_str()], read)?;
        found.into_iter().map(|stored| stored.open(self.0.reader())).collect()
    }

    /// Deletes the data points of a kind.
    pub(crate) fn delete_of_kind(&mut self, scope: &str, kind: DataPointKind) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_KIND, params![scope, kind.as_str()])
    }

    pub(crate) fn delete_of_scope(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OF_SCOPE, params![scope])
    }
}
