//! Forms of hosted link sites: validating a form's definition, validating answers, storing submissions.
//! (`linking::login_form` is about login forms.)

use std::collections::BTreeMap;
use std::time::Duration;

pub use condition::RuleErrorKind;
pub use definition::FormTexts;
pub(in crate::invitations) use definition::translation_faults;
pub use definition::{FormDefinitionError, FormDefinitionErrorKind, faults, site_of};
pub use files::{FormFile, NewFormFile, file_rules};
use link_types::Sensitive;
use link_types::archive::FileFault;
use link_types::form_submission::{Form, FormAnswer, FormStatus};
use link_types::format::FormatError;
use link_types::id::{FileId, FormId, LinkSiteId, LinkSiteSessionId, UserId};
pub use reading::{AnswerTexts, FormReading};
use serde::{Deserialize, Serialize};
pub use transition::{FormOfVisit, InvalidAnswersError, SentAnswers};

use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::kernel::sealed;

mod condition;
mod definition;
mod files;
mod reading;
mod transition;

/// How long a submission is kept: 60 days.
pub const FORM_RETENTION: Duration = Duration::from_secs(60 * 86_400);

/// A person's answers to a form, submitted or not. Every column except `content` is stored unencrypted. `content` is encrypted with the submission's
/// own key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormSubmission {
    /// Identifier of the submission, and the name of its erasure scope.
    pub id: FormId,
    /// Tenant and environment of the submission.
    pub owner: Owner,
    /// User who submitted the form.
    pub user_id: UserId,
    /// Link site where the form was submitted.
    pub link_site_id: LinkSiteId,
    /// Visit during which the form was submitted.
    pub visit_id: LinkSiteSessionId,
    /// When the first answer was stored.
    pub created_at: TenantTime,
    /// Status of the answers.
    pub status: FormStatus,
    /// Form and answers.
    pub content: FormContent,
}

/// Form and answers of a submission. It is serialized only in encrypted form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormContent {
    /// Name of the form at the time of submission.
    pub name: Option<String>,
    /// Reference of the form at the time of submission, or of the address that the person opened.
    pub reference: String,
    /// Version of the link site's form. `None` for the form of a link template.
    pub version: Option<u32>,
    /// Address that the person proved during the visit.
    #[serde(with = "sealed::option")]
    pub proven_email: Option<Sensitive>,
    /// When the form was submitted.
    pub submitted_at: Option<TenantTime>,
    /// Answers by field name.
    pub data: BTreeMap<String, FormAnswer>,
    /// Files of the FILE fields, in the order of their announcement.
    pub files: Vec<FormFile>,
}

impl std::fmt::Debug for FormContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FormContent({} answers, {} files)", self.data.len(), self.files.len())
    }
}

/// An invalid answer to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerError {
    /// Name of the field.
    pub field: String,
    /// Reason why the answer is invalid.
    pub kind: AnswerErrorKind,
}

/// Reason why an answer is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerErrorKind {
    /// The answer does not have the format of its field.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The answer is not a number.
    #[error("must be a number, like 1250.50")]
    NotNumber,
    /// A file was rejected.
    #[error("a file was rejected: {}", .0.as_str())]
    File(FileFault),
}

impl FormSubmission {
    /// Returns whether the person submitted the form.
    pub fn is_submitted(&self) -> bool {
        self.status == FormStatus::Submitted
    }

    /// Returns when the submission is erased.
    pub fn data_ends_at(&self) -> TenantTime {
        self.created_at + FORM_RETENTION
    }

    /// Returns the submission's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Form(self.id.clone())
    }

    /// Returns the submission as REST shows it. `url` creates the signed URL of a file.
    pub fn view(self, url: impl Fn(&FileId) -> String) -> Form {
        Form {
            // A condition may hide a field after its files were uploaded.
            files: self
                .content
                .files
                .iter()
                .filter(|it| self.content.data.contains_key(&it.field))
                .filter_map(|it| it.view(&url))
                .collect(),
            id: self.id,
            created_at: self.created_at.into(),
            status: self.status,
            submitted_at: self.content.submitted_at.map(Into::into),
            form_version: self.content.version,
            name: self.content.name,
            user_id: self.user_id,
            link_site_id: self.link_site_id,
            link_site_session_id: self.visit_id,
            reference: self.content.reference,
            proven_email: self.content.proven_email.map(|it| it.expose().to_owned()),
            data: self.content.data,
        }
    }
}
