//! An archive: the files of one document that a person uploads, from the first file to the tombstone.

mod file;
mod holder;
mod input;
mod quota;
pub(crate) mod receiving;
mod repeat;
mod transition;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use file::clean_name;
pub use file::{IncomingFile, NewFile, StoredFile, UploadingFile};
pub use file::{SEGMENT_BYTES, Segment};
pub use holder::FileHolder;
pub use input::{ArchiveInput, IllegalArchiveTransitionError, NewArchive, TenantArchive};
pub use quota::{QUOTA_SPAN, UploadQuota, UploadUsage, UploadUse};
pub use receiving::{FileInput, ReceivedBytes};

use std::time::Duration;

use link_types::EndReason;
use link_types::archive::{ArchiveErrorCode, ArchiveType};
use link_types::id::{ArchiveId, AttemptId, FileId, LinkSiteSessionId, ProviderId, UserId};
use link_types::uploading::AnalyzeStep;
use serde::{Deserialize, Serialize};

use crate::data::batch::Extracted;
use crate::data::declined_data::DeclinedData;
use crate::data::task::Task;
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::kernel::source::Source;
use crate::linking::consent::{Consent, ConsentStub, KeptConsent};

/// How long an archive is kept, from its creation: 60 days.
pub const RETENTION: Duration = Duration::from_secs(60 * 86_400);
/// How long files that are not submitted are kept, from the last received byte: 1 day.
pub const UPLOAD_LIFE: Duration = Duration::from_secs(86_400);

/// An archive. Every column except `state` and `consent` is stored unencrypted. Those two are encrypted with the
/// archive's own key.
///
/// `S` is the state. While a transition decides the next state, the archive has none: `Archive<()>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Archive<S = ArchiveState> {
    /// Identifier of the archive, and the name of its erasure scope.
    pub id: ArchiveId,
    /// Tenant and environment of the archive.
    pub owner: Owner,
    /// User that the archive belongs to.
    pub user_id: UserId,
    /// Attempt that the archive was created in. `None` for a tenant's upload.
    pub attempt_id: Option<AttemptId>,
    /// Visit of the hosted pages in which the archive was created.
    pub visit_id: Option<LinkSiteSessionId>,
    /// Kind of document that the uploader selected.
    pub archive_type: ArchiveType,
    /// When the archive was created.
    pub created_at: TenantTime,
    /// When the archive last changed.
    pub updated_at: TenantTime,
    /// When the files were submitted. `None` before. Tenants see only submitted archives.
    pub submitted_at: Option<TenantTime>,
    /// Version number that increases with every change. Results for an older version are ignored.
    pub version: u32,
    /// Number of events emitted for this archive. It determines their order.
    pub event_count: u64,
    /// Consent that the person gave. Erased with the data.
    pub consent: Option<Consent>,
    /// State of the archive.
    pub state: S,
}

/// State of an archive. It is serialized only in encrypted form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ArchiveState {
    /// Files are being uploaded.
    #[serde(rename_all = "camelCase")]
    Uploading {
        /// Completely and partly uploaded files, in order.
        files: Vec<UploadingFile>,
    },
    /// Submitted. The files are being read.
    #[serde(rename_all = "camelCase")]
    Analyzing {
        /// Files, in order.
        files: Vec<StoredFile>,
        /// Task that reports the reading. A job is scheduled for it.
        task: Task,
        /// Current step.
        step: AnalyzeStep,
    },
    /// The files were read.
    #[serde(rename_all = "camelCase")]
    Analyzed {
        /// Files, in order.
        files: Vec<StoredFile>,
        /// Data that was read.
        extracted: Extracted,
    },
    /// The files could not be read.
    #[serde(rename_all = "camelCase")]
    Failed {
        /// Files, in order.
        files: Vec<StoredFile>,
        /// Reason for the failure.
        code: ArchiveErrorCode,
    },
    /// A tombstone without data.
    #[serde(rename_all = "camelCase")]
    Revoked {
        /// When the archive was revoked.
        at: TenantTime,
        /// Why the archive was revoked.
        cause: RevokeCause,
        /// Minimal receipt of the consent. `None` for a tenant's upload.
        consent: Option<ConsentStub>,
    },
}

/// Reason why an archive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RevokeCause {
    /// The person or the tenant revoked the archive.
    Revoked,
    /// 60 days have passed since the archive was created.
    Expired,
}

impl RevokeCause {
    /// Returns the reason as REST shows it.
    pub const fn end_reason(self) -> EndReason {
        match self {
            Self::Revoked => EndReason::Revoked,
            Self::Expired => EndReason::Expired,
        }
    }
}

