//! Tables of the master key, erasure scopes, their keys, the clock of retention, and scheduled backups.

pub(crate) mod erasure;
pub(crate) mod erasure_replay;
pub(crate) mod key_buckets;
pub(crate) mod master_keys;
pub(crate) mod retention_clock;
pub(crate) mod scheduled_backups;
pub(crate) mod scope_keys;
pub(crate) mod scopes;
pub(super) mod sealed;
