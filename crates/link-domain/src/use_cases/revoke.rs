//! Revokes an account, an archive or an invitation. Revoking it again changes nothing.

use crate::change::Change;
use crate::documents::archive::{self, Archive, ArchiveInput};
use crate::invitations::invite::{Invite, InviteError, InviteInput};
use crate::kernel::context::Context;
use crate::kernel::source::RevokedBy;
use crate::linking::account::{self, Account, AccountInput};

/// Revokes an account, as the person or the tenant asks. Returns an empty change if the account is already disconnected.
///
/// # Errors
///
/// [`account::IllegalTransitionError`] if the account cannot be revoked.
pub fn revoke_account(
    account: Account,
    by: RevokedBy,
    context: &mut Context,
) -> Result<Change, account::IllegalTransitionError> {
    match account.apply(AccountInput::Revoke { by }, context) {
        Ok((_, change)) => Ok(change),
        Err(account::IllegalTransitionError::AlreadyDisconnected) => Ok(Change::default()),
        Err(illegal) => Err(illegal),
    }
}

/// Revokes a submitted archive, as the person or the tenant asks. Returns an empty change if the archive is already revoked.
///
/// # Errors
///
/// [`archive::IllegalArchiveTransitionError::NotSubmitted`] if the archive is not submitted.
pub fn revoke_archive(
    archive: Archive,
    by: RevokedBy,
    context: &mut Context,
) -> Result<Change, archive::IllegalArchiveTransitionError> {
    match archive.apply(ArchiveInput::Revoke { by }, context) {
        Ok((_, change)) => Ok(change),
        Err(archive::IllegalArchiveTransitionError::AlreadyRevoked) => Ok(Change::default()),
        Err(illegal) => Err(illegal),
    }
}

/// Revokes an invitation. Returns an empty change if the invitation is already revoked.
///
/// # Errors
///
/// [`InviteError`] if the invitation cannot be revoked.
pub fn revoke_invite(invite: Invite, context: &mut Context) -> Result<Change, InviteError> {
    match invite.apply(InviteInput::Revoke, context) {
        Ok((_, change)) => Ok(change),
        Err(InviteError::Revoked) => Ok(Change::default()),
        Err(refused) => Err(refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    const BY: RevokedBy = RevokedBy::User;

    #[test]
    fn revoking_an_account_again_changes_nothing() {
        let mut context = fixture::context();
        let (account, _) = fixture::begin_account(&mut context);
        assert_eq!(revoke_account(account.clone(), BY, &mut context).unwrap().events.len(), 1);
        let (revoked, _) = account.apply(AccountInput::Revoke { by: BY }, &mut context).unwrap();
        assert_eq!(revoke_account(revoked, BY, &mut context), Ok(Change::default()));
    }

    #[test]
    fn revoking_an_archive_again_changes_nothing() {
        let mut context = fixture::context();
        let uploaded = fixture::archive_with_file(&mut context);
        let refused = revoke_archive(uploaded.clone(), BY, &mut context);
        assert_eq!(refused, Err(archive::IllegalArchiveTransitionError::NotSubmitted));
        let (submitted, _) = uploaded.apply(ArchiveInput::Submit, &mut context).unwrap();
        assert!(!revoke_archive(submitted.clone(), BY, &mut context).unwrap().erasures.is_empty());
        let (revoked, _) = submitted.apply(ArchiveInput::Revoke { by: BY }, &mut context).unwrap();
        assert_eq!(revoke_archive(revoked, BY, &mut context), Ok(Change::default()));
    }

    #[test]
    fn revoking_an_invitation_again_changes_nothing() {
        let mut context = fixture::context();
        let invite = fixture::invite().0;
        assert!(!revoke_invite(invite.clone(), &mut context).unwrap().erasures.is_empty());
        let (revoked, _) = invite.apply(InviteInput::Revoke, &mut context).unwrap();
        assert_eq!(revoke_invite(revoked, &mut context), Ok(Change::default()));
    }
}
