//! Sealing: XChaCha20-Poly1305 under a random nonce, bound to the row that holds the result.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

use crate::StoreError;

const NONCE_BYTES: usize = 24;
const TAG_BYTES: usize = 16;
/// A sealed key.
pub(crate) const WRAPPED_BYTES: usize = NONCE_BYTES + 32 + TAG_BYTES;

/// Where a sealed value lives. It is part of what is authenticated: moved to another row, it does not open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Location<'a> {
    /// The table and, where it has several sealed columns, the column.
    pub(crate) table: &'static str,
    /// The row.
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

/// A 256-bit key; forgotten on drop, never printed.
#[derive(Clone)]
pub(crate) struct Key(Zeroizing<[u8; 32]>);

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(..)")
    }
}

impl Key {
    /// A new random key.
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

    /// Seals `clear` for its place: nonce, then ciphertext and tag.
    pub(crate) fn seal(&self, location: Location<'_>, clear: &[u8]) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|_| StoreError::NoEntropy)?;
        let sealed = XChaCha20Poly1305::new(self.0.as_ref().into())
            .encrypt(XNonce::from_slice(&nonce), Payload { msg: clear, aad: &location.associated_data() })
            .map_err(|_| StoreError::Unsealable { table: location.table })?;
        let mut whole = Vec::with_capacity(NONCE_BYTES + sealed.len());
        whole.extend_from_slice(&nonce);
        whole.extend_from_slice(&sealed);
        Ok(whole)
    }

    /// Opens what [`Key::seal`] made for the same place.
    pub(crate) fn open(
        &self,
        location: Location<'_>,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, StoreError> {
        let fault = || StoreError::Unsealable { table: location.table };
        let (nonce, ciphertext) = sealed.split_at_checked(NONCE_BYTES).ok_or_else(fault)?;
        XChaCha20Poly1305::new(self.0.as_ref().into())
            .decrypt(XNonce::from_slice(nonce), Payload { msg: ciphertext, aad: &location.associated_data() })
            .map(Zeroizing::new)
            .map_err(|_| fault())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Location<'static> = Location { table: "events", id: "et-1" };

    #[test]
    fn opens_at_its_own_place_only() {
        let key = Key::random().unwrap();
        let sealed = key.seal(HERE, b"body").unwrap();
        assert_eq!(key.open(HERE, &sealed).unwrap().as_slice(), b"body");
        assert!(key.open(Location { table: "events", id: "et-2" }, &sealed).is_err());
        assert!(key.open(Location { table: "deliveries", id: "et-1" }, &sealed).is_err());
        assert!(Key::random().unwrap().open(HERE, &sealed).is_err());
    }

    #[test]
    fn a_changed_byte_or_a_short_value_does_not_open() {
        let key = Key::random().unwrap();
        let mut sealed = key.seal(HERE, b"body").unwrap();
        assert!(key.open(HERE, &sealed[..10]).is_err());
        sealed[30] ^= 1;
        assert!(key.open(HERE, &sealed).is_err());
    }

    #[test]
    fn equal_values_seal_differently() {
        let key = Key::random().unwrap();
        assert_ne!(key.seal(HERE, b"body").unwrap(), key.seal(HERE, b"body").unwrap());
    }
}
