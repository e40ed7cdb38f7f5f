//! The archives that a session uploads, and those that its user may revoke.

use link_domain::documents::archive::{Archive, ArchiveInput};
use link_domain::linking::reach::Reach;
use link_types::id::ArchiveId;
use link_types::uploading::ArchiveProgress;

use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};

/// Returns the archive if it is in the caller's reach.
///
/// # Errors
/// 404 if it is not.
pub(crate) fn own(archive: Option<Archive>, reach: &Reach) -> ApiResult<Archive> {
    archive.filter(|it| reach.has_archive(it)).ok_or_else(Problem::missing)
}

/// Returns the archive if the person may revoke it, in whichever attempt they uploaded it.
///
/// # Errors
/// 404 if they may not.
pub(super) fn revocable(archive: Option<Archive>, reach: &Reach) -> ApiResult<Archive> {
    archive.filter(|it| reach.may_revoke(it)).ok_or_else(Problem::missing)
}

/// Applies an input to an archive of the session's attempt, and returns the archive's progress.
pub(super) async fn apply(
    caller: &SessionCaller,
    id: ArchiveId,
    input: impl Fn() -> ArchiveInput<'static> + Send + 'static,
) -> ApiResult<ArchiveProgress> {
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let archive = own(tx.archives().get(&owner, &id)?, &reach)?;
            let (archive, change) = archive.apply(input(), &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await
}
