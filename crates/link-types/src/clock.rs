//! A sandbox's clock.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

words! {
    /// Status of an advance of the clock.
    ClockAdvanceStatus {
        /// The clock is moving.
        Started = "STARTED",
        /// The clock has reached the end.
        Finished = "FINISHED",
        /// The advance was stopped before its end.
        Stopped = "STOPPED",
    }
}

/// The clock of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Clock {
    /// Time on the clock of your sandbox.
    pub now: Timestamp,
    /// Real time.
    pub real_time: Timestamp,
    /// Latest advance. Null if the clock was never advanced.
    pub advance: Option<ClockAdvance>,
}

/// An advance of a sandbox's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClockAdvance {
    /// Status of the advance.
    pub status: ClockAdvanceStatus,
    /// Time on the clock when the advance began.
    pub from: Timestamp,
    /// Time on the clock at which the advance ends.
    pub until: Timestamp,
    /// Number of times the clock has stopped at so far. It stops whenever something is due.
    pub stops: u32,
}
