//! Tasks: runs of reading data from a source (`resources.md`: Task).

use serde::{Deserialize, Serialize};

use crate::{
    data::{DataPointKind, SourceType},
    id::{ProviderId, TaskId, UserId},
    task_error::TaskErrorCode,
    time::Timestamp,
};

words! {
    /// Purpose of a task.
    TaskType {
        /// First read of a newly linked account.
        LinkAccount = "LINK_ACCOUNT",
        /// Later read of a linked account.
        UpdateAccount = "UPDATE_ACCOUNT",
        /// Analysis of an uploaded archive.
        AnalyzeArchive = "ANALYZE_ARCHIVE",
    }
}

words! {
    /// Status of a task.
    TaskStatus {
        /// The task is running.
        Started = "STARTED",
        /// All data points were read.
        Succeeded = "SUCCEEDED",
        /// Some data points could not be read.
        Partial = "PARTIAL",
        /// No data points could be read.
        Failed = "FAILED",
    }
}

/// A run of reading data from an account or archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Unique identifier of the task, with the prefix `task-`.
    pub id: TaskId,
    /// Purpose of the task.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Account or archive that the task reads.
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Provider that the task reads from.
    pub providers: Vec<ProviderId>,
    /// Status of the task.
    pub status: TaskStatus,
    /// Reason for the failure. Null unless the task failed.
    pub error_code: Option<TaskErrorCode>,
    /// Kinds of data points that were read.
    pub datapoints: Vec<DataPointKind>,
    /// Time at which the task started.
    pub started_at: Timestamp,
    /// Time at which the task finished. Null while it is running.
    pub finished_at: Option<Timestamp>,
}
