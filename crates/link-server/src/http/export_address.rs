//! Addresses of exports: whoever has one may fetch the file until the export's end, without other credentials.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use link_domain::clock::TenantTime;
use link_domain::owner::Owner;
use link_types::id::ExportId;
use sha2::Sha256;

/// An export, as its address names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportAddress {
    /// Whose account's.
    pub owner: Owner,
    /// The export.
    pub export_id: ExportId,
}

impl ExportAddress {
    /// Path and query below the environment's base, signed with the key of addresses. It says no more than ids and
    /// when it ends.
    pub fn signed(&self, key: &[u8; 32], expires_at: TenantTime) -> String {
        let expires = seconds(expires_at);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(key, expires).finalize().into_bytes());
        let Self { owner, export_id } = self;
        format!("/exports/{}/{export_id}?expires={expires}&signature={signature}", owner.tenant)
    }

    /// Whether this signature was given to this address. Whether it still counts is the export's to say.
    pub fn is_signed(&self, key: &[u8; 32], expires: i64, signature: &str) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        self.mac(key, expires).verify_slice(&signature).is_ok()
    }

    fn mac(&self, key: &[u8; 32], expires: i64) -> Hmac<Sha256> {
        let padded: [u8; 64] = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
        let mut mac = <Hmac<Sha256> as hmac::digest::KeyInit>::new(&padded.into());
        let Self { owner, export_id } = self;
        let (tenant, mode) = (&owner.tenant, owner.mode.as_str());
        mac.update(format!("export\n{tenant}\n{mode}\n{export_id}\n{expires}").as_bytes());
        mac
    }
}

fn seconds(at: TenantTime) -> i64 {
    at.micros().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::Mode;

    fn address(mode: Mode, export: u8) -> ExportAddress {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode };
        ExportAddress { owner, export_id: ExportId::from_bytes([export; 16]) }
    }

    #[test]
    fn an_address_counts_for_its_export_and_its_environment_alone() {
        let mine = address(Mode::Sandbox, 2);
        let signed = mine.signed(&[7; 32], TenantTime::from_micros(1_763_000_000_000_000));
        let (_, query) = signed.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        let expires: i64 = expires.parse().unwrap();
        assert!(mine.is_signed(&[7; 32], expires, signature));
        assert!(!mine.is_signed(&[7; 32], expires + 1, signature), "its end was moved");
        assert!(!mine.is_signed(&[8; 32], expires, signature), "another service's key");
        assert!(!mine.is_signed(&[7; 32], expires, ""));
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2)] {
            assert!(!other.is_signed(&[7; 32], expires, signature));
        }
    }
}
