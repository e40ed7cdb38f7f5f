//! A session of a person's own page.

use std::time::Duration;

use link_types::{Mode, Sensitive};

use crate::change::{Change, Row};
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::notifications::page_link::{LinkPurpose, PageLink};

/// How long a session lasts: 30 minutes.
pub const SESSION_LIFE: Duration = Duration::from_secs(30 * 60);

/// A session. A session that the person left has no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSession {
    /// SHA-256 of the secret in the browser's cookie.
    pub secret_hash: Digest32,
    /// Keyed hash of the address that the person proved.
    pub address: Digest32,
    /// Environment of the link. A session of the sandbox shows only data of sandboxes.
    pub reach: Mode,
    /// When the link was opened.
    pub created_at: Wall,
}

impl PageSession {
    /// Begins a session. Returns it, and the secret for the cookie.
    pub fn begin(address: Digest32, reach: Mode, context: &mut Context) -> (Self, Sensitive) {
        let secret = Sensitive::new(hex(&context.secret()));
        let secret_hash = Digest32::from_text(secret.expose());
        (Self { secret_hash, address, reach, created_at: context.now().wall() }, secret)
    }

    /// Returns whether the session has not expired.
    pub fn lasts(&self, now: Wall) -> bool {
        now.since(self.created_at) < SESSION_LIFE
    }

    /// Returns whether the session shows the data of this environment.
    pub fn shows(&self, owner: &Owner) -> bool {
        self.reach == Mode::Production || owner.mode == Mode::Sandbox
    }
}

impl PageLink {
    /// Opens a person's own page: begins a session, and makes the link useless. Returns the session's secret. `None` if the
    /// link has another purpose, has expired, or was never mailed.
    pub fn open(self, context: &mut Context) -> Option<(Sensitive, Change)> {
        let reach = self.find_reach_for(LinkPurpose::OwnPage, context)?;
        let (session, secret) = PageSession::begin(self.address, reach, context);
        Some((secret, Change::row(Row::PageSession(session)).then(self.not_sent())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::notifications::page_link::LINK_LIFE;

    fn admit_link() -> PageLink {
        let now = fixture::context().now().wall();
        PageLink {
            purpose: LinkPurpose::OwnPage,
            address: Digest32::from_text("ana"),
            code_hash: Digest32::from_text("c0de"),
            begun_at: now,
            asked_at: now,
            reach: Some(Mode::Sandbox),
            mail: None,
        }
    }

    #[test]
    fn session_ends_after_30_minutes() {
        let (session, _) =
            PageSession::begin(Digest32::from_text("ana"), Mode::Production, &mut fixture::context());
        assert!(session.lasts(session.created_at + SESSION_LIFE - Duration::from_secs(1)));
        assert!(!session.lasts(session.created_at + SESSION_LIFE));
    }

    #[test]
    fn session_of_the_sandbox_shows_no_production_data() {
        let owner = |mode| Owner { mode, ..fixture::owner() };
        let shown = |reach| {
            let (session, _) = PageSession::begin(Digest32::from_text("ana"), reach, &mut fixture::context());
            [Mode::Sandbox, Mode::Production].map(|mode| session.shows(&owner(mode)))
        };
        assert_eq!(shown(Mode::Sandbox), [true, false]);
        assert_eq!(shown(Mode::Production), [true, true]);
    }

    #[test]
    fn link_opens_one_session_within_30_minutes() {
        let last = LINK_LIFE - Duration::from_secs(1);
        let (secret, change) = admit_link().open(&mut fixture::context_after(last)).unwrap();
        let [Row::PageSession(session), Row::PageLink(used)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert_eq!(session.secret_hash, Digest32::from_text(secret.expose()));
        assert_eq!((session.address, session.reach), (admit_link().address, Mode::Sandbox));
        assert!(used.clone().open(&mut fixture::context_after(last)).is_none(), "it works once");
        assert!(admit_link().open(&mut fixture::context_after(LINK_LIFE)).is_none());
    }

    #[test]
    fn link_that_was_not_mailed_opens_nothing() {
        let unsent = PageLink { reach: None, ..admit_link() };
        assert!(unsent.open(&mut fixture::context()).is_none());
    }

    #[test]
    fn link_that_signs_a_member_in_opens_no_own_page() {
        let other = PageLink { purpose: LinkPurpose::SignIn, ..admit_link() };
        assert!(other.open(&mut fixture::context()).is_none());
    }
}
