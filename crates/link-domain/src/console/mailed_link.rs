//! The sign-in with a mailed link, for a member who has no passkey at hand.
//!
//! The mail has a link for each tenant whose member has the address. All of them have one code, so one sign-in uses up the
//! mail. The session is not confirmed: a person who reads a mailbox does not get the secrets of production.

use link_types::Sensitive;
use link_types::id::MemberId;

use crate::change::{Change, Row};
use crate::console::member::Member;
use crate::console::session::ConsoleSession;
use crate::console::sign_in::address;
use crate::kernel::browser::browser_of;
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
use crate::notifications::page_link::{LinkPurpose, PageLink};

/// Maximum number of tenants that one mail names. Further ones are not offered.
pub const MAX_MEMBERSHIPS: usize = 20;

/// A member whom a mail offers to sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The member.
    pub member: Member,
    /// Name of their tenant.
    pub tenant_name: String,
}

/// The code of a mailed link, as the portal sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedCode {
    /// SHA-256 of the code.
    pub code_hash: Digest32,
    /// The member whom the link signs in.
    pub member_id: MemberId,
}

impl MailedCode {
    /// Reads the code of a mailed link. `None` if it is another text, for example the code of a one-time address.
    pub fn read(code: &Sensitive) -> Option<Self> {
        let (code, member) = code.expose().split_once('.')?;
        Some(Self { code_hash: Digest32::from_text(code), member_id: member.parse().ok()? })
    }
}

/// Returns the link that signs in this member. `console_url` is the base URL of the portal.
pub fn sign_in_link_address(console_url: &str, code: &Sensitive, member: &MemberId) -> Sensitive {
    address(console_url, &Sensitive::new(format!("{}.{member}", code.expose())))
}

impl PageLink {
    /// Signs a member in, and makes the link useless. Returns the session, which is not confirmed, and its secret.
    /// `of_mailbox` are the members with the link's address. `None` if the member is not one of them, or if the link has
    /// another purpose, has expired, or was never mailed.
    pub fn sign_in(
        self,
        member: &MemberId,
        of_mailbox: &[Member],
        user_agent: &str,
        context: &mut Context,
    ) -> Option<(ConsoleSession, Sensitive, Change)> {
        self.find_reach_for(LinkPurpose::SignIn, context)?;
        let member = of_mailbox.iter().find(|it| it.id == *member)?;
        let (begun, secret) = ConsoleSession::begin(member, None, browser_of(user_agent), context);
        let session = ConsoleSession { confirmed_at: None, ..begun };
        let change = Change::row(Row::ConsoleSession(session.clone())).then(self.not_sent());
        Some((session, secret, change))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use link_types::Mode;
    use link_types::console::{MemberDraft, Role};

    use super::*;
    use crate::fixture;
    use crate::notifications::page_link::SIGN_IN_LINK_LIFE;

    fn member() -> Member {
        let draft = MemberDraft { email: "a@b.example".into(), name: "Ana".into(), role: Role::Owner };
        Member::invite(fixture::owner().tenant, &draft, &[], &mut fixture::context()).unwrap().0
    }

    /// A link that was mailed.
    pub(in crate::console) fn link() -> PageLink {
        PageLink {
            purpose: LinkPurpose::SignIn,
            address: Digest32::from_text("ana"),
            code_hash: Digest32::from_text("c0de"),
            begun_at: fixture::context().now().wall(),
            asked_at: fixture::context().now().wall(),
            reach: Some(Mode::Production),
            mail: None,
        }
    }

    fn sign_in(link: PageLink, after: Duration) -> Option<(ConsoleSession, Sensitive, Change)> {
        link.sign_in(&member().id, &[member()], "", &mut fixture::context_after(after))
    }

    #[test]
    fn link_signs_a_member_in_once_within_10_minutes() {
        let last = SIGN_IN_LINK_LIFE - Duration::from_secs(1);
        let (session, secret, change) = sign_in(link(), last).unwrap();
        assert_eq!(session.secret_hash, Digest32::from_text(secret.expose()));
        assert_eq!((&session.member_id, &session.created_by), (&member().id, &None));
        let [Row::ConsoleSession(_), Row::PageLink(used)] = change.rows.as_slice() else {
            panic!("{change:?}")
        };
        assert!(sign_in(used.clone(), last).is_none(), "it works once");
        assert!(sign_in(link(), SIGN_IN_LINK_LIFE).is_none(), "it has expired");
    }

    #[test]
    fn session_of_a_mailed_link_is_not_confirmed() {
        let (session, ..) = sign_in(link(), Duration::ZERO).unwrap();
        assert!(!session.is_confirmed(session.created_at));
    }

    #[test]
    fn link_of_another_purpose_or_without_a_mail_signs_no_one_in() {
        for wrong in
            [PageLink { purpose: LinkPurpose::OwnPage, ..link() }, PageLink { reach: None, ..link() }]
        {
            assert!(sign_in(wrong.clone(), Duration::ZERO).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn link_signs_in_only_members_of_its_mailbox() {
        let other = MemberId::from_bytes([9; 16]);
        assert!(link().sign_in(&other, &[member()], "", &mut fixture::context()).is_none());
    }

    #[test]
    fn code_of_a_link_names_its_member() {
        let id = member().id;
        let address = sign_in_link_address("https://console.example", &Sensitive::new("c0de"), &id);
        let code = address.expose().strip_prefix("https://console.example/console/enter#").unwrap();
        let read = MailedCode::read(&Sensitive::new(code)).unwrap();
        assert_eq!(read, MailedCode { code_hash: Digest32::from_text("c0de"), member_id: id });
        for other in ["c0de", "c0de.", "c0de.x"] {
            assert_eq!(MailedCode::read(&Sensitive::new(other)), None, "{other}");
        }
    }
}
