//! An archive as REST and the widget show it.

use link_types::archive::{self, ArchiveErrorCode, ArchiveFile, ArchiveStatus};
use link_types::id::FileId;
use link_types::uploading::{ArchivePhase, ArchiveProgress, UploadFile};

use super::{Archive, ArchiveState, StoredFile, UploadingFile};
use crate::data::batch::Extracted;
use crate::kernel::clock::TenantTime;

impl Archive {
    /// Returns the status as the interface defines it, or `None` before the archive is submitted.
    pub const fn status(&self) -> Option<ArchiveStatus> {
        match &self.state {
            ArchiveState::Uploading { .. } => None,
            ArchiveState::Analyzing { .. } => Some(ArchiveStatus::Started),
            ArchiveState::Analyzed { .. } => Some(ArchiveStatus::Analyzed),
            ArchiveState::Failed { code, .. } => Some(code.status()),
            ArchiveState::Revoked { .. } => Some(ArchiveStatus::Revoked),
        }
    }

    /// Returns the reason why the archive failed.
    pub const fn error_code(&self) -> Option<ArchiveErrorCode> {
        match &self.state {
            ArchiveState::Failed { code, .. } => Some(*code),
            ArchiveState::Uploading { .. }
            | ArchiveState::Analyzing { .. }
            | ArchiveState::Analyzed { .. }
            | ArchiveState::Revoked { .. } => None,
        }
    }

    /// Returns the archive as REST shows it, or `None` before it is submitted. `url` creates the signed URL of a file.
    pub fn view(&self, url: impl Fn(&FileId) -> String) -> Option<archive::Archive> {
        let status = self.status()?;
        let error = self.error_code();
        let end_reason = match &self.state {
            ArchiveState::Revoked { cause, .. } => Some(cause.end_reason()),
            ArchiveState::Uploading { .. }
            | ArchiveState::Analyzing { .. }
            | ArchiveState::Failed { .. }
            | ArchiveState::Analyzed { .. } => None,
        };
        let extracted = match &self.state {
            ArchiveState::Analyzed { extracted, .. } => Some(extracted.clone()),
            ArchiveState::Uploading { .. }
            | ArchiveState::Analyzing { .. }
            | ArchiveState::Failed { .. }
            | ArchiveState::Revoked { .. } => None,
        };
        let (extraction, further_extractions) =
            extracted.map_or((None, Vec::new()), |Extracted { first, further }| (Some(first), further));
        Some(archive::Archive {
            id: self.id.clone(),
            created_at: self.created_at.into(),
            user_id: self.user_id.clone(),
            provider_id: self.provider_id().to_string(),
            archive_type: self.archive_type,
            state: archive::ArchiveState {
                status,
                error_code: error,
                error_message: error.map(|code| code.message().to_owned()),
                end_reason,
                updated_at: self.updated_at.into(),
            },
            files: self.stored_files().into_iter().map(|file| file.view(url(&file.id))).collect(),
            extraction,
            further_extractions,
            link_site_session_id: self.visit_id.clone(),
        })
    }

    /// Returns the archive as the widget shows it.
    pub fn progress(&self, now: TenantTime) -> ArchiveProgress {
        let phase = match &self.state {
            ArchiveState::Uploading { .. } => ArchivePhase::Uploading {},
            ArchiveState::Analyzing { step, .. } => ArchivePhase::Analyzing { step: *step },
            ArchiveState::Analyzed { .. } => ArchivePhase::Analyzed {},
            ArchiveState::Failed { code, .. } => ArchivePhase::Failed { error_code: *code },
            ArchiveState::Revoked { .. } => ArchivePhase::Revoked {},
        };
        let files = match &self.state {
            ArchiveState::Uploading { files } => files.iter().map(UploadingFile::progress).collect(),
            ArchiveState::Analyzing { files, .. }
            | ArchiveState::Analyzed { files, .. }
            | ArchiveState::Failed { files, .. } => files.iter().map(StoredFile::progress).collect(),
            ArchiveState::Revoked { .. } => Vec::new(),
        };
        let days = now.since(self.created_at).as_secs() / 86_400;
        ArchiveProgress {
            archive_id: self.id.clone(),
            archive_type: self.archive_type,
            version: self.version,
            files,
            phase,
            added_days_ago: u32::try_from(days).unwrap_or(u32::MAX),
        }
    }
}

impl StoredFile {
    fn view(&self, url: String) -> ArchiveFile {
        ArchiveFile {
            id: self.id.clone(),
            name: self.name.expose().to_owned(),
            slot: self.slot,
            format: self.format,
            size_bytes: self.size_bytes,
            sha256: self.sha256.clone(),
            url,
            created_at: self.created_at.into(),
        }
    }

    fn progress(&self) -> UploadFile {
        UploadFile {
            file_id: self.id.clone(),
            name: self.name.expose().to_owned(),
            slot: self.slot,
            format: Some(self.format),
            size_bytes: self.size_bytes,
            sha256: Some(self.sha256.clone()),
            received_bytes: self.size_bytes,
        }
    }
}

impl UploadingFile {
    /// Returns the file as the widget shows it.
    pub fn progress(&self) -> UploadFile {
        match self {
            Self::Receiving(file) => UploadFile {
                file_id: file.id.clone(),
                name: file.name.expose().to_owned(),
                slot: file.slot,
                format: None,
                size_bytes: file.size_bytes,
                sha256: file.sha256.clone(),
                received_bytes: file.received_bytes,
            },
            Self::Complete(file) => file.progress(),
        }
    }
}
