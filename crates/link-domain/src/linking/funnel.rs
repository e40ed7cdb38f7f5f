//! The funnel: counts of the openings of the widget that reached a step, without users.

mod count;
mod report;

use std::time::Duration;

use link_types::console::funnel::FunnelStep;
use link_types::id::{LinkTemplateId, ProviderId};
use link_types::{Date, LinkErrorCode, Timestamp};
use serde::{Deserialize, Serialize};

pub use count::OpeningView;
pub use report::{Counted, CountedError, FoundCounts, report};

use crate::kernel::clock::Wall;
use crate::kernel::owner::Owner;

/// How long counts are kept: 400 days, so that a month can be compared with the same one of the year before.
pub const FUNNEL_MEMORY: Duration = Duration::from_secs(400 * 86_400);
/// The maximum number of keys that one opening is counted under. Further providers of it are not counted, but its steps are.
const MAX_COUNTED: usize = 100;

/// The day of a time in UTC, on which an opening counts.
pub fn funnel_day(at: Wall) -> Date {
    Timestamp::from_micros(at.micros()).date()
}

/// A key of the counts. An opening counts under each key without an error once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FunnelKey {
    /// Step that the opening reached.
    pub step: FunnelStep,
    /// Provider of the step. `None` for the count of the step at all providers together.
    pub provider: Option<ProviderId>,
    /// Error that was seen, which counts each time. `None` for the openings in which the step was reached.
    pub error: Option<LinkErrorCode>,
}

impl FunnelKey {
    const fn of_step(step: FunnelStep) -> Self {
        Self { step, provider: None, error: None }
    }
}

/// An opening as far as it is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedOpening {
    /// Its keys so far, without errors.
    pub counted: Vec<FunnelKey>,
    /// Day of its first key, on which all its steps count. `None` if it has none.
    pub day: Option<Date>,
    /// Highest number of its events.
    pub last_seq: u32,
}

/// One opening that reached a step for the first time. The store adds it to the count of its day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunnelCount {
    /// Tenant and environment of the opening.
    pub owner: Owner,
    /// Day, UTC.
    pub day: Date,
    /// Link template of the opening.
    pub template_id: LinkTemplateId,
    /// Key of the count.
    pub key: FunnelKey,
}

impl FunnelCount {
    /// Returns the count of an answer to the survey of what a person could not find.
    pub fn of_survey(owner: Owner, template_id: LinkTemplateId, at: Wall) -> Self {
        Self { owner, day: funnel_day(at), template_id, key: FunnelKey::of_step(FunnelStep::CouldNotFind) }
    }
}
