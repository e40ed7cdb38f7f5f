//! Tasks: one run of reading data from a source (`resources.md`: Task).

use serde::{Deserialize, Serialize};

use crate::{
    LinkErrorCode,
    data::{DataPointKind, SourceType},
    id::{ProviderId, TaskId, UserId},
    time::Timestamp,
};

words! {
    /// What a task is for.
    TaskType {
        /// The first read of a newly linked account.
        LinkAccount = "LINK_ACCOUNT",
        /// A later read of a linked account.
        UpdateAccount = "UPDATE_ACCOUNT",
        /// Reading an uploaded archive.
        AnalyzeArchive = "ANALYZE_ARCHIVE",
    }
}

words! {
    /// How far a task has come.
    TaskStatus {
        /// Under way.
        Started = "STARTED",
        /// Everything was read.
        Succeeded = "SUCCEEDED",
        /// Some data points could not be read.
        Partial = "PARTIAL",
        /// Nothing could be read.
        Failed = "FAILED",
    }
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Prefix `task-`.
    pub id: TaskId,
    /// What it is for.
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// The user.
    pub user_id: UserId,
    /// Account or archive.
    pub source_id: String,
    /// Which of the two.
    pub source_type: SourceType,
    /// Providers it reads from.
    pub providers: Vec<ProviderId>,
    /// How far it has come.
    pub status: TaskStatus,
    /// Why it failed.
    pub error_code: Option<LinkErrorCode>,
    /// The data points read.
    pub datapoints: Vec<DataPointKind>,
    /// Start.
    pub started_at: Timestamp,
    /// End; null while under way.
    pub finished_at: Option<Timestamp>,
}
