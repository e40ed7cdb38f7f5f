//! Who revokes an account or an archive.

use link_types::AccessEnd;

/// Who revokes access to the data of an account or an archive.
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
