//! The two surfaces that blocks are drawn on.

/// Where a block is drawn. Ids and heading levels differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// On the page.
    Page,
    /// In the alert dialog over the page.
    Overlay,
}

impl Surface {
    /// Returns the id of the heading, which names the page or dialog and takes the focus.
    pub const fn heading_id(self) -> &'static str {
        match self {
            Self::Page => "heading",
            Self::Overlay => "overlay-heading",
        }
    }

    /// Returns the level of the heading.
    pub const fn heading_tag(self) -> &'static str {
        match self {
            Self::Page => "h1",
            Self::Overlay => "h2",
        }
    }
}
