//! One-time addresses. An address signs a member in once, within a limited time. Its code follows `#`, so that it reaches
//! neither a server's log nor a `Referer`, and a program that opens every link in a mail does not use it up.

use std::time::Duration;

use link_types::Sensitive;
use link_types::id::MemberId;

use crate::change::{Change, Deletion, Row};
use crate::console::member::Member;
use crate::console::session::ConsoleSession;
use crate::kernel::browser::browser_of;
use crate::kernel::clock::Wall;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::notifications::page_link::PageLink;

/// How long an address works that an owner or the operator gives to an invited person: 24 hours.
pub const INVITATION_LIFE: Duration = Duration::from_secs(24 * 3_600);
/// How long an address works that the operator creates for an owner who is locked out: 30 minutes.
pub const RECOVERY_LIFE: Duration = Duration::from_secs(30 * 60);

/// The unused one-time address of a member. Another address replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInAddress {
    /// Member whom the address signs in.
    pub member_id: MemberId,
    /// Member who created the address. `None` if the operator did.
    pub created_by: Option<MemberId>,
    /// SHA-256 of the code.
    pub code_hash: Digest32,
    /// When the address stops working.
    pub expires_at: Wall,
}

impl SignInAddress {
    /// Creates an address. Returns it, its code, and the change. An earlier address of the member stops working.
    pub fn create(
        member: MemberId,
        created_by: Option<MemberId>,
        life: Duration,
        context: &mut Context,
    ) -> (Self, Sensitive, Change) {
        let code = Sensitive::new(hex(&context.secret()));
        let address = Self {
            member_id: member,
            created_by,
            code_hash: Digest32::from_text(code.expose()),
            expires_at: context.now().wall() + life,
        };
        (address.clone(), code, Change::row(Row::SignInAddress(address)))
    }

    /// Uses the address: signs the member in, and makes the address useless. Returns the session's secret. `None` if the
    /// address has expired.
    pub fn sign_in(
        self,
        member: &Member,
        user_agent: &str,
        context: &mut Context,
    ) -> Option<(ConsoleSession, Sensitive, Change)> {
        let now = context.now().wall();
        if now >= self.expires_at {
            return None;
        }
        let (session, secret) =
            ConsoleSession::begin(member, self.created_by, browser_of(user_agent), context);
        let change = Change {
            rows: vec![Row::ConsoleSession(session.clone())],
            deletions: vec![Deletion::SignInAddress(self.member_id)],
            ..Change::default()
        };
        Some((session, secret, change))
    }
}

impl ConsoleSession {
    /// Ends the session. If its member has no other, their unused one-time address and the unused link of their mailbox stop
    /// working too. A member with a passkey, or with a mail server's next link, can still sign in: only a removal shuts them
    /// out. `of_member` are the valid sessions of the member, and `link` is the link of their mailbox.
    pub fn end(&self, of_member: &[Self], link: Option<PageLink>) -> Change {
        let mut change =
            Change { deletions: vec![Deletion::ConsoleSession(self.id.clone())], ..Change::default() };
        if of_member.iter().all(|it| it.id == self.id) {
            change.deletions.push(Deletion::SignInAddress(self.member_id.clone()));
            change = change.then(link.map(PageLink::not_sent).unwrap_or_default());
        }
        change
    }
}

/// Returns the address with this code. `console_url` is the base URL of the portal.
pub fn address(console_url: &str, code: &Sensitive) -> Sensitive {
    Sensitive::new(format!("{console_url}/console/enter#{}", code.expose()))
}

#[cfg(test)]
mod tests {
    use link_types::console::{MemberDraft, Role};

    use super::*;
    use crate::fixture;

    fn member() -> Member {
        let draft = MemberDraft { email: "a@b.example".into(), name: "Ana".into(), role: Role::Owner };
        Member::invite(fixture::owner().tenant, &draft, &[], &mut fixture::context()).unwrap().0
    }

    #[test]
    fn address_signs_in_until_it_expires() {
        let member = member();
        let giver = Some(MemberId::from_bytes([9; 16]));
        let (unused, code, _) =
            SignInAddress::create(member.id.clone(), giver.clone(), RECOVERY_LIFE, &mut fixture::context());
        assert_eq!(unused.code_hash, Digest32::from_text(code.expose()));
        let mut early = fixture::context_after(RECOVERY_LIFE - Duration::from_secs(1));
        let (session, secret, change) = unused.clone().sign_in(&member, "", &mut early).unwrap();
        assert_eq!(session.created_by, giver);
        assert_eq!(session.secret_hash, Digest32::from_text(secret.expose()));
        assert_eq!(change.deletions, [Deletion::SignInAddress(member.id.clone())], "it works once");
        assert!(unused.sign_in(&member, "", &mut fixture::context_after(RECOVERY_LIFE)).is_none());
    }

    #[test]
    fn address_and_link_end_with_the_last_session_of_their_member() {
        let (session, _) = ConsoleSession::begin(&member(), None, String::new(), &mut fixture::context());
        let other =
            ConsoleSession { id: link_types::id::ConsoleSessionId::from_bytes([7; 16]), ..session.clone() };
        let ended = Deletion::ConsoleSession(session.id.clone());
        let link = crate::console::mailed_link::tests::link();
        let one_of_two = session.end(&[session.clone(), other], Some(link.clone()));
        assert_eq!(
            (one_of_two.deletions.as_slice(), one_of_two.rows.len()),
            (std::slice::from_ref(&ended), 0)
        );
        let last = session.end(std::slice::from_ref(&session), Some(link));
        assert_eq!(last.deletions, [ended, Deletion::SignInAddress(session.member_id)]);
        let [Row::PageLink(useless)] = last.rows.as_slice() else { panic!("{last:?}") };
        assert_eq!((useless.reach, &useless.mail), (None, &None));
    }

    #[test]
    fn code_is_in_the_fragment_of_the_address() {
        let address = address("https://console.example", &Sensitive::new("c0de"));
        assert_eq!(address.expose(), "https://console.example/console/enter#c0de");
    }
}
