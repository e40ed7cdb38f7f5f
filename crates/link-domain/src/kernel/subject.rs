//! The objects that events are about.

use link_types::id::{AccountId, ArchiveId, HostedLinkId, InviteId, RecordId, UserId, WebhookId};
use link_types::signal::SignalId;

use crate::kernel::scope::ErasureScope;

/// Object that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A user.
    User(UserId),
    /// An account.
    Account(AccountId),
    /// An archive.
    Archive(ArchiveId),
    /// A record.
    Record(RecordId),
    /// A signal.
    Signal(SignalId),
    /// An invitation.
    Invite(InviteId),
    /// A hosted link.
    HostedLink(HostedLinkId),
    /// A webhook of the tenant.
    Webhook(WebhookId),
}

impl Subject {
    /// Returns the subject's id.
    pub fn as_str(&self) -> &str {
        match self {
            Self::User(id) => id.as_str(),
            Self::Account(id) => id.as_str(),
            Self::Archive(id) => id.as_str(),
            Self::Record(id) => id.as_str(),
            Self::Signal(id) => id.as_str(),
            Self::Invite(id) => id.as_str(),
            Self::HostedLink(id) => id.as_str(),
            Self::Webhook(id) => id.as_str(),
        }
    }

    /// Returns the erasure scope of the events' personal fields.
    pub fn scope(&self) -> Option<ErasureScope> {
        match self {
            Self::User(_) | Self::HostedLink(_) | Self::Webhook(_) => None,
            Self::Account(id) => Some(ErasureScope::Account(id.clone())),
            Self::Archive(id) => Some(ErasureScope::Archive(id.clone())),
            Self::Record(id) => Some(ErasureScope::Record(id.clone())),
            Self::Signal(id) => Some(ErasureScope::Signal(id.clone())),
            Self::Invite(id) => Some(ErasureScope::Invite(id.clone())),
        }
    }
}
