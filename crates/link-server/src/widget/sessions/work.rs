//! The account and the archives of an attempt.

use link_domain::documents::archive::Archive;
use link_domain::linking::account::Account;
use link_domain::linking::link::{Attempt, Work};
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
        Work::of(self.account.as_ref(), &self.archives)
    }
}
