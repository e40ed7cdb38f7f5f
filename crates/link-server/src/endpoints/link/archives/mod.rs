//! Archives that are being uploaded in the widget.

pub(super) mod create;
pub(super) mod discard;
pub(super) mod get;
pub(super) mod revocation;
pub(super) mod revoke;
pub(super) mod submit;

use link_domain::archive::{Archive, ArchiveInput, IllegalTransition};
use link_types::archive::FileFault;
use link_types::id::{ArchiveId, UserId};
use link_types::uploading::ArchiveProgress;

use crate::endpoints::link::sentence;
use crate::http::caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};

/// Returns the archive if the session's user uploaded it.
///
/// # Errors
/// 404 if the user did not.
pub(super) fn own(archive: Option<Archive>, user: &UserId) -> ApiResult<Archive> {
    archive.filter(|it| it.user_id == *user && it.attempt_id.is_some()).ok_or_else(Problem::missing)
}

/// Applies an input to an archive of the session's user, and returns the archive's progress.
async fn apply(
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

impl From<IllegalTransition> for Problem {
    fn from(illegal: IllegalTransition) -> Self {
        match illegal {
            IllegalTransition::Refused(fault) => Self::file(fault),
            IllegalTransition::QuotaExceeded => Self::file(FileFault::QuotaExceeded),
            IllegalTransition::UnknownFile => Self::missing(),
            IllegalTransition::AlreadySubmitted
            | IllegalTransition::NotSubmitted
            | IllegalTransition::NoFiles
            | IllegalTransition::Incomplete
            | IllegalTransition::AlreadyComplete
            | IllegalTransition::StaleOffset { .. }
            | IllegalTransition::StaleReading
            | IllegalTransition::AlreadyRevoked
            | IllegalTransition::NotDue { .. } => Self::conflict(sentence(&illegal)),
        }
    }
}
