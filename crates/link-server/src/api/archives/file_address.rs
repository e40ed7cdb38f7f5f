//! Signed URLs of files. A URL works for one hour without other credentials.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::clock::Wall;
use link_domain::owner::Owner;
use link_types::id::{ArchiveId, FileId};
use sha2::Sha256;

/// How long a URL is valid.
pub const LIFE: Duration = Duration::from_secs(3_600);

/// The archive file that a signed URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAddress {
    /// The tenant and environment of the archive.
    pub owner: Owner,
    /// The archive.
    pub archive_id: ArchiveId,
    /// The file.
    pub file_id: FileId,
}

impl FileAddress {
    /// Returns the path and query below the environment's base URL, signed with the address key.
    pub fn signed(&self, key: &[u8; 32], now: Wall) -> String {
        let expires = seconds(now + LIFE);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(key, expires).finalize().into_bytes());
        let Self { owner, archive_id, file_id } = self;
        format!("/files/{}/{archive_id}/{file_id}?expires={expires}&signature={signature}", owner.tenant)
    }

    /// Checks the signature and that the URL has not expired.
    pub fn is_signed(&self, key: &[u8; 32], expires: i64, signature: &str, now: Wall) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        self.mac(key, expires).verify_slice(&signature).is_ok() && seconds(now) < expires
    }

    fn mac(&self, key: &[u8; 32], expires: i64) -> Hmac<Sha256> {
        let padded: [u8; 64] = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded.into());
        let Self { owner, archive_id, file_id } = self;
        let (tenant, mode) = (&owner.tenant, owner.mode.as_str());
        mac.update(format!("file\n{tenant}\n{mode}\n{archive_id}\n{file_id}\n{expires}").as_bytes());
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

    const NOW: Wall = Wall::from_micros(1_763_000_000_000_000);

    fn address(mode: Mode, file: u8) -> FileAddress {
        FileAddress {
            owner: Owner { tenant: "demo".parse().unwrap(), mode },
            archive_id: ArchiveId::from_bytes([1; 16]),
            file_id: FileId::from_bytes([file; 16]),
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
        let signed = mine.signed(&[7; 32], NOW);
        let (expires, signature) = parts(&signed);
        assert!(mine.is_signed(&[7; 32], expires, signature, NOW));
        assert!(!mine.is_signed(&[7; 32], expires, signature, NOW + LIFE), "expired");
        assert!(!mine.is_signed(&[7; 32], expires + 1, signature, NOW), "changed expiry");
        assert!(!mine.is_signed(&[8; 32], expires, signature, NOW), "another key");
        assert!(!mine.is_signed(&[7; 32], expires, "", NOW));
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2)] {
            assert!(!other.is_signed(&[7; 32], expires, signature, NOW));
        }
    }
}
