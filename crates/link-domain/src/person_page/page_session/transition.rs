//! A session begins with a mailed link.

use link_types::Sensitive;

use super::PageSession;
use crate::change::{Change, Row};
use crate::kernel::context::Context;
use crate::notifications::page_link::{LinkPurpose, PageLink};

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
    use std::time::Duration;

    use link_types::Mode;

    use super::*;
    use crate::fixture;
    use crate::kernel::digest::Digest32;
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
