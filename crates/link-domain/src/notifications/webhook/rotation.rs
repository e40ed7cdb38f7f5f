//! The rotation of a webhook's secret.

use std::time::Duration;

/// How long both secrets sign, unless the new one is confirmed earlier: 24 hours.
pub const ROTATION: Duration = Duration::from_secs(24 * 3_600);

/// Error for a webhook without a rotation in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no secret is being rotated")]
pub struct NoRotationError;
