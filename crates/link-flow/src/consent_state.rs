//! The consent to the session's terms.

use link_types::link::ConsentReceipt;

/// The consent in this opening of the widget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ConsentState {
    /// There was none.
    #[default]
    Missing,
    /// The person consented, or the tenant vouched for the consent.
    Given(ConsentReceipt),
    /// The terms have changed since the person consented.
    Outdated,
}

impl ConsentState {
    /// Returns the receipt of a consent that counts.
    pub(crate) fn receipt(&self) -> Option<&ConsentReceipt> {
        match self {
            Self::Given(receipt) => Some(receipt),
            Self::Missing | Self::Outdated => None,
        }
    }
}
