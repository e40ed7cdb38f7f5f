//! Decryption of the widget's secrets (ADR 0060): HPKE (RFC 9180) in base mode with DHKEM(P-256, HKDF-SHA256),
//! HKDF-SHA256 and AES-128-GCM. A session's key pair is derived and never stored. Only the job worker decrypts.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
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

use crate::kernel::digest::Digest32;

/// Key pair of one session.
pub struct SessionKey {
    id: String,
    secret: <DhP256HkdfSha256 as Kem>::PrivateKey,
    public: <DhP256HkdfSha256 as Kem>::PublicKey,
}

impl SessionKey {
    /// Derives the key pair of a session from the root key.
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

    /// Returns the public key that the widget encrypts to.
    pub fn sealing_key(&self) -> SealingKey {
        let public_key = URL_SAFE_NO_PAD.encode(self.public.to_bytes());
        SealingKey { key_id: self.id.clone(), public_key }
    }

    fn open(&self, sealed: &SealedBox, associated: &str) -> Result<Zeroizing<Vec<u8>>, UnopenableError> {
        if sealed.key_id != self.id {
            return Err(UnopenableError);
        }
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| UnopenableError);
        let (enc, ciphertext) = (bytes(&sealed.enc)?, bytes(&sealed.ciphertext)?);
        open(&self.secret, &enc, SCHEME.as_bytes(), associated.as_bytes(), &ciphertext)
    }
}

/// Returns the identifier of a session's key. It only identifies the session.
pub fn key_id(session: &LinkSessionId) -> String {
    session.to_string()
}

fn open(
    secret: &<DhP256HkdfSha256 as Kem>::PrivateKey,
    enc: &[u8],
    info: &[u8],
    associated: &[u8],
    ciphertext: &[u8],
) -> Result<Zeroizing<Vec<u8>>, UnopenableError> {
    let enc = <DhP256HkdfSha256 as Kem>::EncappedKey::from_bytes(enc).map_err(|_| UnopenableError)?;
    single_shot_open::<AesGcm128, HkdfSha256, DhP256HkdfSha256>(
        &OpModeR::Base,
        secret,
        &enc,
        info,
        ciphertext,
        associated,
    )
    .map(Zeroizing::new)
    .map_err(|_| UnopenableError)
}

/// Error for a box that cannot be decrypted: wrong key, wrong associated data, damaged, or unexpected content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sealed box cannot be decrypted")]
pub struct UnopenableError;

/// An encrypted box as it is stored until the worker decrypts it, with the session it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sealed {
    /// Session whose key the box is encrypted to.
    pub session_id: LinkSessionId,
    /// Attempt of the session.
    pub attempt_id: AttemptId,
    /// The encrypted box.
    pub sealed: SealedBox,
}

impl Sealed {
    /// Returns a digest that identifies the box. Encrypting the same form twice gives two different boxes.
    pub fn digest(&self) -> Digest32 {
        Digest32::from_text(&format!("{}.{}", self.sealed.enc, self.sealed.ciphertext))
    }

    /// Decrypts the box. `subject` is the provider or the challenge that it must be for.
    ///
    /// # Errors
    ///
    /// [`UnopenableError`] if the box was encrypted for anything else.
    pub fn open<T: DeserializeOwned>(
        &self,
        root: &[u8; 32],
        purpose: SealedPurpose,
        subject: &str,
    ) -> Result<T, UnopenableError> {
        let key = SessionKey::derive(root, &self.session_id);
        let associated = associated_data(purpose, &self.session_id, &self.attempt_id, subject);
        let opened = key.open(&self.sealed, &associated)?;
        serde_json::from_slice(&opened).map_err(|_| UnopenableError)
    }
}

#[cfg(test)]
mod tests;