impl<S> Archive<S> {
    /// Returns the kinds of data that the consent does not cover. A tenant's upload has no consent of a person.
    pub fn declined_data(&self) -> DeclinedData {
        self.consent.as_ref().map(Consent::declined_data).unwrap_or_default()
    }

    /// Returns the archive's erasure scope.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Archive(self.id.clone())
    }

    /// Returns the archive as the source of data points.
    pub fn source(&self) -> Source {
        match self.attempt_id {
            Some(_) => Source::Archive(self.id.clone()),
            None => Source::Upload(self.id.clone()),
        }
    }

    /// Returns the provider: the user or the tenant.
    pub fn provider_id(&self) -> ProviderId {
        match self.attempt_id {
            Some(_) => ProviderId::user_provided(),
            None => ProviderId::tenant_provided(),
        }
    }

    fn replace_state<T>(self, state: T) -> (Archive<T>, S) {
        let archive = Archive {
            id: self.id,
            owner: self.owner,
            user_id: self.user_id,
            attempt_id: self.attempt_id,
            visit_id: self.visit_id,
            archive_type: self.archive_type,
            created_at: self.created_at,
            updated_at: self.updated_at,
            submitted_at: self.submitted_at,
            version: self.version,
            event_count: self.event_count,
            consent: self.consent,
            state,
        };
        (archive, self.state)
    }
}

impl Archive<()> {
    /// Puts a state into the archive.
    fn with_state(self, state: ArchiveState) -> Archive {
        self.replace_state(state).0
    }
}

impl Archive {
    /// Returns the consent that the person gave, as far as it is kept. `None` if there is none, as for a tenant's upload.
    pub fn kept_consent(self) -> Option<KeptConsent> {
        match self.state {
            ArchiveState::Uploading { .. }
            | ArchiveState::Analyzing { .. }
            | ArchiveState::Analyzed { .. }
            | ArchiveState::Failed { .. } => self.consent.map(KeptConsent::Whole),
            ArchiveState::Revoked { at, cause, consent } => {
                Some(KeptConsent::Ended { stub: consent?, at, reason: cause.end_reason() })
            }
        }
    }

    /// Takes the state out of the archive.
    fn take_state(self) -> (Archive<()>, ArchiveState) {
        self.replace_state(())
    }

    /// Returns the latest time at which the archive may hold data. Its encryption key is wrapped for that day.
    pub fn data_ends_at(&self) -> TenantTime {
        match &self.state {
            ArchiveState::Uploading { .. } => self.updated_at + UPLOAD_LIFE,
            ArchiveState::Analyzing { .. } | ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
                self.created_at + RETENTION
            }
            ArchiveState::Revoked { at, .. } => *at,
        }
    }

    /// Returns whether files are being uploaded or read.
    pub const fn is_under_way(&self) -> bool {
        match self.state {
            ArchiveState::Uploading { .. } | ArchiveState::Analyzing { .. } => true,
            ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } | ArchiveState::Revoked { .. } => {
                false
            }
        }
    }

    /// Returns the completely uploaded files, in order.
    pub fn stored_files(&self) -> Vec<&StoredFile> {
        match &self.state {
            ArchiveState::Uploading { files } => {
                files.iter().filter_map(UploadingFile::stored_file).collect()
            }
            ArchiveState::Analyzing { files, .. }
            | ArchiveState::Analyzed { files, .. }
            | ArchiveState::Failed { files, .. } => files.iter().collect(),
            ArchiveState::Revoked { .. } => Vec::new(),
        }
    }

    /// Returns a file of an unsubmitted archive, completely or partly uploaded.
    pub fn uploading(&self, id: &FileId) -> Option<&UploadingFile> {
        match &self.state {
            ArchiveState::Uploading { files } => files.iter().find(|file| file.id() == id),
            ArchiveState::Analyzing { .. }
            | ArchiveState::Analyzed { .. }
            | ArchiveState::Failed { .. }
            | ArchiveState::Revoked { .. } => None,
        }
    }

    /// Returns a completely uploaded file.
    pub fn find_stored_file(&self, id: &FileId) -> Option<&StoredFile> {
        self.stored_files().into_iter().find(|file| file.id == *id)
    }

    /// Returns the completely or partly uploaded files, in order. `None` if the archive is revoked.
    pub fn file_ids(&self) -> Option<Vec<FileId>> {
        match &self.state {
            ArchiveState::Uploading { files } => Some(files.iter().map(|file| file.id().clone()).collect()),
            ArchiveState::Analyzing { files, .. }
            | ArchiveState::Analyzed { files, .. }
            | ArchiveState::Failed { files, .. } => Some(files.iter().map(|file| file.id.clone()).collect()),
            ArchiveState::Revoked { .. } => None,
        }
    }
}
