//! The identifier of a webhook, in the address of its page.

use std::fmt;
use std::str::FromStr;

use link_types::id::{InvalidIdError, WebhookId};

/// The identifier of a webhook, as a number, so that pages can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookKey(u128);

impl WebhookKey {
    /// Returns the key of a webhook.
    pub fn new(id: &WebhookId) -> Self {
        Self(id.as_str().strip_prefix(WebhookId::PREFIX).and_then(hex).unwrap_or_default())
    }
}

fn hex(digits: &str) -> Option<u128> {
    u128::from_str_radix(digits, 16).ok()
}

impl fmt::Display for WebhookKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:032x}", WebhookId::PREFIX, self.0)
    }
}

impl FromStr for WebhookKey {
    type Err = InvalidIdError;

    fn from_str(text: &str) -> Result<Self, InvalidIdError> {
        Ok(Self::new(&text.parse()?))
    }
}
