//! Sources of data.

use link_types::AccessEnd;
use link_types::data::SourceType;
use link_types::id::{AccountId, ArchiveId};
use serde::{Deserialize, Serialize};

use crate::kernel::scope::ErasureScope;

/// Source that a task reads and data points come from. It is stored unencrypted. Every name that was ever stored must
/// remain readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A linked account.
    #[serde(rename = "accountId")]
    Account(AccountId),
    /// Files uploaded by a person.
    #[serde(rename = "archiveId")]
    Archive(ArchiveId),
    /// Files uploaded by a tenant on behalf of a person.
    #[serde(rename = "uploadId")]
    Upload(ArchiveId),
}

impl Source {
    /// Returns the id of the source.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Account(id) => id.as_str(),
            Self::Archive(id) | Self::Upload(id) => id.as_str(),
        }
    }

    /// Returns the kind of source, as the interface defines it.
    pub const fn source_type(&self) -> SourceType {
        match self {
            Self::Account(_) => SourceType::Account,
            Self::Archive(_) => SourceType::Archive,
            Self::Upload(_) => SourceType::Upload,
        }
    }

    /// Returns the source's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        match self {
            Self::Account(id) => ErasureScope::Account(id.clone()),
            Self::Archive(id) | Self::Upload(id) => ErasureScope::Archive(id.clone()),
        }
    }
}

/// The party that revokes access to the data of an account or an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevokedBy {
    /// The person, in the widget.
    User,
    /// The tenant, with a request.
    Tenant,
}

impl RevokedBy {
    /// Returns the reason as events report it.
    pub const fn access_end(self) -> AccessEnd {
        match self {
            Self::User => AccessEnd::User,
            Self::Tenant => AccessEnd::Tenant,
        }
    }
}
