//! Erasure scopes: the objects whose data is encrypted with a separate key.

use link_types::id::{AccountId, ArchiveId, FormId, InvalidIdError, InviteId, RecordId};
use link_types::signal::SignalId;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An object whose data is encrypted with its own key. Erasing it deletes the wrapped key, the data points and the
/// encrypted bodies, and reduces its stored events to their unencrypted part. An account's row remains as a tombstone,
/// whose state is in `Change::rows`. The row of a record or signal is deleted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErasureScope {
    /// An account.
    Account(AccountId),
    /// An archive. Its files and segments are deleted too, and a job removes their objects.
    Archive(ArchiveId),
    /// A record.
    Record(RecordId),
    /// A signal.
    Signal(SignalId),
    /// A form submission.
    Form(FormId),
    /// An invitation.
    Invite(InviteId),
}

impl std::str::FromStr for ErasureScope {
    type Err = InvalidIdError;

    fn from_str(text: &str) -> Result<Self, InvalidIdError> {
        if text.starts_with(ArchiveId::PREFIX) {
            return text.parse().map(Self::Archive);
        }
        if text.starts_with(RecordId::PREFIX) {
            return text.parse().map(Self::Record);
        }
        if text.starts_with(FormId::PREFIX) {
            return text.parse().map(Self::Form);
        }
        if text.starts_with(InviteId::PREFIX) {
            return text.parse().map(Self::Invite);
        }
        if let Ok(signal) = text.parse() {
            return Ok(Self::Signal(signal));
        }
        text.parse().map(Self::Account)
    }
}

impl ErasureScope {
    /// Returns the name of the scope: the identifier of the object.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Account(id) => id.as_str(),
            Self::Archive(id) => id.as_str(),
            Self::Record(id) => id.as_str(),
            Self::Signal(id) => id.as_str(),
            Self::Form(id) => id.as_str(),
            Self::Invite(id) => id.as_str(),
        }
    }
}

impl Serialize for ErasureScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErasureScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
