//! A tenant invites a person.

use std::collections::BTreeMap;

use crate::change::Change;
use crate::invitations::invite::{Invite, NewInvite};
use crate::kernel::context::Context;
use crate::tenancy::user::User;

/// Invites a person as an existing user, or as a new one. Returns the invitation, and everything that must be written.
pub fn invite_person(known: Option<User>, new: NewInvite, context: &mut Context) -> (Invite, Change) {
    let (user, created) = match known {
        Some(user) => (user, Change::default()),
        None => User::create(new.owner.clone(), None, BTreeMap::new(), context),
    };
    let (invite, invited) = Invite::create(user.id, new, context);
    (invite, created.then(invited))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Row;
    use crate::fixture;

    #[test]
    fn person_without_a_user_becomes_a_new_user() {
        let (invite, change) = invite_person(None, fixture::new_invite(), &mut fixture::context());
        let [Row::User(user), Row::Invite(written)] = change.rows.as_slice() else { panic!("{change:?}") };
        assert_eq!((&user.id, &**written), (&invite.user_id, &invite));
    }

    #[test]
    fn existing_user_is_invited_and_unchanged() {
        let mut context = fixture::context();
        let (user, _) = User::create(fixture::owner(), None, BTreeMap::new(), &mut context);
        let (invite, change) = invite_person(Some(user.clone()), fixture::new_invite(), &mut context);
        assert_eq!(invite.user_id, user.id);
        assert_eq!(change.rows, [Row::Invite(Box::new(invite))]);
    }
}
