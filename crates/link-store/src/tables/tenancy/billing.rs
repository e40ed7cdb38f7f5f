//! Billable events: one row for each (kind, subject), the first.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::billing::{BillingKind, BillingRecord};
use link_types::id::{BillingEventId, UserId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::list::{Created, List, ListQuery, first_id};
use crate::tables::resource::resource;
use crate::tables::{count, owner};
use crate::{Page, PageRequest, StoreError, Tx};

const TABLE: &str = "billing_events";

columns! {
    /// The columns of a billable event.
    billing_columns => struct Columns { id, tenant_id, mode, kind, subject, user_id, at }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The number of billable events of a kind.
    count_columns => struct CountColumns { kind, events = "COUNT(*)" }
}
const COUNT: CountColumns = CountColumns::after(0);

statements! {
    KEEP_FIRST = "INSERT INTO billing_events (id, tenant_id, mode, kind, subject, user_id, at) \
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (kind, subject) DO NOTHING";
    COUNTS = concat!("SELECT ", count_columns!(""), " FROM billing_events \
             WHERE tenant_id = ?1 AND mode = ?2 AND id >= ?3 AND id < ?4 GROUP BY kind");
}

pub(crate) static BILLING_EVENTS: List = List {
    name: "billing_events",
    select: concat!("SELECT ", billing_columns!(""), " FROM billing_events"),
    id: "id",
    position: COLUMNS.id,
    always: &["tenant_id = ?", "mode = ?"],
    filters: &["kind = ?", "subject = ?", "user_id = ?"],
};

/// Filters for a list of billable events.
#[derive(Debug, Clone, Copy, Default)]
pub struct BillingFilter<'a> {
    /// Only events of this kind.
    pub kind: Option<BillingKind>,
    /// Only events for this account, record or signal.
    pub subject: Option<&'a str>,
    /// Only events for this user.
    pub user: Option<&'a UserId>,
    /// Only events that became due in this span.
    pub created: Created,
}

fn read(row: &Row<'_>) -> Result<BillingRecord, StoreError> {
    Ok(BillingRecord {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        kind: parse(TABLE, row.str(COLUMNS.kind)?)?,
        subject: row.text(COLUMNS.subject)?,
        user_id: row.opt_str(COLUMNS.user_id)?.map(|id| parse(TABLE, id)).transpose()?,
        at: TenantTime::from_micros(row.int(COLUMNS.at)?),
    })
}

resource! {
    /// Billable events.
    BillingEvents, billing_events
}

impl<'c, S: ReadSession<'c>> BillingEvents<'_, S> {
    /// Returns billable events, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::BadCursor`] for a cursor of another list; [`StoreError`] if the database cannot be read.
    pub fn list(
        &mut self,
        owner: &Owner,
        filter: BillingFilter<'_>,
        request: &PageRequest,
    ) -> Result<Page<BillingRecord>, StoreError> {
        let query = ListQuery {
            owner,
            always: &[],
            filters: &[filter.kind.map(BillingKind::as_str), filter.subject, filter.user.map(UserId::as_str)],
            created: filter.created,
            prefix: BillingEventId::PREFIX,
            request,
        };
        self.0.reader().page(&BILLING_EVENTS, &query, read, |_, record| Ok(record))
    }

    /// Returns the number of billable events of each kind that became due from `from` until before `until`. Kinds
    /// without events are left out.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn counts(
        &mut self,
        owner: &Owner,
        from: TenantTime,
        until: TenantTime,
    ) -> Result<Vec<(BillingKind, u64)>, StoreError> {
        let [from, until] = [from, until].map(|at| first_id(BillingEventId::PREFIX, at));
        let span = params![owner.tenant.as_str(), owner.mode.as_str(), &from, &until];
        self.session().query(&COUNTS, span, |row| {
            Ok((parse(TABLE, row.str(COUNT.kind)?)?, count(TABLE, row.int(COUNT.events)?)?))
        })
    }
}

impl BillingEvents<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, record: &BillingRecord) -> Result<(), StoreError> {
        let BillingRecord { id, owner, kind, subject, user_id, at } = record;
        self.session().execute_later(
            &KEEP_FIRST,
            params![
                id.as_str(),
                owner.tenant.as_str(),
                owner.mode.as_str(),
                kind.as_str(),
                subject,
                user_id.as_ref().map(UserId::as_str),
                at.micros(),
            ],
        )
    }
}
