//! Acts of the member on the pages of the funnel and the usage, and the responses.

use link_types::Mode;

use super::request::{InsightRequest, InsightResponse};
use super::{InsightInput, Insights};
use crate::core::failure::Failure;
use crate::core::page::Page;
use crate::core::state::{Loaded, State};
use crate::core::{Effect, Request};

impl Insights {
    /// Returns the request that loads a page, if it is one of these.
    pub(in crate::core) fn request(&self, page: Page) -> Option<Request> {
        if let Page::Funnel(mode) = page {
            Some(Request::Insight(mode, InsightRequest::Funnel(self.filters.clone())))
        } else if let Page::Usage(mode) = page {
            Some(Request::Insight(mode, InsightRequest::Usage(self.month)))
        } else {
            None
        }
    }
}

impl State {
    /// Handles what happened on one of the pages.
    pub(in crate::core) fn handle_insight(&mut self, input: InsightInput) -> Vec<Effect> {
        let it = &mut self.insights;
        match input {
            InsightInput::Filtered(filters) => it.filters = filters,
            InsightInput::MonthChosen(month) => it.month = month,
        }
        it.forget_lists();
        it.request(self.page).map(Effect::Send).into_iter().collect()
    }

    /// Handles a successful response, unless something else was asked for since.
    pub(in crate::core) fn accept_insight(
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
    pub(in crate::core) fn refuse_insight(
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
