//! Storage that records and signals share: unencrypted columns, and the request and its state sealed with the row's
//! own key.

use std::str::FromStr;

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use serde::{Deserialize, Serialize};

use super::scope_keys::KeyColumns;
use super::sealed::Sealed;
use super::{count, owner, small};
use crate::StoreError;
use crate::reader::parse;
use crate::sql::{ColumnList, Row, columns};

columns! {
    /// The columns of a record or a signal.
    requested_columns => struct Columns { id, tenant_id, mode, created_at, version, event_count, body }
}
pub(super) use requested_columns;
pub(super) const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

/// The sealed part, for writing.
#[derive(Serialize)]
pub(super) struct Body<'a, Q, S> {
    pub(super) request: &'a Q,
    pub(super) state: &'a S,
}

/// The sealed part, as read.
#[derive(Deserialize)]
pub(super) struct OpenedBody<Q, S> {
    pub(super) request: Q,
    pub(super) state: S,
}

/// A row before its body is opened.
pub(super) struct StoredRequest<Id> {
    pub(super) id: Id,
    pub(super) owner: Owner,
    pub(super) created_at: TenantTime,
    pub(super) version: u32,
    pub(super) event_count: u64,
    pub(super) body: Sealed,
}

/// Reads a row with [`requested_columns!`] and [`key_columns!`](super::scope_keys::key_columns).
pub(super) fn read<Id: FromStr>(table: &'static str, row: &Row<'_>) -> Result<StoredRequest<Id>, StoreError> {
    Ok(StoredRequest {
        id: parse(table, row.str(COLUMNS.id)?)?,
        owner: owner(table, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        version: small(table, row.int(COLUMNS.version)?)?,
        event_count: count(table, row.int(COLUMNS.event_count)?)?,
        body: Sealed::read(row, COLUMNS.body, KEY)?,
    })
}
