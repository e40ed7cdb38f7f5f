//! What an attempt works on, as it is read.

use link_domain::account::Account;
use link_domain::archive::{Archive, ArchiveState};
use link_domain::link::{Attempt, Work};
use link_store::Tx;

use crate::http::problem::Answer;

/// An attempt's account and archives.
pub(super) struct Found {
    account: Option<Account>,
    archives: Vec<Archive>,
}

impl Found {
    /// What this attempt works on.
    pub(super) fn of(attempt: &Attempt, tx: &mut Tx<'_>) -> Answer<Self> {
        let account = match &attempt.account_id {
            Some(id) => tx.account(&attempt.owner, id)?,
            None => None,
        };
        Ok(Self { account, archives: tx.archives_of_attempt(&attempt.owner, &attempt.id)? })
    }

    /// The same as the attempt is to see it.
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
