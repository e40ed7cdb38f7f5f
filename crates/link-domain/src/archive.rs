//! An archive: the files of one document that a person uploaded, from the first of them to the tombstone.

mod file;
mod input;
mod quota;
mod reading;
mod repeat;
mod segment;
mod transition;
mod turn;
mod view;

#[cfg(test)]
mod tests;

pub use file::{IncomingFile, NewFile, StoredFile, UploadingFile};
pub use input::{ArchiveInput, IllegalTransition, NewArchive, TenantArchive};
pub use quota::{QUOTA_SPAN, UploadQuota, UploadUsage, UploadUse};
pub use segment::{SEGMENT_BYTES, Segment};

use std::time::Duration;

use link_types::archive::{ArchiveErrorCode, ArchiveType, Extraction};
use link_types::id::{ArchiveId, AttemptId, FileId, ProviderId, UserId};
use link_types::uploading::AnalyzeStep;
use serde::{Deserialize, Serialize};

use crate::account::Consent;
use crate::change::ErasureScope;
use crate::clock::TenantTime;
use crate::owner::Owner;
use crate::source::Source;
use crate::task::Task;

/// How long an archive is kept, from its creation.
pub const RETENTION: Duration = Duration::from_secs(60 * 86_400);
/// How long files that were never submitted wait for their person, from the last byte that came.
pub const UPLOAD_LIFE: Duration = Duration::from_secs(86_400);

/// An archive. All but `state` and `consent` stands in the row in clear; those two are sealed with the archive's
/// own key.
#[derive(Clone, Debug, PartialEq)]
pub struct Archive {
    /// The id; it is the name of the archive's erasure scope too.
    pub id: ArchiveId,
    /// Whose archive.
    pub owner: Owner,
    /// The person.
    pub user_id: UserId,
    /// The attempt it was begun in; null for a tenant's upload.
    pub attempt_id: Option<AttemptId>,
    /// The kind of document the person said it is.
    pub archive_type: ArchiveType,
    /// When it was begun.
    pub created_at: TenantTime,
    /// When it last changed.
    pub updated_at: TenantTime,
    /// When its files were submitted; null before. A tenant knows of submitted archives alone.
    pub submitted_at: Option<TenantTime>,
    /// Grows with every change: answers that come for an older version change nothing.
    pub version: u32,
    /// How many events there have been of this archive: their order.
    pub event_count: u64,
    /// What was consented to; gone with the data.
    pub consent: Option<Consent>,
    /// Where it stands.
    pub state: ArchiveState,
}

/// Where an archive stands. Its one serialised form is a sealed body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ArchiveState {
    /// Files are still coming.
    #[serde(rename_all = "camelCase")]
    Uploading {
        /// Those that have come, wholly or in part, in order.
        files: Vec<UploadingFile>,
    },
    /// Submitted; the files are being read.
    #[serde(rename_all = "camelCase")]
    Analyzing {
        /// The files, in order.
        files: Vec<StoredFile>,
        /// The task that reports the reading; a job owes it.
        task: Task,
        /// What is being done.
        step: AnalyzeStep,
    },
    /// Read.
    #[serde(rename_all = "camelCase")]
    Analyzed {
        /// The files, in order.
        files: Vec<StoredFile>,
        /// What was read.
        extraction: Extracted,
    },
    /// Not read.
    #[serde(rename_all = "camelCase")]
    Failed {
        /// The files, in order.
        files: Vec<StoredFile>,
        /// Why.
        code: ArchiveErrorCode,
    },
    /// A tombstone without data.
    #[serde(rename_all = "camelCase")]
    Revoked {
        /// When.
        at: TenantTime,
        /// Why.
        cause: RevokeCause,
    },
}

/// What was read from an archive; never printed.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Extracted(pub Extraction);

impl std::fmt::Debug for Extracted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extracted({} fields)", self.0.fields.len())
    }
}

/// Why an archive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RevokeCause {
    /// The person or the tenant revoked it.
    Revoked,
    /// Sixty days passed from its creation.
    Expired,
}

impl Archive {
    /// The scope that erasing the archive erases.
    pub fn scope(&self) -> ErasureScope {
        ErasureScope::Archive(self.id.clone())
    }

    /// The archive as what data points come from.
    pub fn source(&self) -> Source {
        match self.attempt_id {
            Some(_) => Source::Archive(self.id.clone()),
            None => Source::Upload(self.id.clone()),
        }
    }

    /// Who provided it.
    pub fn provider_id(&self) -> ProviderId {
        match self.attempt_id {
            Some(_) => ProviderId::user_provided(),
            None => ProviderId::tenant_provided(),
        }
    }

    /// The last moment at which the archive may hold data: the day its key is wrapped for.
    pub fn data_ends_at(&self) -> TenantTime {
        match &self.state {
            ArchiveState::Uploading { .. } => self.updated_at + UPLOAD_LIFE,
            ArchiveState::Analyzing { .. } | ArchiveState::Analyzed { .. } | ArchiveState::Failed { .. } => {
                self.created_at + RETENTION
            }
            ArchiveState::Revoked { at, .. } => *at,
        }
    }

    /// The files whose bytes are all there, in order.
    pub fn stored_files(&self) -> Vec<&StoredFile> {
        match &self.state {
            ArchiveState::Uploading { files } => files.iter().filter_map(UploadingFile::stored).collect(),
            ArchiveState::Analyzing { files, .. }
            | ArchiveState::Analyzed { files, .. }
            | ArchiveState::Failed { files, .. } => files.iter().collect(),
            ArchiveState::Revoked { .. } => Vec::new(),
        }
    }

    /// A file that is still coming, or has come and is not submitted yet.
    pub fn uploading(&self, id: &FileId) -> Option<&UploadingFile> {
        match &self.state {
            ArchiveState::Uploading { files } => files.iter().find(|file| file.id() == id),
            ArchiveState::Analyzing { .. }
            | ArchiveState::Analyzed { .. }
            | ArchiveState::Failed { .. }
            | ArchiveState::Revoked { .. } => None,
        }
    }

    /// A file whose bytes are all there.
    pub fn stored_file(&self, id: &FileId) -> Option<&StoredFile> {
        self.stored_files().into_iter().find(|file| file.id == *id)
    }

    /// Whether a file is one of the archive's, whether all of it is there or not.
    pub fn has_file(&self, id: &FileId) -> bool {
        self.uploading(id).is_some() || self.stored_file(id).is_some()
    }
}
