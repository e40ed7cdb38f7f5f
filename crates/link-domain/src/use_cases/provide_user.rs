//! A tenant creates a user, or retrieves the user with the same reference, and gets a link token.

use std::collections::BTreeMap;
use std::time::Duration;

use link_types::link::Token;

use crate::change::{Change, Row};
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::linking::link::LinkToken;
use crate::tenancy::user::User;

/// User that a tenant asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewUser {
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// The tenant's own identifier of the person.
    pub reference: Option<String>,
    /// Metadata to store with the user. `None` leaves that of a known user unchanged.
    pub external_metadata: Option<BTreeMap<String, String>>,
}

/// A user with a new link token.
pub struct ProvidedUser {
    /// The user.
    pub user: User,
    /// Whether the user was created now.
    pub is_new: bool,
    /// The token as the tenant receives it.
    pub token: Token,
    /// When the token expires, on the tenant's clock.
    pub token_expires_at: TenantTime,
    /// Everything that must be written.
    pub change: Change,
}

/// Issues a link token for the user that has the reference (`known`), or creates the user first. Metadata that the
/// request contains replaces that of a known user.
pub fn provide_user(
    known: Option<User>,
    new: NewUser,
    life: Duration,
    context: &mut Context,
) -> ProvidedUser {
    let is_new = known.is_none();
    let (user, written) = match (known, new.external_metadata) {
        (Some(user), Some(metadata)) => user.with_metadata(metadata),
        (Some(user), None) => (user, Change::default()),
        (None, metadata) => User::create(new.owner, new.reference, metadata.unwrap_or_default(), context),
    };
    let (issued, token) = LinkToken::issue(user.owner.clone(), user.id.clone(), life, context);
    let token_expires_at = issued.expires_at;
    let change = written.then(Change::row(Row::LinkToken(issued)));
    ProvidedUser { user, is_new, token, token_expires_at, change }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    fn metadata(branch: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("branch".to_owned(), branch.to_owned())])
    }

    fn provide(known: Option<User>, branch: Option<&str>) -> ProvidedUser {
        let (reference, external_metadata) = (Some("ana".to_owned()), branch.map(metadata));
        let new = NewUser { owner: fixture::owner(), reference, external_metadata };
        provide_user(known, new, Duration::from_secs(60), &mut fixture::context())
    }

    #[test]
    fn new_user_is_created_with_a_token() {
        let ProvidedUser { user, is_new, token, change, .. } = provide(None, Some("north"));
        let [Row::User(created), Row::LinkToken(issued)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert!(is_new);
        assert_eq!((created, user.reference.as_deref()), (&user, Some("ana")));
        assert_eq!(user.external_metadata, metadata("north"));
        assert_eq!((&issued.user_id, issued.hash), (&user.id, LinkToken::hash(&token.access_token)));
    }

    #[rstest]
    #[case::without_metadata(None)]
    #[case::with_the_same_metadata(Some("north"))]
    fn known_user_only_gets_a_token(#[case] branch: Option<&str>) {
        let known = provide(None, Some("north")).user;
        let ProvidedUser { user, is_new, change, .. } = provide(Some(known.clone()), branch);
        assert_eq!((user, is_new), (known, false));
        assert!(matches!(change.rows.as_slice(), [Row::LinkToken(_)]));
        assert!(change.events.is_empty());
    }

    #[test]
    fn other_metadata_replaces_that_of_a_known_user() {
        let known = provide(None, Some("north")).user;
        let ProvidedUser { user, is_new, change, .. } = provide(Some(known.clone()), Some("south"));
        assert_eq!(user, User { external_metadata: metadata("south"), ..known });
        assert!(!is_new);
        assert!(
            matches!(change.rows.as_slice(), [Row::User(written), Row::LinkToken(_)] if *written == user)
        );
    }
}
