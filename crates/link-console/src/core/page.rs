//! The pages of the portal.

use link_types::Mode;

use super::audit::AuditFilters;
use super::request::Request;
use super::texts::Text;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The page of a one-time address.
    Enter,
    /// The first page.
    Overview,
    /// The API keys of an environment.
    Keys(Mode),
    /// The members of the tenant.
    Members,
    /// The audit log.
    Audit,
    /// Sessions.
    Sessions,
    /// An address that is not a page.
    Missing,
}

impl Page {
    /// Returns the heading of the page.
    pub const fn title(self) -> Text {
        match self {
            Self::Enter => Text::EnterTitle,
            Self::Overview => Text::Overview,
            Self::Keys(_) => Text::Keys,
            Self::Members => Text::Members,
            Self::Audit => Text::Audit,
            Self::Sessions => Text::Sessions,
            Self::Missing => Text::MissingTitle,
        }
    }

    /// Returns the requests that load the page's lists.
    pub fn lists(self) -> Vec<Request> {
        match self {
            Self::Keys(mode) => vec![Request::ListKeys(mode)],
            Self::Members => vec![Request::ListMembers],
            // The names of the members who act.
            Self::Audit => vec![Request::ListAudit(AuditFilters::default(), None), Request::ListMembers],
            // The names of the members whose sessions they are.
            Self::Sessions => vec![Request::ListSessions, Request::ListMembers],
            Self::Enter | Self::Overview | Self::Missing => Vec::new(),
        }
    }
}
