//! Passkeys of members: they sign a member in, and confirm acts. The WebAuthn standard is the library's work; here are the
//! rules around it.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_types::console;
use link_types::id::{MemberId, PasskeyId, TenantId};
use sha2::Sha256;

use crate::change::{Change, Deletion, Row};
use crate::console::member::Member;
use crate::console::session::ConsoleSession;
use crate::kernel::browser::browser_of;
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;

/// Maximum number of passkeys of a member.
pub const MAX_PASSKEYS: usize = 10;
/// How long a challenge can be signed: 5 minutes.
pub const CHALLENGE_LIFE: Duration = Duration::from_secs(5 * 60);

/// A passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Identifier of the passkey, which is not secret.
    pub id: PasskeyId,
    /// Tenant of the member.
    pub tenant: TenantId,
    /// Member whom the passkey signs in.
    pub member_id: MemberId,
    /// Member who created the one-time address of the session in which the passkey was created. `None` if the operator did.
    pub created_by: Option<MemberId>,
    /// SHA-256 of the credential's identifier, by which the store finds the passkey.
    pub credential_hash: Digest32,
    /// Public key and counter, as the library serializes them.
    pub credential: Vec<u8>,
    /// Browser and system that created it, for example `Firefox on Linux`.
    pub browser: String,
    /// When it was created.
    pub created_at: Wall,
    /// When it was last used.
    pub last_used_at: Option<Wall>,
}

/// A credential that the library verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// SHA-256 of the credential's identifier.
    pub hash: Digest32,
    /// Public key and counter, as the library serializes them.
    pub bytes: Vec<u8>,
}

/// Reason why a passkey cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// The passkey was added before.
    #[error("this passkey exists")]
    Exists,
    /// The member has the maximum number of passkeys.
    #[error("the limit of {MAX_PASSKEYS} passkeys is reached")]
    Limit,
}

impl Passkey {
    /// Adds a passkey of the session's member. `existing` are the member's passkeys.
    ///
    /// # Errors
    ///
    /// [`PasskeyError`] if the member has this passkey, or too many.
    pub fn add(
        session: &ConsoleSession,
        credential: Credential,
        user_agent: &str,
        existing: &[Self],
        context: &mut Context,
    ) -> Result<(Self, Change), PasskeyError> {
        if existing.iter().any(|it| it.credential_hash == credential.hash) {
            return Err(PasskeyError::Exists);
        }
        if existing.len() >= MAX_PASSKEYS {
            return Err(PasskeyError::Limit);
        }
        let passkey = Self {
            id: PasskeyId::from_bytes(context.uuid()),
            tenant: session.tenant.clone(),
            member_id: session.member_id.clone(),
            created_by: session.created_by.clone(),
            credential_hash: credential.hash,
            credential: credential.bytes,
            browser: browser_of(user_agent),
            created_at: context.now().wall(),
            last_used_at: None,
        };
        Ok((passkey.clone(), Change::row(Row::Passkey(passkey))))
    }

    /// Signs the member in. `credential` is the credential after its use. Returns the session and its secret.
    pub fn sign_in(
        self,
        member: &Member,
        credential: Vec<u8>,
        user_agent: &str,
        context: &mut Context,
    ) -> (ConsoleSession, link_types::Sensitive, Change) {
        let (session, secret) =
            ConsoleSession::begin(member, self.created_by.clone(), browser_of(user_agent), context);
        let used = self.note_use(credential, context.now().wall());
        let change = Change {
            rows: vec![Row::Passkey(used), Row::ConsoleSession(session.clone())],
            ..Change::default()
        };
        (session, secret, change)
    }

    /// Confirms that the member of a session is there, so that they may do what needs a confirmation. The session then ends
    /// with the passkey's access, if it depends on no other: a mailed link begins one that depends on none. `None` if the
    /// passkey is another member's.
    pub fn confirm(
        self,
        session: ConsoleSession,
        credential: Vec<u8>,
        now: Wall,
    ) -> Option<(ConsoleSession, Change)> {
        if self.member_id != session.member_id {
            return None;
        }
        let created_by = session.created_by.clone().or_else(|| self.created_by.clone());
        let session = ConsoleSession { created_by, confirmed_at: Some(now), last_used_at: now, ..session };
        Some((session, Change::row(Row::Passkey(self.note_use(credential, now)))))
    }

    fn note_use(self, credential: Vec<u8>, now: Wall) -> Self {
        Self { credential, last_used_at: Some(now), ..self }
    }

    /// Removes the passkey.
    pub fn remove(self) -> Change {
        Change { deletions: vec![Deletion::Passkey(self.id)], ..Change::default() }
    }

    /// Returns the passkey as the portal shows it.
    pub fn view(&self) -> console::Passkey {
        let time = |at: Wall| TenantTime::from_micros(at.micros()).into();
        console::Passkey {
            id: self.id.clone(),
            browser: self.browser.clone(),
            created_at: time(self.created_at),
            last_used_at: self.last_used_at.map(time),
        }
    }
}

/// Purpose of a challenge. A response to a challenge of another purpose is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Add a passkey of this member.
    Add(MemberId),
    /// Sign in, or confirm an act.
    Use,
}

impl Purpose {
    fn text(&self) -> &str {
        match self {
            Self::Add(member) => member.as_str(),
            Self::Use => "use",
        }
    }
}

/// A challenge that the service signed and the response repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedChallenge {
    /// State of the library.
    pub state: Vec<u8>,
    /// Digest by which the store knows that the challenge was used.
    pub hash: Digest32,
    /// When the challenge ends.
    pub expires_at: Wall,
}

