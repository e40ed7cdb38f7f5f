//! Notifications about commits, so that workers and long polls need not poll the database.

use link_domain::change::job::JobQueue;
use link_domain::kernel::owner::Owner;
use link_types::id::{AccountId, ArchiveId, RecordId};

/// A resource whose next version, or a list whose next item, a long poll can wait for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Watched {
    /// An account.
    Account(AccountId),
    /// An archive.
    Archive(ArchiveId),
    /// A record.
    Record(RecordId),
    /// The events of an owner.
    Events(Owner),
}

/// A change that a commit made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitNotice {
    /// Deliveries were added.
    Deliveries,
    /// Jobs were added to this queue.
    Jobs(JobQueue),
    /// An account has a new state.
    Account(AccountId),
    /// An archive has a new state.
    Archive(ArchiveId),
    /// A record has a new state.
    Record(RecordId),
    /// An owner has a new event.
    Event(Owner),
}

impl CommitNotice {
    /// Returns the resource that has a new version, if a long poll can wait for it.
    #[must_use]
    pub fn to_watched(&self) -> Option<Watched> {
        match self {
            Self::Account(id) => Some(Watched::Account(id.clone())),
            Self::Archive(id) => Some(Watched::Archive(id.clone())),
            Self::Record(id) => Some(Watched::Record(id.clone())),
            Self::Event(owner) => Some(Watched::Events(owner.clone())),
            Self::Deliveries | Self::Jobs(_) => None,
        }
    }
}
