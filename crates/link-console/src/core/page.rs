//! The pages of the portal.

use std::fmt;
use std::str::FromStr;

use link_types::Mode;
use link_types::id::{InvalidIdError, WebhookId};

use super::developer;
use super::request::Request;
use super::rest::DeliveryQuery;
use super::texts::Text;

/// The identifier of a webhook, as a number, so that pages can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookKey(u128);

impl WebhookKey {
    /// Returns the key of a webhook.
    pub fn of(id: &WebhookId) -> Self {
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
        Ok(Self::of(&text.parse()?))
    }
}

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The page of a one-time address.
    Enter,
    /// The first page.
    Overview,
    /// The API keys of an environment.
    Keys(Mode),
    /// The webhooks of an environment.
    Webhooks(Mode),
    /// A webhook of an environment, with its deliveries.
    Webhook(Mode, WebhookKey),
    /// The types of events.
    Events,
    /// The logins of the sandbox.
    Logins,
    /// The clock of the sandbox.
    Clock,
    /// The latest requests to an environment.
    Requests(Mode),
    /// The errors of the latest requests.
    Errors(Mode),
    /// The members of the tenant.
    Members,
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
            Self::Webhooks(_) => Text::Webhooks,
            Self::Webhook(..) => Text::Webhook,
            Self::Events => Text::Events,
            Self::Logins => Text::Logins,
            Self::Clock => Text::Clock,
            Self::Requests(_) => Text::Requests,
            Self::Errors(_) => Text::Errors,
            Self::Members => Text::Members,
            Self::Sessions => Text::Sessions,
            Self::Missing => Text::MissingTitle,
        }
    }

    /// Returns the environment of the page, if it is about one.
    pub const fn mode(self) -> Option<Mode> {
        match self {
            Self::Keys(mode)
            | Self::Webhooks(mode)
            | Self::Webhook(mode, _)
            | Self::Requests(mode)
            | Self::Errors(mode) => Some(mode),
            Self::Events | Self::Logins | Self::Clock => Some(Mode::Sandbox),
            Self::Enter | Self::Overview | Self::Members | Self::Sessions | Self::Missing => None,
        }
    }

    /// Returns the requests that load the page's lists.
    pub fn lists(self) -> Vec<Request> {
        match self {
            Self::Keys(mode) => vec![Request::ListKeys(mode)],
            Self::Members => vec![Request::ListMembers],
            // The names of the members whose sessions they are.
            Self::Sessions => vec![Request::ListSessions, Request::ListMembers],
            Self::Webhooks(_)
            | Self::Webhook(..)
            | Self::Events
            | Self::Logins
            | Self::Clock
            | Self::Requests(_)
            | Self::Errors(_) => developer::lists(self, &DeliveryQuery::default()),
            Self::Enter | Self::Overview | Self::Missing => Vec::new(),
        }
    }
}
