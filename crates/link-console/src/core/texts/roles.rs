//! The rights of each role, in words.

use link_types::console::Role;

use super::Text;

impl Text {
    /// Returns what a role allows in the portal as it is.
    pub const fn for_role(role: Role) -> Self {
        match role {
            Role::Owner => Self::OwnerMeans,
            Role::Developer => Self::DeveloperMeans,
            Role::Support => Self::SupportMeans,
            Role::Viewer => Self::ReaderMeans,
        }
    }
}
