//! News of commits, so that workers and long polls need not ask again and again.

use link_domain::job::JobLane;
use link_types::id::{AccountId, ArchiveId, RecordId};

/// A thing whose next version somebody waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Watched {
    /// An account.
    Account(AccountId),
    /// An archive.
    Archive(ArchiveId),
    /// A record.
    Record(RecordId),
}

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

impl Signal {
    /// The thing that has a new version, if it is one that can be waited for.
    #[must_use]
    pub fn watched(&self) -> Option<Watched> {
        match self {
            Self::Account(id) => Some(Watched::Account(id.clone())),
            Self::Archive(id) => Some(Watched::Archive(id.clone())),
            Self::Record(id) => Some(Watched::Record(id.clone())),
            Self::Deliveries | Self::Jobs(_) => None,
        }
    }
}
