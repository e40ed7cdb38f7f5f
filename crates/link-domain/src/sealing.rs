//! Opening what the widget sealed (ADR 0060): HPKE (RFC 9180) in base mode with DHKEM(P-256, HKDF-SHA256),
//! HKDF-SHA256 and AES-128-GCM. A session's key pair is derived, never stored. Only the worker of jobs opens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use hpke::aead::AesGcm128;
use hpke::kdf::HkdfSha256;
use hpke::kem::DhP256HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, Serializable, single_shot_open};
use link_types::id::{AttemptId, LinkSessionId};
use link_types::sealing::{SCHEME, SealedBox, SealedPurpose, SealingKey, associated_data};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::digest::Digest32;

/// The key pair of one session.
pub struct SessionKey {
    id: String,
    secret: <DhP256HkdfSha256 as Kem>::PrivateKey,
    public: <DhP256HkdfSha256 as Kem>::PublicKey,
}

impl SessionKey {
    /// The key pair of a session, from the root of all sessions' keys.
    pub fn derive(root: &[u8; 32], session: &LinkSessionId) -> Self {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(root) else {
            unreachable!("HMAC takes keys of every length");
        };
        mac.update(SCHEME.as_bytes());
        mac.update(b"\n");
        mac.update(session.as_str().as_bytes());
        let ikm = Zeroizing::new(<[u8; 32]>::from(mac.finalize().into_bytes()));
        let (secret, public) = DhP256HkdfSha256::derive_keypair(&ikm[..]);
        Self { id: key_id(session), secret, public }
    }

    /// What the widget seals to.
    pub fn published(&self) -> SealingKey {
        let public_key = URL_SAFE_NO_PAD.encode(self.public.to_bytes());
        SealingKey { key_id: self.id.clone(), public_key }
    }

    fn open(&self, sealed: &SealedBox, associated: &str) -> Result<Zeroizing<Vec<u8>>, Unopenable> {
        if sealed.key_id != self.id {
            return Err(Unopenable);
        }
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| Unopenable);
        let (enc, ciphertext) = (bytes(&sealed.enc)?, bytes(&sealed.ciphertext)?);
        open(&self.secret, &enc, SCHEME.as_bytes(), associated.as_bytes(), &ciphertext)
    }
}

/// How a session's key is called: it says whose it is and nothing more.
pub fn key_id(session: &LinkSessionId) -> String {
    session.to_string()
}

fn open(
    secret: &<DhP256HkdfSha256 as Kem>::PrivateKey,
    enc: &[u8],
    info: &[u8],
    associated: &[u8],
    ciphertext: &[u8],
) -> Result<Zeroizing<Vec<u8>>, Unopenable> {
    let enc = <DhP256HkdfSha256 as Kem>::EncappedKey::from_bytes(enc).map_err(|_| Unopenable)?;
    single_shot_open::<AesGcm128, HkdfSha256, DhP256HkdfSha256>(
        &OpModeR::Base,
        secret,
        &enc,
        info,
        ciphertext,
        associated,
    )
    .map(Zeroizing::new)
    .map_err(|_| Unopenable)
}

/// A box that does not open: another key, other associated data, damaged, or with something else inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sealed box does not open")]
pub struct Unopenable;

/// A box as it is kept until the worker opens it, with what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sealed {
    /// The session whose key it is sealed to.
    pub session_id: LinkSessionId,
    /// The session's attempt.
    pub attempt_id: AttemptId,
    /// The box.
    pub sealed: SealedBox,
}

impl Sealed {
    /// Tells one box from another: sealing the same form twice makes two.
    pub fn digest(&self) -> Digest32 {
        Digest32::of(&format!("{}.{}", self.sealed.enc, self.sealed.ciphertext))
    }

    /// What is in the box; `subject` is the provider or the challenge that it has to be for.
    ///
    /// # Errors
    ///
    /// [`Unopenable`] when it was sealed for anything else.
    pub fn open<T: DeserializeOwned>(
        &self,
        root: &[u8; 32],
        purpose: SealedPurpose,
        subject: &str,
    ) -> Result<T, Unopenable> {
        let key = SessionKey::derive(root, &self.session_id);
        let associated = associated_data(purpose, &self.session_id, &self.attempt_id, subject);
        let opened = key.open(&self.sealed, &associated)?;
        serde_json::from_slice(&opened).map_err(|_| Unopenable)
    }
}

#[cfg(test)]
mod tests;
