//! A task: a run of reading data from a source.

use link_types::archive::ArchiveErrorCode;
use link_types::data::DataPointKind;
use link_types::event::TaskStarted;
use link_types::id::{ProviderId, TaskId, UserId};
use link_types::task::{TaskStatus, TaskType};
use link_types::{LinkErrorCode, TaskErrorCode};
use serde::{Deserialize, Serialize};

use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;
use crate::kernel::source::Source;

/// A run of reading data from a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Identifier of the task.
    pub id: TaskId,
    /// Tenant and environment of the task.
    pub owner: Owner,
    /// Purpose of the task.
    pub task_type: TaskType,
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Source that the task reads.
    #[serde(flatten)]
    pub source: Source,
    /// Provider of the source.
    pub provider_id: ProviderId,
    /// When the task started.
    pub started_at: TenantTime,
    /// State of the task.
    pub state: TaskState,
}

/// State of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaskState {
    /// The task is running.
    Started {},
    /// The task has finished.
    #[serde(rename_all = "camelCase")]
    Finished {
        /// When the task finished.
        at: TenantTime,
        /// How the task ended.
        ending: TaskEnding,
        /// Kinds of data points that were read.
        datapoints: Vec<DataPointKind>,
    },
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TaskEnding {
    /// All data was read.
    Succeeded,
    /// Some data could not be read, for this reason.
    Partial(LinkErrorCode),
    /// Some pages of the archive could not be read.
    ReadInPart,
    /// No data could be read, for this reason.
    Failed(LinkErrorCode),
    /// The archive could not be read, for this reason.
    Unread(ArchiveErrorCode),
    /// The archive was revoked before it was read.
    Withdrawn,
}

impl TaskEnding {
    /// Returns the status, as the interface defines it.
    pub const fn status(self) -> TaskStatus {
        match self {
            Self::Succeeded => TaskStatus::Succeeded,
            Self::Partial(_) | Self::ReadInPart => TaskStatus::Partial,
            Self::Failed(_) | Self::Unread(_) | Self::Withdrawn => TaskStatus::Failed,
        }
    }

    /// Returns why data is missing, as a task's error code.
    pub const fn error_code(self) -> Option<TaskErrorCode> {
        match self {
            Self::Partial(code) | Self::Failed(code) => Some(TaskErrorCode::of_account(code)),
            Self::Unread(code) => Some(TaskErrorCode::of_archive(code)),
            Self::Succeeded | Self::ReadInPart | Self::Withdrawn => None,
        }
    }
}

impl Task {
    /// Returns the status, as the interface defines it.
    pub const fn status(&self) -> TaskStatus {
        match &self.state {
            TaskState::Started {} => TaskStatus::Started,
            TaskState::Finished { ending, .. } => ending.status(),
        }
    }

    /// Finishes the task.
    pub fn finish(self, at: TenantTime, ending: TaskEnding, datapoints: Vec<DataPointKind>) -> Self {
        Self { state: TaskState::Finished { at, ending, datapoints }, ..self }
    }

    /// Returns the task's TASK_STARTED event.
    pub(crate) fn started_event(&self) -> TaskStarted {
        TaskStarted {
            user_id: self.user_id.clone(),
            source_id: self.source.as_str().to_owned(),
            source_type: self.source.source_type(),
            task_type: self.task_type,
            providers: vec![self.provider_id.clone()],
        }
    }

    /// Returns the task as REST shows it.
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
