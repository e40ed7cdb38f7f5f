//! A member's session in the developer portal.

use std::time::Duration;

use link_types::Sensitive;
use link_types::console;
use link_types::id::{ConsoleSessionId, MemberId, TenantId};

use crate::console::member::Member;
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};

/// How long a session lasts without use: 12 hours.
pub const IDLE_LIFE: Duration = Duration::from_secs(12 * 3_600);
/// How long a session lasts at most: 7 days.
pub const ABSOLUTE_LIFE: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How long an act that needs a confirmation may follow the last sign-in or the last use of a passkey: 10 minutes.
pub const CONFIRMATION_LIFE: Duration = Duration::from_secs(10 * 60);
/// How exactly the last use is stored, so that most requests do not write.
const USE_PRECISION: Duration = Duration::from_secs(60);

/// A session. A session that was ended has no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleSession {
    /// Identifier of the session, which is not secret.
    pub id: ConsoleSessionId,
    /// SHA-256 of the secret in the member's cookie.
    pub secret_hash: Digest32,
    /// Tenant of the member.
    pub tenant: TenantId,
    /// Member whose session it is.
    pub member_id: MemberId,
    /// Member who created the one-time address with which the session began. For a mailed link, the one on whom the passkey
    /// depends that confirmed the session. `None` if the operator did, or no passkey confirmed it.
    pub created_by: Option<MemberId>,
    /// Browser and system, for example `Firefox on Linux`.
    pub browser: String,
    /// When the member signed in.
    pub created_at: Wall,
    /// When the session was last used, accurate to a minute.
    pub last_used_at: Wall,
    /// When the member last proved who they are: signed in, or used a passkey. `None` if they only showed that they read
    /// their mail.
    pub confirmed_at: Option<Wall>,
    /// Whether the session began with the provider of the tenant. It ends if the provider is removed.
    pub is_by_provider: bool,
}

impl ConsoleSession {
    /// Begins a session. Returns it, and the secret for the cookie: 32 random bytes in hex.
    pub fn begin(
        member: &Member,
        created_by: Option<MemberId>,
        browser: String,
        context: &mut Context,
    ) -> (Self, Sensitive) {
        let secret = Sensitive::new(hex(&context.secret()));
        let now = context.now().wall();
        let session = Self {
            id: ConsoleSessionId::from_bytes(context.uuid()),
            secret_hash: Digest32::from_text(secret.expose()),
            tenant: member.tenant.clone(),
            member_id: member.id.clone(),
            created_by,
            browser,
            created_at: now,
            last_used_at: now,
            confirmed_at: Some(now),
            is_by_provider: false,
        };
        (session, secret)
    }

    /// Returns whether the session is still valid.
    pub fn lasts(&self, now: Wall) -> bool {
        now < self.ends_at() && now.since(self.last_used_at) < IDLE_LIFE
    }

    /// Returns when the session ends at the latest.
    pub fn ends_at(&self) -> Wall {
        self.created_at + ABSOLUTE_LIFE
    }

    /// Returns the session with its last use at `now`, or `None` if the stored time is accurate enough.
    pub fn touch(&self, now: Wall) -> Option<Self> {
        (now.since(self.last_used_at) >= USE_PRECISION).then(|| Self { last_used_at: now, ..self.clone() })
    }

    /// Returns whether the member proved who they are recently enough for an act that needs a confirmation.
    pub fn is_confirmed(&self, now: Wall) -> bool {
        self.confirmed_at.is_some_and(|at| now.since(at) < CONFIRMATION_LIFE)
    }

    /// Returns whether the member proved in this session who they are: with a passkey or a one-time address, or at the provider
    /// that their tenant chose. After a mailed link, they did not: see
    /// [`needs_proof`](crate::console::permission::needs_proof).
    pub const fn is_proven(&self) -> bool {
        self.confirmed_at.is_some() || self.is_by_provider
    }

    /// Returns whether this session may end another one of its tenant. The member's role must allow it too.
    pub fn may_end(&self, other: &Self) -> bool {
        self.member_id == other.member_id || self.is_proven()
    }

    /// Returns the session as the portal shows it. `current` is the session that sent the request.
    pub fn view(&self, current: &ConsoleSessionId) -> console::ConsoleSession {
        let time = |at: Wall| TenantTime::from_micros(at.micros()).into();
        console::ConsoleSession {
            id: self.id.clone(),
            member_id: self.member_id.clone(),
            browser: self.browser.clone(),
            created_at: time(self.created_at),
            last_used_at: time(self.last_used_at),
            is_current: self.id == *current,
            is_confirmed: self.is_proven(),
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::console::{MemberDraft, Role};

    use super::*;
    use crate::fixture;

    fn session() -> ConsoleSession {
        let draft = MemberDraft { email: "a@b.example".into(), name: "Ana".into(), role: Role::Owner };
        let (member, _) =
            Member::invite(fixture::owner().tenant, &draft, &[], &mut fixture::context()).unwrap();
        ConsoleSession::begin(&member, None, "Firefox on Linux".into(), &mut fixture::context()).0
    }

    #[test]
    fn session_ends_when_idle() {
        let session = session();
        let second = Duration::from_secs(1);
        assert!(session.lasts(session.created_at + IDLE_LIFE - second));
        assert!(!session.lasts(session.created_at + IDLE_LIFE));
        let used = session.touch(session.created_at + IDLE_LIFE - second).unwrap();
        assert!(used.lasts(session.created_at + IDLE_LIFE));
    }

    #[test]
    fn session_in_use_ends_after_seven_days() {
        let session = session();
        let last = session.created_at + ABSOLUTE_LIFE - Duration::from_secs(1);
        let used = session.touch(last).unwrap();
        assert!(used.lasts(last) && !used.lasts(session.created_at + ABSOLUTE_LIFE));
    }

    #[test]
    fn confirmation_lasts_ten_minutes() {
        let session = session();
        let late = session.created_at + CONFIRMATION_LIFE;
        assert!(session.is_confirmed(late - Duration::from_secs(1)) && !session.is_confirmed(late));
    }

    #[test]
    fn last_use_is_stored_once_a_minute() {
        let session = session();
        assert_eq!(session.touch(session.created_at + Duration::from_secs(59)), None);
        assert!(session.touch(session.created_at + Duration::from_secs(60)).is_some());
    }
}
