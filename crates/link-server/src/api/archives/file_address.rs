//! Signed URLs of files. A URL works for one hour without other credentials.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::clock::Wall;
use link_domain::owner::Owner;
use link_types::id::{AccountId, ArchiveId, DocumentId, FileId};
use sha2::Sha256;

/// How long a URL is valid.
pub const LIFE: Duration = Duration::from_secs(3_600);

/// The file that a signed URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileAddress {
    /// The tenant and environment of the file.
    pub owner: Owner,
    /// The file.
    pub file: StoredAt,
}

/// A file of an archive, or of a document that a provider issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredAt {
    /// A file of an archive.
    Archive(ArchiveId, FileId),
    /// The file of an account's document.
    Account(AccountId, DocumentId),
}

impl StoredAt {
    /// Parses the two last segments of a URL's path: a source, and a file in it.
    pub fn parse(source: &str, file: &str) -> Option<Self> {
        match source.parse() {
            Ok(archive) => Some(Self::Archive(archive, file.parse().ok()?)),
            Err(_) => Some(Self::Account(source.parse().ok()?, file.parse().ok()?)),
        }
    }

    /// Returns the ids of the source and of the file in it.
    fn ids(&self) -> (&str, &str) {
        match self {
            Self::Archive(archive, file) => (archive.as_str(), file.as_str()),
            Self::Account(account, document) => (account.as_str(), document.as_str()),
        }
    }
}

impl FileAddress {
    /// Returns the path and query below the environment's base URL, signed with the address key.
    pub fn signed(&self, key: &[u8; 32], now: Wall) -> String {
        let expires = seconds(now + LIFE);
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
    fn path_names_a_file_of_an_archive_or_of_an_account() {
        let (archive, file) = (ArchiveId::from_bytes([1; 16]), FileId::from_bytes([2; 16]));
        let (account, document) = (AccountId::from_bytes([3; 16]), DocumentId::from_bytes([4; 16]));
        for stored in [StoredAt::Archive(archive.clone(), file), StoredAt::Account(account, document)] {
            let (source, file) = stored.ids();
            assert_eq!(StoredAt::parse(source, file), Some(stored.clone()));
        }
        assert_eq!(StoredAt::parse(archive.as_str(), "d-04"), None);
        assert_eq!(StoredAt::parse("user-1", "d-04"), None);
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
        let of_account = StoredAt::Account(AccountId::from_bytes([1; 16]), DocumentId::from_bytes([2; 16]));
        let of_account = FileAddress { file: of_account, ..mine.clone() };
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2), of_account] {
            assert!(!other.is_signed(&[7; 32], expires, signature, NOW));
        }
    }
}
