//! The drawing of a screen, before `page.rs` adds the header and the footer.

use crate::view::Text;
use crate::view::block::Block;

/// The content of a screen.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) title: Text,
    pub(crate) blocks: Vec<Block>,
    pub(crate) back: bool,
    pub(crate) form: bool,
    pub(crate) footer: Footer,
}

/// The line at the bottom of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Footer {
    None,
    /// The tenant sees only the data that the person agreed to share.
    Consent,
    /// The tenant never sees the password.
    Password,
}

impl Sheet {
    /// Creates a sheet without a form and without a back button.
    pub(crate) fn new(title: Text, footer: Footer, blocks: Vec<Block>) -> Self {
        Self { title, blocks, back: false, form: false, footer }
    }
}
