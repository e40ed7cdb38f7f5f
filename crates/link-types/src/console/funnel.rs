//! The funnel of the developer portal: how many openings of the widget reached each step.

use serde::{Deserialize, Serialize};

/// The maximum number of days of a report.
pub const MAX_DAYS: u16 = 92;
/// The maximum number of providers, errors and templates of a report: those with the most openings.
pub const MAX_LINES: usize = 50;

words! {
    /// A step of an opening of the widget. The first five are the path; the others are next to it.
    FunnelStep {
        /// The widget opened.
        Opened = "OPENED",
        /// The person or the tenant gave consent.
        ConsentGiven = "CONSENT_GIVEN",
        /// The person chose a provider.
        ProviderChosen = "PROVIDER_CHOSEN",
        /// The person submitted a login.
        LoginSubmitted = "LOGIN_SUBMITTED",
        /// The person saw that an account is connected.
        Connected = "CONNECTED",
        /// A challenge opened.
        Challenged = "CHALLENGED",
        /// The person submitted documents.
        FilesSubmitted = "FILES_SUBMITTED",
        /// The person saw an error of a login.
        Failed = "FAILED",
        /// The person answered what they could not find. Each answer counts.
        CouldNotFind = "COULD_NOT_FIND",
    }
}

impl FunnelStep {
    /// The steps of the path, in their order. An opening that reached one has reached those before it.
    pub const PATH: &'static [Self] =
        &[Self::Opened, Self::ConsentGiven, Self::ProviderChosen, Self::LoginSubmitted, Self::Connected];
}

/// The number of openings that reached each step, in the order of [`FunnelStep::ALL`]. Steps at the end without openings may be
/// missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelCounts(Vec<u32>);

impl FunnelCounts {
    /// Returns the number of openings that reached a step.
    pub fn get(&self, step: FunnelStep) -> u32 {
        self.0.get(step as usize).copied().unwrap_or_default()
    }

    /// Adds openings that reached a step.
    pub fn add(&mut self, step: FunnelStep, openings: u32) {
        let place = step as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        if let Some(count) = self.0.get_mut(place) {
            *count = count.saturating_add(openings);
        }
    }
}

/// The openings of a span of days. One type of lines for all lists, because each type that the portal reads makes its program
/// larger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelReport {
    /// First day, UTC, like 2026-11-20.
    pub from: String,
    /// Last day, UTC.
    pub to: String,
    /// Every day of the span, also those without openings: `id` is the day, `counts` its openings.
    pub days: Vec<FunnelLine>,
    /// Providers, most chosen first, at most [`MAX_LINES`]: `id` is the provider. Steps before the choice are 0.
    pub providers: Vec<FunnelLine>,
    /// Errors of logins, most frequent first, at most [`MAX_LINES`]: `id` is the code and `name` the provider. The count of
    /// [`FunnelStep::Failed`] is how often the error was shown.
    pub errors: Vec<FunnelLine>,
    /// Link templates with openings in the span, with any filters, at most [`MAX_LINES`]: `id` and `name` of each. The
    /// name of a deleted template is empty.
    pub templates: Vec<FunnelLine>,
}

/// A line of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelLine {
    /// Day, provider, code or template.
    pub id: String,
    /// A name, if there is one.
    pub name: String,
    /// Openings.
    pub counts: FunnelCounts,
}
