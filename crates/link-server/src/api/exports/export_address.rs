//! Signed URLs of exports. A URL works without other credentials until the export expires.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_types::id::ExportId;
use sha2::Sha256;

/// The export that a signed URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportAddress {
    /// The tenant and environment of the exported account.
    pub owner: Owner,
    /// The export.
    pub export_id: ExportId,
}

impl ExportAddress {
    /// Returns the path and query below the environment's base URL, signed with the address key. They contain only ids
    /// and the expiry time.
    pub fn signed(&self, key: &[u8; 32], expires_at: TenantTime) -> String {
        let expires = seconds(expires_at);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(key, expires).finalize().into_bytes());
        let Self { owner, export_id } = self;
        format!("/exports/{}/{export_id}?expires={expires}&signature={signature}", owner.tenant)
    }

    /// Checks the signature. Does not check the expiry time: the caller compares that with the export itself.
    pub fn is_signed(&self, key: &[u8; 32], expires: i64, signature: &str) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        self.mac(key, expires).verify_slice(&signature).is_ok()
    }

    fn mac(&self, key: &[u8; 32], expires: i64) -> Hmac<Sha256> {
        let padded: [u8; 64] = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded.into());
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
    fn export_signature_is_bound_to_export_environment_and_key() {
        let mine = address(Mode::Sandbox, 2);
        let signed = mine.signed(&[7; 32], TenantTime::from_micros(1_763_000_000_000_000));
        let (_, query) = signed.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        let expires: i64 = expires.parse().unwrap();
        assert!(mine.is_signed(&[7; 32], expires, signature));
        assert!(!mine.is_signed(&[7; 32], expires + 1, signature), "changed expiry");
        assert!(!mine.is_signed(&[8; 32], expires, signature), "another key");
        assert!(!mine.is_signed(&[7; 32], expires, ""));
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2)] {
            assert!(!other.is_signed(&[7; 32], expires, signature));
        }
    }
}
