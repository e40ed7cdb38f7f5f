//! What data is read from.

use link_types::data::SourceType;
use link_types::id::{AccountId, ArchiveId};
use serde::{Deserialize, Serialize};

use crate::change::ErasureScope;

/// What a task reads, and data points come from. Stored in clear; a name once written must stay readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A linked account.
    #[serde(rename = "accountId")]
    Account(AccountId),
    /// Files that a person uploaded.
    #[serde(rename = "archiveId")]
    Archive(ArchiveId),
    /// Files that a tenant uploaded on a person's behalf.
    #[serde(rename = "uploadId")]
    Upload(ArchiveId),
}

impl Source {
    /// The id.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Account(id) => id.as_str(),
            Self::Archive(id) | Self::Upload(id) => id.as_str(),
        }
    }

    /// The kind in the interface's words.
    pub const fn source_type(&self) -> SourceType {
        match self {
            Self::Account(_) => SourceType::Account,
            Self::Archive(_) => SourceType::Archive,
            Self::Upload(_) => SourceType::Upload,
        }
    }

    /// What erasing the source erases.
    pub fn scope(&self) -> ErasureScope {
        match self {
            Self::Account(id) => ErasureScope::Account(id.clone()),
            Self::Archive(id) | Self::Upload(id) => ErasureScope::Archive(id.clone()),
        }
    }
}
