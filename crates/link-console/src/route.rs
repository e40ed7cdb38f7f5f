//! The addresses of the pages.

use link_types::Mode;
use yew_router::Routable;

use crate::core::Page;

/// The addresses of the pages below `/console`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Routable)]
pub enum Route {
    /// The first page.
    #[at("/")]
    Overview,
    /// The page of a one-time address.
    #[at("/enter")]
    Enter,
    /// API keys of the sandbox.
    #[at("/keys/sandbox")]
    SandboxKeys,
    /// API keys of production.
    #[at("/keys/production")]
    ProductionKeys,
    /// Members.
    #[at("/members")]
    Members,
    /// The audit log.
    #[at("/audit")]
    Audit,
    /// Sessions.
    #[at("/sessions")]
    Sessions,
    /// Any other address.
    #[not_found]
    #[at("/missing")]
    Missing,
}

impl Route {
    /// Returns the page at the address.
    pub const fn page(self) -> Page {
        match self {
            Self::Overview => Page::Overview,
            Self::Enter => Page::Enter,
            Self::SandboxKeys => Page::Keys(Mode::Sandbox),
            Self::ProductionKeys => Page::Keys(Mode::Production),
            Self::Members => Page::Members,
            Self::Audit => Page::Audit,
            Self::Sessions => Page::Sessions,
            Self::Missing => Page::Missing,
        }
    }

    /// Returns the address of a page.
    pub const fn for_page(page: Page) -> Self {
        match page {
            Page::Overview => Self::Overview,
            Page::Enter => Self::Enter,
            Page::Keys(Mode::Sandbox) => Self::SandboxKeys,
            Page::Keys(Mode::Production) => Self::ProductionKeys,
            Page::Members => Self::Members,
            Page::Audit => Self::Audit,
            Page::Sessions => Self::Sessions,
            Page::Missing => Self::Missing,
        }
    }
}
