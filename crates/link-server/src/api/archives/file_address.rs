//! Signed URLs of files. A URL works without other credentials: for 1 hour in a response, for 5 days in an event.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::stored_at::StoredAt;
use sha2::Sha256;

/// How long a URL in a response is valid.
pub const LIFE: Duration = Duration::from_secs(3_600);

/// The file that a signed URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAddress {
    /// The tenant and environment of the file.
    pub owner: Owner,
    /// The file.
    pub file: StoredAt,
}

impl FileAddress {
    /// Returns the path and query below the environment's base URL, signed with the address key.
    pub fn signed(&self, key: &[u8; 32], now: Wall, life: Duration) -> String {
        let expires = seconds(now + life);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(key, expires).finalize().into_bytes());
        let (source, file) = self.file.ids();
        format!("/files/{}/{source}/{file}?expires={expires}&signature={signature}", self.owner.tenant)
    }

    /// Checks the signature and that the URL has not expired.
    pub fn is_signed(&self, key: &[u8; 32], expires: i64, signature: &str, now: Wall) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        self.mac(key, expires).verify_slice(&signature).is_ok() && seconds(now) < expires
    }

    fn mac(&self, key: &[u8; 32], expires: i64) -> Hmac<Sha256> {
        let padded: [u8; 64] = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded.into());
        let (tenant, mode) = (&self.owner.tenant, self.owner.mode.as_str());
        let (source, file) = self.file.ids();
        mac.update(format!("file\n{tenant}\n{mode}\n{source}\n{file}\n{expires}").as_bytes());
        mac
    }
}

fn seconds(at: Wall) -> i64 {
    at.micros().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::Mode;
    use link_types::id::{AccountId, ArchiveId, DocumentId, FileId};

    const NOW: Wall = Wall::from_micros(1_763_000_000_000_000);

    fn address(mode: Mode, file: u8) -> FileAddress {
        FileAddress {
            owner: Owner { tenant: "demo".parse().unwrap(), mode },
            file: StoredAt::Archive(ArchiveId::from_bytes([1; 16]), FileId::from_bytes([file; 16])),
        }
    }

    fn parts(signed: &str) -> (i64, &str) {
        let (_, query) = signed.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        (expires.parse().unwrap(), signature)
    }

    #[test]
    fn file_signature_is_bound_to_file_environment_and_hour() {
        let mine = address(Mode::Sandbox, 2);
        let signed = mine.signed(&[7; 32], NOW, LIFE);
        let (expires, signature) = parts(&signed);
        assert!(mine.is_signed(&[7; 32], expires, signature, NOW));
        assert!(!mine.is_signed(&[7; 32], expires, signature, NOW + LIFE), "expired");
        assert!(!mine.is_signed(&[7; 32], expires + 1, signature, NOW), "changed expiry");
        assert!(!mine.is_signed(&[8; 32], expires, signature, NOW), "another key");
        assert!(!mine.is_signed(&[7; 32], expires, "", NOW));
        let of_account = StoredAt::Account(AccountId::from_bytes([1; 16]), DocumentId::from_bytes([2; 16]));
        let of_account = FileAddress { file: of_account, ..mine.clone() };
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2), of_account] {
            assert!(!other.is_signed(&[7; 32], expires, signature, NOW));
        }
    }
}
