//! Sealing: XChaCha20-Poly1305 with a random nonce, bound to the row that holds the result.
//!
//! HChaCha20 derives the key of one message from the key and the first 16 bytes of the nonce. ring's ChaCha20-Poly1305
//! then seals with the other 8 bytes (draft-irtf-cfrg-xchacha-03, 2.3).
//!
//! Our own: this takes 4,500 instructions a seal, RustCrypto's portable XChaCha20-Poly1305 10,000 (ADR 122).

use chacha20::{R20, hchacha};
use hkdf::Hkdf;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::StoreError;

const NONCE_BYTES: usize = 24;
/// The bytes of the nonce that go into the message key.
const KEY_NONCE_BYTES: usize = 16;
const TAG_BYTES: usize = 16;
/// The length of a sealed key.
pub(crate) const WRAPPED_BYTES: usize = NONCE_BYTES + 32 + TAG_BYTES;

/// Where a sealed value is stored. The location is authenticated: a value that was moved to another row does not open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Location<'a> {
    /// The table, and the column if the table has several sealed columns.
    pub(crate) table: &'static str,
    /// The row's id.
    pub(crate) id: &'a str,
}

impl Location<'_> {
    fn associated_data(&self) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.table.len() + self.id.len() + 1);
        data.extend_from_slice(self.table.as_bytes());
        data.push(0);
        data.extend_from_slice(self.id.as_bytes());
        data
    }
}

/// A 256-bit key. It is zeroed on drop and never printed.
#[derive(Clone)]
pub(crate) struct Key(Zeroizing<[u8; 32]>);

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(..)")
    }
}

impl Key {
    /// Creates a random key.
    pub(crate) fn random() -> Result<Key, StoreError> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut()).map_err(|_| StoreError::NoEntropy)?;
        Ok(Key(bytes))
    }

    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Key {
        Key(Zeroizing::new(bytes))
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Derives the key for a label.
    pub(crate) fn derive(&self, label: &str) -> Key {
        let mut derived = [0; 32];
        // 32 bytes is far below HKDF's limit of 255 blocks, the only way expand can fail.
        let expanded =
            Hkdf::<Sha256>::new(Some(b"linchpin"), self.as_bytes()).expand(label.as_bytes(), &mut derived);
        debug_assert!(expanded.is_ok());
        Key::from_bytes(derived)
    }

    /// Seals `clear` for its location: nonce, then ciphertext and tag.
    pub(crate) fn seal(&self, location: Location<'_>, clear: &[u8]) -> Result<Vec<u8>, StoreError> {
        let fault = || StoreError::Unsealable { table: location.table };
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|_| StoreError::NoEntropy)?;
        let (key, rest) = self.of_message(&nonce).ok_or_else(fault)?;
        let mut sealed = Vec::with_capacity(NONCE_BYTES + clear.len() + TAG_BYTES);
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(clear);
        let in_place = sealed.get_mut(NONCE_BYTES..).ok_or_else(fault)?;
        let tag = key
            .seal_in_place_separate_tag(rest, Aad::from(location.associated_data()), in_place)
            .map_err(|_| fault())?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Opens what [`Key::seal`] sealed for the same location.
    pub(crate) fn open(
        &self,
        location: Location<'_>,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, StoreError> {
        let fault = || StoreError::Unsealable { table: location.table };
        let (nonce, ciphertext) = sealed.split_first_chunk().ok_or_else(fault)?;
        let (key, rest) = self.of_message(nonce).ok_or_else(fault)?;
        let mut opened = Zeroizing::new(ciphertext.to_vec());
        let length = key
            .open_in_place(rest, Aad::from(location.associated_data()), &mut opened)
            .map_err(|_| fault())?
            .len();
        opened.truncate(length);
        Ok(opened)
    }

    /// Opens a key that [`Key::seal`] sealed for the same location.
    pub(crate) fn open_key(&self, location: Location<'_>, sealed: &[u8]) -> Result<Key, StoreError> {
        let clear = self.open(location, sealed)?;
        let bytes = <[u8; 32]>::try_from(clear.as_slice());
        bytes.map(Key::from_bytes).map_err(|_| StoreError::Unsealable { table: location.table })
    }

    /// Returns the key of one message and the rest of the nonce. Never `None` for a nonce of this length.
    fn of_message(&self, nonce: &[u8; NONCE_BYTES]) -> Option<(LessSafeKey, Nonce)> {
        let (first, last) = nonce.split_first_chunk::<KEY_NONCE_BYTES>()?;
        let key = Zeroizing::new(<[u8; 32]>::from(hchacha::<R20>(self.as_bytes().into(), first.into())));
        let mut rest = [0; 12];
        rest.get_mut(4..)?.copy_from_slice(last);
        let key = UnboundKey::new(&CHACHA20_POLY1305, key.as_ref()).ok()?;
        Some((LessSafeKey::new(key), Nonce::assume_unique_for_key(rest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Location<'static> = Location { table: "events", id: "et-1" };

    #[test]
    fn sealed_value_opens_at_its_location_only() {
        let key = Key::random().unwrap();
        let sealed = key.seal(HERE, b"body").unwrap();
        assert_eq!(key.open(HERE, &sealed).unwrap().as_slice(), b"body");
        assert!(key.open(Location { table: "events", id: "et-2" }, &sealed).is_err());
        assert!(key.open(Location { table: "deliveries", id: "et-1" }, &sealed).is_err());
        assert!(Key::random().unwrap().open(HERE, &sealed).is_err());
    }

    #[test]
    fn changed_or_truncated_value_does_not_open() {
        let key = Key::random().unwrap();
        let mut sealed = key.seal(HERE, b"body").unwrap();
        assert!(key.open(HERE, &sealed[..10]).is_err());
        sealed[30] ^= 1;
        assert!(key.open(HERE, &sealed).is_err());
    }

    #[test]
    fn seal_matches_the_rfc_draft_vector() {
        // draft-irtf-cfrg-xchacha-03, A.3.1.
        let key = Key::from_bytes(std::array::from_fn(|at| 0x80 + u8::try_from(at).unwrap()));
        let nonce: [u8; NONCE_BYTES] = std::array::from_fn(|at| 0x40 + u8::try_from(at).unwrap());
        let (key, rest) = key.of_message(&nonce).unwrap();
        let mut message =
            b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the \
                            future, sunscreen would be it."
                .to_vec();
        let data = [0x50, 0x51, 0x52, 0x53, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7];
        let tag = key.seal_in_place_separate_tag(rest, Aad::from(data), &mut message).unwrap();
        assert_eq!(base16ct::lower::encode_string(tag.as_ref()), "c0875924c1c7987947deafd8780acf49");
        assert_eq!(base16ct::lower::encode_string(&message[..16]), "bd6d179d3e83d43b9576579493c0e939");
    }

    #[test]
    fn labels_give_different_keys() {
        let root = Key::random().unwrap();
        assert_ne!(root.derive("wrap").as_bytes(), root.derive("seal").as_bytes());
    }

    #[test]
    fn equal_values_get_different_ciphertexts() {
        let key = Key::random().unwrap();
        assert_ne!(key.seal(HERE, b"body").unwrap(), key.seal(HERE, b"body").unwrap());
    }
}
