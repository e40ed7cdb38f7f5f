//! The account and the archives of an attempt.

use link_domain::account::Account;
use link_domain::archive::{Archive, ArchiveState};
use link_domain::link::{Attempt, Work};
use link_store::Tx;

use crate::http::problem::ApiResult;

/// The account and the archives of an attempt.
pub(super) struct Found {
    account: Option<Account>,
    archives: Vec<Archive>,
}

impl Found {
    /// Reads the account and the archives of an attempt.
    pub(super) fn of(attempt: &Attempt, tx: &mut Tx<'_>) -> ApiResult<Self> {
        let account = match &attempt.account_id {
            Some(id) => tx.accounts().get(&attempt.owner, id)?,
            None => None,
        };
        Ok(Self { account, archives: tx.archives().of_attempt(&attempt.owner, &attempt.id)? })
    }

    /// Returns them in the form that the attempt's transitions take.
    pub(super) fn work(&self) -> Work<'_> {
        let is_on_its_way = |archive: &Archive| match archive.state {
            ArchiveState::Uploading { .. } | ArchiveState::Analyzing { .. } => true,
            ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } | ArchiveState::Revoked { .. } => {
                false
            }
        };
        Work {
            account: self.account.as_ref(),
            has_files_on_their_way: self.archives.iter().any(is_on_its_way),
        }
    }
}
