//! The data that a user leaves behind.

use crate::documents::archive::Archive;
use crate::invitations::invite::Invite;
use crate::kernel::scope::ErasureScope;
use crate::linking::account::Account;

/// Maximum number of objects that one unit of work erases.
pub const MAX_ERASED_AT_ONCE: usize = 20;

/// Returns the number of resources that one unit of an erasure takes. It halves with each failed attempt, so that objects with
/// very many rows are also erased within the time of a unit.
pub const fn erased_at_once(attempts: u32) -> usize {
    let halved = MAX_ERASED_AT_ONCE >> if attempts < 5 { attempts } else { 5 };
    if halved == 0 { 1 } else { halved }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_erasures_take_fewer_resources() {
        assert_eq!([0, 1, 2, 3, 4, 5, 99].map(erased_at_once), [20, 10, 5, 2, 1, 1, 1]);
    }
}
