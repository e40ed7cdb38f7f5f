//! A task: one run of reading data from a source.

use link_types::LinkErrorCode;
use link_types::archive::ArchiveErrorCode;
use link_types::data::DataPointKind;
use link_types::event::TaskStarted;
use link_types::id::{ProviderId, TaskId, UserId};
use link_types::task::{TaskStatus, TaskType};
use serde::{Deserialize, Serialize};

use crate::clock::TenantTime;
use crate::owner::Owner;
use crate::source::Source;

/// A task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// The id.
    pub id: TaskId,
    /// Whose task.
    pub owner: Owner,
    /// What it is for.
    pub task_type: TaskType,
    /// The person.
    pub user_id: UserId,
    /// What it reads.
    #[serde(flatten)]
    pub source: Source,
    /// The source's provider.
    pub provider_id: ProviderId,
    /// When it started.
    pub started_at: TenantTime,
    /// How far it has come.
    pub state: TaskState,
}

/// How far a task has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaskState {
    /// Under way.
    Started {},
    /// Over.
    #[serde(rename_all = "camelCase")]
    Finished {
        /// When.
        at: TenantTime,
        /// How it ended.
        ending: TaskEnding,
        /// The kinds of data points read.
        datapoints: Vec<DataPointKind>,
    },
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaskEnding {
    /// Everything was read.
    Succeeded,
    /// Some of it could not be read, for this reason.
    Partial(LinkErrorCode),
    /// Some pages of the archive could not be read.
    ReadInPart,
    /// Nothing could be read, for this reason.
    Failed(LinkErrorCode),
    /// The archive could not be read, for this reason.
    Unread(ArchiveErrorCode),
    /// The archive was taken back before it was read.
    Withdrawn,
}

impl TaskEnding {
    /// The ending in the interface's words.
    pub const fn status(self) -> TaskStatus {
        match self {
            Self::Succeeded => TaskStatus::Succeeded,
            Self::Partial(_) | Self::ReadInPart => TaskStatus::Partial,
            Self::Failed(_) | Self::Unread(_) | Self::Withdrawn => TaskStatus::Failed,
        }
    }

    /// Why it is not all, in the words that tasks have. What is wrong with a document they cannot say:
    /// ARCHIVE_FAILED does.
    pub const fn error_code(self) -> Option<LinkErrorCode> {
        match self {
            Self::Succeeded => None,
            Self::Partial(code) | Self::Failed(code) => Some(code),
            Self::Unread(ArchiveErrorCode::ServiceUnavailable) => Some(LinkErrorCode::ServiceUnavailable),
            Self::Unread(ArchiveErrorCode::SystemError) => Some(LinkErrorCode::SystemError),
            Self::Unread(
                ArchiveErrorCode::FileUnableToRecognize
                | ArchiveErrorCode::FileWrongType
                | ArchiveErrorCode::FileUnreadable,
            )
            | Self::ReadInPart
            | Self::Withdrawn => None,
        }
    }
}

impl Task {
    /// The status in the interface's words.
    pub const fn status(&self) -> TaskStatus {
        match &self.state {
            TaskState::Started {} => TaskStatus::Started,
            TaskState::Finished { ending, .. } => ending.status(),
        }
    }

    /// The task, ended.
    pub fn finished(self, at: TenantTime, ending: TaskEnding, datapoints: Vec<DataPointKind>) -> Self {
        Self { state: TaskState::Finished { at, ending, datapoints }, ..self }
    }

    /// TASK_STARTED of this task.
    pub(crate) fn started_event(&self) -> TaskStarted {
        TaskStarted {
            user_id: self.user_id.clone(),
            source_id: self.source.as_str().to_owned(),
            source_type: self.source.source_type(),
            task_type: self.task_type,
            providers: vec![self.provider_id.clone()],
        }
    }

    /// The task as REST shows it.
    pub fn view(&self) -> link_types::task::Task {
        let (finished_at, error_code, datapoints) = match &self.state {
            TaskState::Started {} => (None, None, Vec::new()),
            TaskState::Finished { at, ending, datapoints } => {
                (Some((*at).into()), ending.error_code(), datapoints.clone())
            }
        };
        link_types::task::Task {
            id: self.id.clone(),
            task_type: self.task_type,
            user_id: self.user_id.clone(),
            source_id: self.source.as_str().to_owned(),
            source_type: self.source.source_type(),
            providers: vec![self.provider_id.clone()],
            status: self.status(),
            error_code,
            datapoints,
            started_at: self.started_at.into(),
            finished_at,
        }
    }
}
