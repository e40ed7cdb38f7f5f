//! The requests of the pages of the funnel and the usage, and their responses.

use link_types::console::funnel::FunnelReport;
use link_types::{Mode, Month};

use super::{FunnelFilters, Usage};
use crate::core::webhook_key::path_of;

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
