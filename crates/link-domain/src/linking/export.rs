//! Exports: an account's data points rendered as a file, stored for 1 hour and encrypted with the account's key.

use std::time::Duration;

use link_types::export::{self, ExportFormat};
use link_types::id::{AccountId, ExportId};
use sha2::{Digest as _, Sha256};

use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::linking::account::{Account, AccountState};

/// How long an export can be downloaded: 1 hour.
pub const LIFE: Duration = Duration::from_secs(3_600);

/// An export without its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Identifier of the export.
    pub id: ExportId,
    /// Tenant and environment of the account.
    pub owner: Owner,
    /// Account that is exported. Its erasure scope has the same name.
    pub account_id: AccountId,
    /// Account version that the export contains.
    pub account_version: u32,
    /// File format.
    pub format: ExportFormat,
    /// SHA-256 of the file.
    pub sha256: Digest32,
    /// When the export was created.
    pub created_at: TenantTime,
    /// When the export expires.
    pub expires_at: TenantTime,
}

/// An export with its file. `Debug` does not print the content.
#[derive(Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// The export.
    pub export: Export,
    /// Bytes of the file.
    pub content: Vec<u8>,
}

impl std::fmt::Debug for ExportFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ExportFile({}, {} bytes)", self.export.id, self.content.len())
    }
}

impl ExportFile {
    /// Wraps a file rendered from the account's data points at its current version.
    pub fn for_account(
        account: &Account,
        format: ExportFormat,
        content: Vec<u8>,
        context: &mut Context,
    ) -> Self {
        let created_at = context.now().tenant();
        let export = Export {
            id: ExportId::from_bytes(context.uuid()),
            owner: account.owner.clone(),
            account_id: account.id.clone(),
            account_version: account.version,
            format,
            sha256: Digest32::from_bytes(Sha256::digest(&content).into()),
            created_at,
            expires_at: created_at + LIFE,
        };
        Self { export, content }
    }
}

impl Export {
    /// Returns whether a new request can reuse this export: the account is unchanged and at least half of the lifetime
    /// is left. This limits how many exports are stored.
    pub fn still_serves(&self, account: &Account, now: TenantTime) -> bool {
        self.account_version == account.version && self.expires_at >= now + LIFE / 2
    }

    /// Returns whether the export can be downloaded.
    pub fn is_fetchable(&self, now: TenantTime) -> bool {
        now < self.expires_at
    }

    /// Returns the export as REST shows it.
    pub fn view(&self, download_url: String) -> export::Export {
        export::Export {
            id: self.id.clone(),
            account_id: self.account_id.clone(),
            format: self.format,
            download_url,
            sha256: hex(self.sha256.as_bytes()),
            created_at: self.created_at.into(),
            expires_at: self.expires_at.into(),
        }
    }
}

impl Account {
    /// Returns whether the account has data to export.
    pub const fn has_data(&self) -> bool {
        match self.state {
            AccountState::Linking(_) | AccountState::Connected(_) => true,
            AccountState::Disconnected(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::kernel::source::RevokedBy;
    use crate::linking::account::AccountInput;

    #[test]
    fn export_is_reused_until_half_its_life_or_account_changes() {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
        let export =
            ExportFile::for_account(&account, ExportFormat::Csv, b"id\r\n".to_vec(), &mut context).export;
        let now = context.now().tenant();
        assert!(export.still_serves(&account, now));
        assert!(export.still_serves(&account, now + LIFE / 2));
        let later = now + LIFE / 2 + Duration::from_secs(1);
        assert!(!export.still_serves(&account, later));
        assert!(export.is_fetchable(later), "the download still works");
        assert!(!export.is_fetchable(now + LIFE));
        let (changed, _) = account.apply(AccountInput::Revoke { by: RevokedBy::User }, &mut context).unwrap();
        assert!(!export.still_serves(&changed, now));
        assert!(!changed.has_data());
    }

    #[test]
    fn export_digest_matches_content_and_debug_hides_it() {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
        let file = ExportFile::for_account(&account, ExportFormat::Json, b"abc".to_vec(), &mut context);
        let view = file.export.view("https://example.com/".to_owned());
        assert_eq!(view.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(!format!("{file:?}").contains("abc"));
    }
}
