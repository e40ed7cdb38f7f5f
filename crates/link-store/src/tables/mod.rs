//! One file per table (or two related tables): its statements, its columns, and the methods of its resource. The folders
//! are the neighbourhoods of `link-domain`; what several of them need is here.

pub(crate) mod apply;
pub(crate) mod backlog;
pub(crate) mod console;
pub(crate) mod data;
pub(crate) mod documents;
#[cfg(any(test, feature = "test-support"))]
pub(crate) mod every_list;
pub(crate) mod invitations;
pub(crate) mod jobs;
pub(crate) mod kernel;
mod lane;
pub(crate) mod lease;
pub(crate) mod linking;
pub(crate) mod list;
pub(crate) mod lookups;
pub(crate) mod notifications;
pub(crate) mod person_page;
#[cfg(test)]
mod plans;
pub(crate) mod probes;
#[cfg(test)]
mod registry;
mod resource;
pub(crate) mod tenancy;
mod watched;

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

pub(crate) fn opt_digest(
    table: &'static str,
    bytes: Option<Vec<u8>>,
) -> Result<Option<Digest32>, StoreError> {
    bytes.map(|bytes| digest(table, bytes)).transpose()
}

pub(crate) fn count(table: &'static str, value: i64) -> Result<u64, StoreError> {
    u64::try_from(value).map_err(|_| StoreError::undecodable(table, "a count is negative"))
}

fn small(table: &'static str, value: i64) -> Result<u32, StoreError> {
    u32::try_from(value).map_err(|_| StoreError::undecodable(table, "a count is out of range"))
}
