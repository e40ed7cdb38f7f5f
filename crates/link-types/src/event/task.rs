//! Events about tasks, with the data points that were read.

use serde::{Deserialize, Serialize};

use crate::{
    TaskErrorCode,
    account::MonitorStatus,
    data::{DataPointKind, Payload, SourceType},
    id::{ProviderId, UserId},
    task::{TaskStatus, TaskType},
};

/// `data` of TASK_STARTED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskStarted {
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Account or archive that the task reads.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Purpose of the task.
    pub task_type: TaskType,
    /// Provider that the task reads from.
    pub providers: Vec<ProviderId>,
}

/// Data points that a finished task read. An empty object unless the webhook sets `includePayload`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EventPayload {
    /// Data points, with the keys of all kinds.
    Full(Box<Payload>),
    /// Empty object, if the webhook does not set `includePayload`.
    Empty {},
}

impl Default for EventPayload {
    fn default() -> Self {
        Self::Empty {}
    }
}

/// `data` of TASK_FINISHED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskFinished {
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Account or archive that the task read.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Purpose of the task.
    pub task_type: TaskType,
    /// SUCCEEDED, PARTIAL or FAILED.
    pub status: TaskStatus,
    /// Reason why data is missing: an account linking error code, or the code of the archive. Null if nothing failed.
    pub error_code: Option<TaskErrorCode>,
    /// Provider that the task read from.
    pub providers: Vec<ProviderId>,
    /// Kinds of data points that were read. Note the spelling: ACCOUNT_SYNC_TASK_FINISHED has `dataPoints`.
    pub datapoints: Vec<DataPointKind>,
    /// Data points that were read. An empty object unless the webhook sets `includePayload`.
    pub payload: EventPayload,
}

/// `data` of ACCOUNT_SYNC_TASK_FINISHED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSyncTaskFinished {
    /// User who owns the account.
    pub user_id: UserId,
    /// Account that was synced.
    #[cfg_attr(feature = "schema", schema(example = "a-0192f0c1a2b37c4d8e5f60718293a4b5"))]
    pub source_id: String,
    /// Always ACCOUNT.
    pub source_type: SourceType,
    /// Provider that the task read from.
    pub providers: Vec<ProviderId>,
    /// SUCCEEDED, PARTIAL or FAILED.
    pub status: TaskStatus,
    /// Status of continuous sync.
    pub monitor_status: MonitorStatus,
    /// Kinds of data points with new or changed items. Empty if the sync found no change.
    pub data_points: Vec<DataPointKind>,
    /// Data points of the kinds in `dataPoints`, including unchanged items. An empty object unless the webhook sets
    /// `includePayload`.
    pub payload: EventPayload,
}
