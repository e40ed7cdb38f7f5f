//! The object that an upload belongs to: an archive, or the answers to the form of a visit.

use std::sync::Arc;

use link_domain::documents::archive::{FileHolder, FileInput, UploadingFile};
use link_domain::invitations::form_submission::{FormOfVisit, FormSubmission};
use link_domain::invitations::visit::Visit;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_store::{Reader, Tx};
use link_types::form_submission::LinkSiteForm;
use link_types::id::{ArchiveId, FileId, FormId, LinkSiteId, UserId};

use crate::http::extract::standing::check_here;
use crate::http::problem::{ApiResult, Problem};

/// The object that has the file of an upload.
#[derive(Clone)]
pub enum UploadTarget {
    /// An archive.
    Archive(ArchiveId),
    /// The answers to the form of a visit.
    Form(Arc<FormTarget>),
}

/// The form of a visit, whose answers have the file.
pub struct FormTarget {
    /// The visit.
    pub visit: Visit,
    /// The form.
    pub form: LinkSiteForm,
    /// The link site of the form.
    pub site: LinkSiteId,
    /// The answers.
    pub answers: FormId,
}

impl From<&ArchiveId> for UploadTarget {
    fn from(id: &ArchiveId) -> Self {
        Self::Archive(id.clone())
    }
}

impl FormTarget {
    /// Returns the form with its stored answers. Locks the visit, as every other change to the answers does.
    ///
    /// # Errors
    /// 404 if the visit or the answers were erased.
    pub fn lock(&self, tx: &mut Tx<'_>) -> ApiResult<FormOfVisit<'_>> {
        let Self { visit, form, site, answers } = self;
        tx.visits().by_secret(&visit.secret_hash)?.ok_or_else(Problem::missing)?;
        let started = tx.forms().get(&visit.owner, answers)?.ok_or_else(Problem::missing)?;
        Ok(FormOfVisit { form, site: site.clone(), visit, started: Some(started) })
    }
}

impl UploadTarget {
    /// Returns the object that has the file.
    pub fn holder(&self) -> FileHolder {
        match self {
            Self::Archive(id) => FileHolder::from(id),
            Self::Form(form) => FileHolder::from(&form.answers),
        }
    }

    /// Returns the user who uploads, and the file.
    pub(super) fn find(
        &self,
        reader: &mut Reader<'_>,
        owner: &Owner,
        file: &FileId,
    ) -> ApiResult<(UserId, UploadingFile)> {
        let (user, found) = match self {
            Self::Archive(id) => {
                let archive = reader.archives().get(owner, id)?.ok_or_else(Problem::missing)?;
                let found = archive.uploading(file).cloned();
                (archive.user_id, found)
            }
            Self::Form(form) => {
                let answers = reader.forms().get(owner, &form.answers)?.ok_or_else(Problem::missing)?;
                let found = answers.file(file).cloned();
                (answers.user_id, found)
            }
        };
        Ok((user, found.ok_or_else(Problem::missing)?))
    }

    /// Changes the file. Returns it as it is then, or as it was before it was removed.
    pub(super) fn apply(
        &self,
        tx: &mut Tx<'_>,
        (owner, file): (&Owner, &FileId),
        input: FileInput,
        mut context: Context,
    ) -> ApiResult<UploadingFile> {
        check_here(tx, &owner.tenant)?;
        let (before, after, change) = match self {
            Self::Archive(id) => {
                let archive = tx.archives().get(owner, id)?.ok_or_else(Problem::missing)?;
                let before = archive.uploading(file).cloned();
                let (archive, change) = archive.apply(input.into(), &mut context)?;
                (before, archive.uploading(file).cloned(), change)
            }
            Self::Form(form) => {
                let of = form.lock(tx)?;
                let before = of.started.as_ref().and_then(|it| it.file(file).cloned());
                let (answers, change) = FormSubmission::change_file(of, input, &mut context)?;
                (before, answers.file(file).cloned(), change)
            }
        };
        tx.apply(&change, context.now())?;
        after.or(before).ok_or_else(Problem::missing)
    }
}
