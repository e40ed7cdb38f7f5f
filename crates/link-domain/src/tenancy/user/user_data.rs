//! The data that a user leaves behind.

use crate::documents::archive::Archive;
use crate::invitations::invite::Invite;
use crate::kernel::scope::ErasureScope;
use crate::linking::account::Account;

/// Maximum number of objects that one unit of work erases.
pub const ERASED_AT_ONCE: usize = 20;

/// A user's data, or as much of it as one unit of work erases.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserData {
    /// Accounts, including tombstones.
    pub accounts: Vec<Account>,
    /// Archives, including tombstones and unsubmitted ones.
    pub archives: Vec<Archive>,
    /// Invitations, including revoked ones.
    pub invites: Vec<Invite>,
    /// Objects that cannot be decrypted any more, or of which only the id is needed.
    pub unopened: Vec<ErasureScope>,
    /// Whether the user has more data.
    pub more: bool,
}
