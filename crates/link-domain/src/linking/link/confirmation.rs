//! The confirmation required to revoke anything from the widget. The same session must request it and send it back
//! within 10 minutes, so that a forged or accidental request revokes nothing.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_types::id::LinkSessionId;
use sha2::Sha256;

use crate::kernel::clock::Wall;

/// How long a confirmation is valid: 10 minutes.
pub const CONFIRMATION_LIFE: Duration = Duration::from_secs(10 * 60);

/// Creates the confirmation for revoking `subject`, the id of an account or an archive, in this session.
pub fn confirmation(key: &[u8; 32], session: &LinkSessionId, subject: &str, now: Wall) -> String {
    let ends = (now + CONFIRMATION_LIFE).micros().to_be_bytes();
    let signature = mac(key, session, subject, ends).finalize().into_bytes();
    URL_SAFE_NO_PAD.encode([&ends[..], &signature[..]].concat())
}

/// Returns whether `text` is a valid confirmation for this session and subject.
pub fn confirms(key: &[u8; 32], session: &LinkSessionId, subject: &str, text: &str, now: Wall) -> bool {
    let bytes = URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
    let Some((ends, signature)) = bytes.split_first_chunk::<8>() else { return false };
    let genuine = mac(key, session, subject, *ends).verify_slice(signature).is_ok();
    genuine && now < Wall::from_micros(i64::from_be_bytes(*ends))
}

fn mac(key: &[u8; 32], session: &LinkSessionId, subject: &str, ends: [u8; 8]) -> Hmac<Sha256> {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length");
    };
    mac.update(&ends);
    mac.update(session.as_str().as_bytes());
    mac.update(b"\n");
    mac.update(subject.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Wall = Wall::from_micros(1_795_176_000_000_000);

    #[test]
    fn confirmation_is_bound_to_session_subject_and_time() {
        let (mine, theirs) = (LinkSessionId::from_bytes([1; 16]), LinkSessionId::from_bytes([2; 16]));
        let text = confirmation(&[7; 32], &mine, "a-1", NOW);
        let last = NOW + CONFIRMATION_LIFE;
        assert!(confirms(&[7; 32], &mine, "a-1", &text, NOW));
        assert!(!confirms(&[7; 32], &mine, "a-1", &text, last));
        assert!(!confirms(&[7; 32], &theirs, "a-1", &text, NOW));
        assert!(!confirms(&[7; 32], &mine, "a-2", &text, NOW));
        assert!(!confirms(&[8; 32], &mine, "a-1", &text, NOW));
    }

    #[test]
    fn confirmation_with_a_changed_expiry_is_rejected() {
        let session = LinkSessionId::from_bytes([1; 16]);
        let mut bytes = URL_SAFE_NO_PAD.decode(confirmation(&[7; 32], &session, "a-1", NOW)).unwrap();
        bytes[3] ^= 1;
        assert!(!confirms(&[7; 32], &session, "a-1", &URL_SAFE_NO_PAD.encode(bytes), NOW));
        for nonsense in ["", "AAAA", "not base64!"] {
            assert!(!confirms(&[7; 32], &session, "a-1", nonsense, NOW), "{nonsense}");
        }
    }
}
