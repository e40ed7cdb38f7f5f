//! News of commits, so that workers and long polls need not ask again and again.

use link_domain::job::JobLane;
use link_types::id::{AccountId, ArchiveId, RecordId};

/// What a commit brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Deliveries were added.
    Deliveries,
    /// Jobs were added to this lane.
    Jobs(JobLane),
    /// An account has a new state.
    Account(AccountId),
    /// An archive has a new state.
    Archive(ArchiveId),
    /// A record has a new state.
    Record(RecordId),
}
