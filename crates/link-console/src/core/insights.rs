//! The pages of the funnel and the usage.

pub mod chart;
pub mod request;
pub mod table;
#[cfg(test)]
mod tests;
mod transition;

use link_types::Month;
use link_types::console::funnel::FunnelReport;
use serde::Deserialize;

use super::loaded::Loaded;

/// The number of months to choose from.
const MONTHS: i32 = 24;

/// The filters of the funnel, which apply at once. Empty texts filter nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunnelFilters {
    /// First day, as the browser's field has it: `2026-11-20`.
    pub from: String,
    /// Last day.
    pub to: String,
    /// Only this link template.
    pub template: String,
    /// Only steps at this provider.
    pub provider: String,
}

/// The chargeable events of a month.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Usage {
    /// Month, UTC, like 2026-11.
    pub month: String,
    /// The number of events.
    pub total: u32,
    /// A line for each kind.
    pub items: Vec<UsageLine>,
}

/// The number of chargeable events of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct UsageLine {
    /// Kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// The number of events.
    pub count: u32,
}

/// Something that happened on one of the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InsightInput {
    /// A filter of the funnel changed.
    Filtered(FunnelFilters),
    /// A month was chosen.
    MonthChosen(Option<Month>),
}

/// The state of the pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Insights {
    /// Filters of the funnel.
    pub filters: FunnelFilters,
    /// The funnel.
    pub funnel: Loaded<Box<FunnelReport>>,
    /// The report before the present one, as long as that is loading.
    last: Option<Box<FunnelReport>>,
    /// The month that was chosen.
    pub month: Option<Month>,
    /// The present month, once it is known.
    pub latest: Option<Month>,
    /// The usage of the month.
    pub usage: Loaded<Box<Usage>>,
}

impl Insights {
    /// Returns the last report, which has the link templates and providers to filter by.
    pub fn last_report(&self) -> Option<&FunnelReport> {
        match &self.funnel {
            Loaded::Ready(report) => Some(report),
            Loaded::Loading | Loaded::Failed(_) => self.last.as_deref(),
        }
    }

    /// Returns the months to choose from, latest first.
    pub fn months(&self) -> impl Iterator<Item = Month> + use<> {
        let latest = self.latest;
        (0..MONTHS).filter_map(move |past| latest.map(|it| it.plus_months(-past)))
    }

    pub(in crate::core) fn forget_lists(&mut self) {
        if let Loaded::Ready(report) = std::mem::take(&mut self.funnel) {
            self.last = Some(report);
        }
        self.usage = Loaded::Loading;
    }
}
