//! Where the person is in the widget, for the argument of `onClose`.

use link_types::ErrorCode;
use link_types::host::{CloseReason, Closed, UiEventName};
use link_types::id::ProviderId;

/// The last page, provider and failure of this opening.
#[derive(Debug, Default)]
pub(crate) struct ClosingPoint {
    page: Option<UiEventName>,
    provider: Option<ProviderId>,
    error: Option<ErrorCode>,
}

impl ClosingPoint {
    /// Records the page that a UI event opened.
    pub(crate) fn record_event(&mut self, event: UiEventName) {
        if event.is_page() {
            self.page = Some(event);
        }
    }

    /// Records the provider, and drops the error of another.
    pub(crate) fn set_provider(&mut self, provider: &ProviderId) {
        if self.provider.as_ref() != Some(provider) {
            *self = Self { page: self.page, provider: Some(provider.clone()), error: None };
        }
    }

    /// Records why linking failed, or `None` if it succeeded.
    pub(crate) fn set_error(&mut self, error: Option<ErrorCode>) {
        self.error = error;
    }

    /// Returns the argument of `onClose`.
    pub(crate) fn to_closed(&self, reason: CloseReason) -> Closed {
        Closed {
            reason,
            last_page: self.page,
            provider_id: self.provider.clone(),
            error_code: self.error.clone(),
        }
    }
}
