//! The published test vector, and boxes that must not decrypt.

use link_types::Sensitive;
use rstest::rstest;

use super::*;
use crate::fixture::sealing::{ROOT, attempt, seal, session};

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// RFC 9180, A.3.1: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode, first encryption.
#[test]
fn rfc_9180_test_vector_decrypts() {
    let receiver = bytes("668b37171f1072f3cf12ea8a236a45df23fc13b82af3609ad1e354f6ef817550");
    let public = "04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6\
                  aa8f80e30f1d128aafd68a2ce72ea0";
    let enc = "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c4\
               03ce65c9bfcb9382657222d18c4";
    let ciphertext =
        "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434";
    let (secret, derived) = DhP256HkdfSha256::derive_keypair(&receiver);
    assert_eq!(derived.to_bytes().to_vec(), bytes(public));
    let info = bytes("4f6465206f6e2061204772656369616e2055726e");
    let opened = open(&secret, &bytes(enc), &info, b"Count-0", &bytes(ciphertext)).unwrap();
    assert_eq!(&opened[..], b"Beauty is truth, truth beauty");
    assert_eq!(open(&secret, &bytes(enc), &info, b"Count-1", &bytes(ciphertext)), Err(UnopenableError));
}

#[test]
fn box_decrypts_for_its_purpose_and_subject() {
    let sealed = seal(SealedPurpose::Answer, "ch-1", "\"1234\"");
    let answer: Sensitive = sealed.open(&ROOT, SealedPurpose::Answer, "ch-1").unwrap();
    assert_eq!(answer.expose(), "1234");
}

#[rstest]
#[case::other_subject(ROOT, SealedPurpose::Answer, "ch-2")]
#[case::other_purpose(ROOT, SealedPurpose::Credentials, "ch-1")]
#[case::other_master_key([9; 32], SealedPurpose::Answer, "ch-1")]
fn box_does_not_decrypt_for_another_purpose_or_subject(
    #[case] root: [u8; 32],
    #[case] purpose: SealedPurpose,
    #[case] subject: &str,
) {
    let sealed = seal(SealedPurpose::Answer, "ch-1", "\"1234\"");
    assert_eq!(sealed.open::<Sensitive>(&root, purpose, subject), Err(UnopenableError));
}

#[test]
fn box_does_not_decrypt_in_another_session_or_attempt() {
    let sealed = seal(SealedPurpose::Answer, "ch-1", "\"1234\"");
    let other_session = LinkSessionId::from_bytes([8; 16]);
    let box_of_other = SealedBox { key_id: key_id(&other_session), ..sealed.sealed.clone() };
    for wrong in [
        Sealed { session_id: other_session.clone(), ..sealed.clone() },
        Sealed { session_id: other_session, sealed: box_of_other, ..sealed.clone() },
        Sealed { attempt_id: AttemptId::from_bytes([8; 16]), ..sealed.clone() },
    ] {
        assert_eq!(wrong.open::<Sensitive>(&ROOT, SealedPurpose::Answer, "ch-1"), Err(UnopenableError));
    }
    assert_eq!((sealed.session_id, sealed.attempt_id), (session(), attempt()));
}

#[test]
fn damaged_box_or_unexpected_content_is_rejected() {
    let sealed = seal(SealedPurpose::Answer, "ch-1", "{\"not\": \"a text\"}");
    assert_eq!(sealed.open::<Sensitive>(&ROOT, SealedPurpose::Answer, "ch-1"), Err(UnopenableError));
    for invalid in ["", "AAAA", "***"] {
        let enc = SealedBox { enc: invalid.to_owned(), ..sealed.sealed.clone() };
        let ciphertext = SealedBox { ciphertext: invalid.to_owned(), ..sealed.sealed.clone() };
        for damaged in [enc, ciphertext] {
            let damaged = Sealed { sealed: damaged, ..sealed.clone() };
            assert_eq!(damaged.open::<Sensitive>(&ROOT, SealedPurpose::Answer, "ch-1"), Err(UnopenableError));
        }
    }
}

#[test]
fn session_key_is_stable_and_unique_per_session() {
    let key = |root: &[u8; 32], session| SessionKey::derive(root, &session).sealing_key();
    assert_eq!(key(&ROOT, session()), key(&ROOT, session()));
    assert_ne!(key(&ROOT, session()).public_key, key(&ROOT, LinkSessionId::from_bytes([8; 16])).public_key);
    assert_ne!(key(&ROOT, session()).public_key, key(&[9; 32], session()).public_key);
    assert_eq!(URL_SAFE_NO_PAD.decode(key(&ROOT, session()).public_key).unwrap().len(), 65);
}
