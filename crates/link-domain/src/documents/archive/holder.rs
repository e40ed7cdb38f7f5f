//! The object that has files, and whose key encrypts them.

use link_types::id::{ArchiveId, FormId, InvalidIdError};
use serde::{Deserialize, Serialize};

use crate::kernel::scope::ErasureScope;

/// An object that has files.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileHolder {
    /// An archive.
    Archive(ArchiveId),
    /// The answers to a form.
    Form(FormId),
}

impl FileHolder {
    /// Returns the identifier of the object.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Archive(id) => id.as_str(),
            Self::Form(id) => id.as_str(),
        }
    }

    /// Returns the erasure scope whose key encrypts the files.
    pub fn scope(&self) -> ErasureScope {
        match self {
            Self::Archive(id) => ErasureScope::Archive(id.clone()),
            Self::Form(id) => ErasureScope::Form(id.clone()),
        }
    }

    /// Returns the prefix of all object names of the holder, without the trailing slash.
    pub fn folder(&self) -> String {
        match self {
            Self::Archive(id) => format!("archives/{id}"),
            Self::Form(id) => format!("forms/{id}"),
        }
    }
}

impl std::fmt::Display for FileHolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for FileHolder {
    type Err = InvalidIdError;

    fn from_str(text: &str) -> Result<Self, InvalidIdError> {
        if text.starts_with(FormId::PREFIX) {
            return text.parse().map(Self::Form);
        }
        text.parse().map(Self::Archive)
    }
}

impl From<&ArchiveId> for FileHolder {
    fn from(id: &ArchiveId) -> Self {
        Self::Archive(id.clone())
    }
}

impl From<&FormId> for FileHolder {
    fn from(id: &FormId) -> Self {
        Self::Form(id.clone())
    }
}

impl From<&Self> for FileHolder {
    fn from(holder: &Self) -> Self {
        holder.clone()
    }
}
