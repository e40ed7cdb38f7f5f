//! Events about tasks, with the data points that were read.

use serde::{Deserialize, Serialize};

use crate::{
    LinkErrorCode,
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
    /// Data points, with all eleven keys.
    Full(Box<Payload>),
    /// Empty object, if the webhook does not set `includePayload`.
    Empty {},
}

impl Default for EventPayload {
    fn default() -> Self {
        Self::Empty {}
    }
}

words! {
    /// Kind of data point listed in TASK_FINISHED. The interface limits the list to these seven kinds. Other kinds are
    /// reported by their own `*_ADDED` events, and the task resource lists every kind.
    TaskFinishedDataPoint {
        /// Identity of the person.
        Identities = "IDENTITIES",
        /// Documents held by the provider.
        Documents = "DOCUMENTS",
        /// Jobs.
        Employments = "EMPLOYMENTS",
        /// Contributions to a fund.
        Contributions = "CONTRIBUTIONS",
        /// Loans.
        Liabilities = "LIABILITIES",
        /// Monthly income estimates.
        Eincomes = "EINCOMES",
        /// Ratings on a platform.
        Ratings = "RATINGS",
    }
}

impl TaskFinishedDataPoint {
    /// Returns the value for a kind, or `None` for the four kinds that the event does not list.
    pub const fn of(kind: DataPointKind) -> Option<Self> {
        match kind {
            DataPointKind::Identities => Some(Self::Identities),
            DataPointKind::Documents => Some(Self::Documents),
            DataPointKind::Employments => Some(Self::Employments),
            DataPointKind::Contributions => Some(Self::Contributions),
            DataPointKind::Liabilities => Some(Self::Liabilities),
            DataPointKind::Eincomes => Some(Self::Eincomes),
            DataPointKind::Ratings => Some(Self::Ratings),
            DataPointKind::Incomes
            | DataPointKind::Transactions
            | DataPointKind::Links
            | DataPointKind::Insights => None,
        }
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
    /// Account linking error code. Null if nothing failed, and for archives that could not be read: ARCHIVE_FAILED and
    /// the task have their code.
    pub error_code: Option<LinkErrorCode>,
    /// Provider that the task read from.
    pub providers: Vec<ProviderId>,
    /// Kinds of data points that were read. Note the spelling: ACCOUNT_SYNC_TASK_FINISHED has `dataPoints`.
    pub datapoints: Vec<TaskFinishedDataPoint>,
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
