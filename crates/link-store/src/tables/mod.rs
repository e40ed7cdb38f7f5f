//! One file per table (or two related tables): its statements, its columns, and the methods of its resource.

pub(crate) mod account_links;
mod account_summaries;
pub(crate) mod accounts;
pub(crate) mod api_keys;
pub(crate) mod apply;
pub(crate) mod archives;
pub(crate) mod billing;
pub(crate) mod clock_advances;
pub(crate) mod data_points;
pub(crate) mod delivery;
pub(crate) mod erasure;
pub(crate) mod events;
#[cfg(any(test, feature = "test-support"))]
pub(crate) mod every_list;
pub(crate) mod exports;
pub(crate) mod file_segments;
pub(crate) mod forms;
pub(crate) mod guess_counts;
pub(crate) mod idempotency;
pub(crate) mod invites;
pub(crate) mod jobs;
pub(crate) mod key_buckets;
mod lane;
pub(crate) mod lease;
pub(crate) mod link_attempts;
pub(crate) mod link_handoffs;
pub(crate) mod link_sessions;
pub(crate) mod link_tokens;
pub(crate) mod list;
pub(crate) mod login_tries;
pub(crate) mod logos;
pub(crate) mod mails;
#[cfg(test)]
mod plans;
pub(crate) mod probes;
pub(crate) mod provider_files;
pub(crate) mod quota_uses;
pub(crate) mod records;
#[cfg(test)]
mod registry;
mod requested;
mod resource;
pub(crate) mod retention_clock;
pub(crate) mod scenarios;
pub(crate) mod scope_keys;
pub(crate) mod scopes;
mod sealed;
pub(crate) mod signals;
pub(crate) mod surveys;
pub(crate) mod tasks;
pub(crate) mod templates;
pub(crate) mod tenants;
pub(crate) mod ui_events;
pub(crate) mod upload_uses;
pub(crate) mod user_data;
pub(crate) mod users;
pub(crate) mod visits;
mod watched;
pub(crate) mod webhooks;

use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;

use crate::StoreError;
use crate::reader::parse;
use crate::sql::Row;

/// Reads the owner from its two columns.
pub(crate) fn owner(
    table: &'static str,
    row: &Row<'_>,
    tenant: usize,
    mode: usize,
) -> Result<Owner, StoreError> {
    Ok(Owner { tenant: parse(table, row.str(tenant)?)?, mode: parse(table, row.str(mode)?)? })
}

fn digest(table: &'static str, bytes: Vec<u8>) -> Result<Digest32, StoreError> {
    <[u8; 32]>::try_from(bytes)
        .map(Digest32::from_bytes)
        .map_err(|_| StoreError::undecodable(table, "a digest has the wrong length"))
}

fn opt_digest(table: &'static str, bytes: Option<Vec<u8>>) -> Result<Option<Digest32>, StoreError> {
    bytes.map(|bytes| digest(table, bytes)).transpose()
}

pub(crate) fn count(table: &'static str, value: i64) -> Result<u64, StoreError> {
    u64::try_from(value).map_err(|_| StoreError::undecodable(table, "a count is negative"))
}

fn small(table: &'static str, value: i64) -> Result<u32, StoreError> {
    u32::try_from(value).map_err(|_| StoreError::undecodable(table, "a count is out of range"))
}
