//! Storage that records and signals share: unencrypted columns, and the request and its state sealed with the row's
//! own key.

use std::str::FromStr;

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use serde::{Deserialize, Serialize};

use crate::StoreError;
use crate::reader::parse;
use crate::sql::{ColumnList, Row, columns};
use crate::tables::kernel::scope_keys::KeyColumns;
use crate::tables::kernel::sealed::Sealed;
use crate::tables::{count, owner, small};

columns! {
    /// The columns of a record or a signal.
    requested_columns => struct Columns { id, tenant_id, mode, created_at, version, event_count, body }
}
pub(crate) use requested_columns;
pub(crate) const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

/// The sealed part, for writing.
#[derive(Serialize)]
pub(crate) struct Body<'a, Q, S> {
    pub(crate) request: &'a Q,
    pub(crate) state: &'a S,
}

/// The sealed part, as read.
#[derive(Deserialize)]
pub(crate) struct OpenedBody<Q, S> {
    pub(crate) request: Q,
    pub(crate) state: S,
}

/// A row before its body is opened.
pub(crate) struct StoredRequest<Id> {
    pub(crate) id: Id,
    pub(crate) owner: Owner,
    pub(crate) created_at: TenantTime,
    pub(crate) version: u32,
    pub(crate) event_count: u64,
    pub(crate) body: Sealed,
}

/// Reads a row with [`requested_columns!`] and [`key_columns!`](crate::tables::kernel::scope_keys::key_columns).
pub(crate) fn read<Id: FromStr>(table: &'static str, row: &Row<'_>) -> Result<StoredRequest<Id>, StoreError> {
    Ok(StoredRequest {
        id: parse(table, row.str(COLUMNS.id)?)?,
        owner: owner(table, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        version: small(table, row.int(COLUMNS.version)?)?,
        event_count: count(table, row.int(COLUMNS.event_count)?)?,
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}
