//! A session of a person's own page.

use std::time::Duration;

use link_types::{Mode, Sensitive};

use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;

mod transition;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

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
}
