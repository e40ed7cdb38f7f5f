//! The pages of the funnel and the usage.

pub mod chart;
pub mod table;
#[cfg(test)]
mod tests;

use link_types::console::funnel::FunnelReport;
use link_types::{Mode, Month};
use serde::Deserialize;

use super::Effect;
use super::failure::Failure;
use super::loaded::Loaded;
use super::page::Page;
use super::request::Request;
use super::state::State;
use super::webhook_key::path_of;

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

/// A request of the pages. Both only read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InsightRequest {
    /// Read the funnel.
    Funnel(FunnelFilters),
    /// Read the usage of a month, by default of the present one.
    Usage(Option<Month>),
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InsightResponse {
    /// The funnel.
    Funnel(Box<FunnelReport>),
    /// The usage of a month.
    Usage(Box<Usage>),
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

impl InsightRequest {
    /// Returns the path below `/console/api`.
    pub fn path(&self, mode: Mode) -> String {
        let environment = path_of(mode);
        match self {
            Self::Funnel(filters) => {
                let FunnelFilters { from, to, template, provider } = filters;
                let values = [("from", from), ("to", to), ("templateId", template), ("providerId", provider)];
                let given = values.iter().filter(|(_, value)| !value.is_empty());
                let query: Vec<_> = given.map(|(name, value)| format!("{name}={value}")).collect();
                format!("/{environment}/funnel?{}", query.join("&"))
            }
            Self::Usage(None) => format!("/{environment}/billing/summary"),
            Self::Usage(Some(month)) => format!("/{environment}/billing/summary?month={month}"),
        }
    }
}

impl Insights {
    /// Returns the request that loads a page, if it is one of these.
    pub fn request(&self, page: Page) -> Option<Request> {
        if let Page::Funnel(mode) = page {
            Some(Request::Insight(mode, InsightRequest::Funnel(self.filters.clone())))
        } else if let Page::Usage(mode) = page {
            Some(Request::Insight(mode, InsightRequest::Usage(self.month)))
        } else {
            None
        }
    }

    /// Returns the last report, which has the link templates and providers to filter by.
    pub fn known(&self) -> Option<&FunnelReport> {
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

    pub(super) fn forget_lists(&mut self) {
        if let Loaded::Ready(report) = std::mem::take(&mut self.funnel) {
            self.last = Some(report);
        }
        self.usage = Loaded::Loading;
    }
}

impl State {
    /// Handles what happened on one of the pages.
    pub(super) fn handle_insight(&mut self, input: InsightInput) -> Vec<Effect> {
        let it = &mut self.insights;
        match input {
            InsightInput::Filtered(filters) => it.filters = filters,
            InsightInput::MonthChosen(month) => it.month = month,
        }
        it.forget_lists();
        it.request(self.page).map(Effect::Send).into_iter().collect()
    }

    /// Handles a successful response, unless something else was asked for since.
    pub(super) fn accept_insight(
        &mut self,
        mode: Mode,
        sent: &InsightRequest,
        response: InsightResponse,
    ) -> Vec<Effect> {
        let it = &mut self.insights;
        if it.request(self.page) != Some(Request::Insight(mode, sent.clone())) {
            return Vec::new();
        }
        match response {
            InsightResponse::Funnel(report) => {
                // The fields show the days that the service chose.
                it.filters.from.clone_from(&report.from);
                it.filters.to.clone_from(&report.to);
                it.funnel = Loaded::Ready(report);
            }
            InsightResponse::Usage(usage) => {
                it.latest = it.latest.or_else(|| usage.month.parse().ok());
                it.usage = Loaded::Ready(usage);
            }
        }
        Vec::new()
    }

    /// Handles a failed request.
    pub(super) fn refuse_insight(
        &mut self,
        mode: Mode,
        sent: &InsightRequest,
        failure: Failure,
    ) -> Vec<Effect> {
        let it = &mut self.insights;
        if it.request(self.page) == Some(Request::Insight(mode, sent.clone())) {
            match sent {
                InsightRequest::Funnel(_) => it.funnel = Loaded::Failed(failure),
                InsightRequest::Usage(_) => it.usage = Loaded::Failed(failure),
            }
        }
        Vec::new()
    }
}
