//! The archives that a session's user uploads.

use link_domain::archive::{Archive, ArchiveInput};
use link_types::id::{ArchiveId, UserId};
use link_types::uploading::ArchiveProgress;

use crate::http::extract::caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};

/// Returns the archive if the session's user uploaded it.
///
/// # Errors
/// 404 if the user did not.
pub(crate) fn own(archive: Option<Archive>, user: &UserId) -> ApiResult<Archive> {
    archive.filter(|it| it.user_id == *user && it.attempt_id.is_some()).ok_or_else(Problem::missing)
}

/// Applies an input to an archive of the session's user, and returns the archive's progress.
pub(super) async fn apply(
    caller: &SessionCaller,
    id: ArchiveId,
    input: impl Fn() -> ArchiveInput<'static> + Send + 'static,
) -> ApiResult<ArchiveProgress> {
    let (owner, user, context) = (caller.owner().clone(), caller.session().user_id.clone(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let archive = own(tx.archives().get(&owner, &id)?, &user)?;
            let (archive, change) = archive.apply(input(), &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(archive.progress(context.now().tenant()))
        })
        .await
}