/// Signs the library's state for a challenge, so that the service need not store it before a member has responded: anyone
/// may ask for a challenge.
pub fn sign_challenge(key: &[u8; 32], purpose: &Purpose, state: &[u8], now: Wall) -> String {
    let expires = (now + CHALLENGE_LIFE).micros();
    let signed = [&expires.to_be_bytes(), state].concat();
    let mac = mac(key, purpose, &signed).finalize().into_bytes();
    URL_SAFE_NO_PAD.encode([mac.as_slice(), &signed].concat())
}

/// Opens a challenge. `None` if the service did not sign it for this purpose, or it has expired.
pub fn open_challenge(key: &[u8; 32], purpose: &Purpose, text: &str, now: Wall) -> Option<OpenedChallenge> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (tag, signed) = bytes.split_at_checked(32)?;
    mac(key, purpose, signed).verify_slice(tag).ok()?;
    let (expires, state) = signed.split_first_chunk()?;
    let expires_at = Wall::from_micros(i64::from_be_bytes(*expires));
    let opened = OpenedChallenge { state: state.to_owned(), hash: Digest32::from_text(text), expires_at };
    (now < expires_at).then_some(opened)
}

fn mac(key: &[u8; 32], purpose: &Purpose, signed: &[u8]) -> Hmac<Sha256> {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length");
    };
    for part in ["passkey challenge", purpose.text()] {
        mac.update(part.as_bytes());
        mac.update(&[0]);
    }
    mac.update(signed);
    mac
}

#[cfg(test)]
mod tests {
    use link_types::console::{MemberDraft, Role};

    use super::*;
    use crate::fixture;

    const KEY: [u8; 32] = [7; 32];

    fn session() -> ConsoleSession {
        let draft = MemberDraft { email: "a@b.example".into(), name: "Ana".into(), role: Role::Owner };
        let (member, _) =
            Member::invite(fixture::owner().tenant, &draft, &[], &mut fixture::context()).unwrap();
        ConsoleSession::begin(
            &member,
            Some(MemberId::from_bytes([9; 16])),
            String::new(),
            &mut fixture::context(),
        )
        .0
    }

    fn credential(number: u8) -> Credential {
        Credential { hash: Digest32::from_bytes([number; 32]), bytes: vec![number] }
    }

    fn make_passkey(session: &ConsoleSession, number: u8) -> Passkey {
        Passkey::add(session, credential(number), "", &[], &mut fixture::context()).unwrap().0
    }

    #[test]
    fn passkey_is_added_once_and_their_number_is_limited() {
        let session = session();
        let add = |existing: &[Passkey], number| {
            Passkey::add(&session, credential(number), "", existing, &mut fixture::context()).map(|it| it.0)
        };
        let first = add(&[], 1).unwrap();
        assert_eq!(first.created_by, session.created_by, "it ends with the access that was given");
        assert_eq!(add(std::slice::from_ref(&first), 1), Err(PasskeyError::Exists));
        assert_eq!(add(&vec![first; MAX_PASSKEYS], 2), Err(PasskeyError::Limit));
    }

    #[test]
    fn passkey_confirms_only_sessions_of_its_member() {
        let session = session();
        let later = session.created_at + Duration::from_secs(3_600);
        let (confirmed, change) = make_passkey(&session, 1).confirm(session.clone(), vec![2], later).unwrap();
        assert!(!session.is_confirmed(later) && confirmed.is_confirmed(later));
        let Row::Passkey(used) = &change.rows[0] else { panic!("{change:?}") };
        assert_eq!((&used.credential, used.last_used_at), (&vec![2], Some(later)), "its counter is kept");
        let other = ConsoleSession { member_id: MemberId::from_bytes([8; 16]), ..session.clone() };
        assert_eq!(make_passkey(&session, 1).confirm(other, vec![2], later), None);
    }

    #[test]
    fn session_of_a_mailed_link_depends_on_the_giver_of_its_passkey() {
        let (given, giver) = (session(), session().created_by);
        let now = given.created_at;
        let mailed = ConsoleSession { created_by: None, confirmed_at: None, ..given.clone() };
        let (confirmed, _) = make_passkey(&given, 1).confirm(mailed.clone(), vec![2], now).unwrap();
        assert_eq!(confirmed.created_by, giver);
        assert_eq!(make_passkey(&confirmed, 2).created_by, giver, "also the passkeys that it adds");
        let (kept, _) = make_passkey(&mailed, 3).confirm(given, vec![2], now).unwrap();
        assert_eq!(kept.created_by, giver, "another passkey does not change it");
    }

    #[test]
    fn challenge_is_open_to_its_purpose_until_it_expires() {
        let (start, member) = (Wall::from_micros(1_000_000), MemberId::from_bytes([1; 16]));
        let purpose = Purpose::Add(member);
        let signed = sign_challenge(&KEY, &purpose, b"state", start);
        let open = |purpose: &Purpose, text: &str, now| open_challenge(&KEY, purpose, text, now);
        let last = start + CHALLENGE_LIFE - Duration::from_secs(1);
        assert_eq!(open(&purpose, &signed, last).unwrap().state, b"state");
        assert_eq!(open(&purpose, &signed, start + CHALLENGE_LIFE), None);
        assert_eq!(open(&Purpose::Use, &signed, last), None);
        assert_eq!(open(&Purpose::Add(MemberId::from_bytes([2; 16])), &signed, last), None);
        assert_eq!(open_challenge(&[8; 32], &purpose, &signed, last), None);
        for text in ["", "AAAA", "%", &signed[..signed.len() - 4], &format!("{signed}AAAA")] {
            assert_eq!(open(&purpose, text, last), None, "{text}");
        }
    }
}
