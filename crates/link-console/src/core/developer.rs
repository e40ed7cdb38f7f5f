//! The developers' pages: webhooks and their deliveries, events, the sandbox, and the latest requests.

pub mod curl;
pub mod log;
mod respond;
#[cfg(test)]
mod tests;
mod transition;
pub mod verify;

use link_types::clock::Clock;
use link_types::console::{LoggedRequests, WebhookHealth};
use link_types::event::EventType;
use link_types::id::DeliveryId;
use link_types::scenario::ScenarioAsk;
use link_types::webhook::{ALL_EVENTS, Delivery, DeliveryStatus, PingResult, Webhook};
use link_types::{LinkErrorCode, Mode};

use self::log::LogFilter;
use self::verify::{Digests, Verify};
use super::loaded::{Form, Loaded};
use super::rest::{DeliveryQuery, LoginDraft, Logins, WebhookDraft};
use super::webhook_key::WebhookKey;

/// The state of the developers' pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Developer {
    /// Webhooks of the page's environment.
    pub webhooks: Loaded<Vec<Webhook>>,
    /// How their latest deliveries went. Empty if it is not known.
    pub health: Vec<WebhookHealth>,
    /// The form for a new webhook of the sandbox.
    pub sandbox_webhook: Form<WebhookDraft>,
    /// The form for a new webhook of production.
    pub production_webhook: Form<WebhookDraft>,
    /// The webhook of the page.
    pub webhook: Loaded<Webhook>,
    /// The filters of its deliveries.
    pub query: DeliveryQuery,
    /// Its deliveries.
    pub deliveries: Loaded<Vec<Delivery>>,
    /// The next page of its deliveries.
    pub next: Option<String>,
    /// The delivery whose panel is open.
    pub opened: Option<Opened>,
    /// The last ping. `None` before the first one.
    pub ping: Option<Loaded<PingResult>>,
    /// The check of a signature.
    pub verify: Verify,
    /// The event type that was chosen, and its example.
    pub example: Option<(EventType, Loaded<String>)>,
    /// The test event that was emitted last, or why it was not.
    pub fired: Option<Loaded<String>>,
    /// Logins of the sandbox.
    pub logins: Loaded<Logins>,
    /// The form for a new login.
    pub login_form: Form<LoginDraft>,
    /// The clock of the sandbox.
    pub clock: Loaded<Clock>,
    /// The latest requests.
    pub requests: Loaded<LoggedRequests>,
    /// Their filters.
    pub log_filter: LogFilter,
    /// How often the page asks again by itself for what is about to change.
    polls_left: u8,
}

/// The panel of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Identifier of the delivery.
    pub id: DeliveryId,
    /// The delivery with all its attempts.
    pub delivery: Loaded<Delivery>,
    /// The body of its event.
    pub body: Loaded<String>,
    /// Whether the delivery is being sent again.
    pub is_sending: bool,
}

/// Something that happened on one of the developers' pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The address of the new webhook changed.
    UrlTyped(String),
    /// All events were chosen for the new webhook, or only some.
    AllChosen(bool),
    /// An event was chosen for the new webhook, or no longer.
    EventToggled(EventType),
    /// The member resumes a webhook.
    Resumed(WebhookKey),
    /// The member wants another secret for a webhook.
    RotationWanted(WebhookKey),
    /// The member wants a ping.
    PingWanted(WebhookKey),
    /// A filter of the deliveries changed.
    StatusChosen(Option<DeliveryStatus>),
    /// A filter of the deliveries changed.
    TypeChosen(Option<EventType>),
    /// A filter of the deliveries changed.
    FirstDayChosen(String),
    /// A filter of the deliveries changed.
    LastDayChosen(String),
    /// The member wants the next page of a list.
    MoreWanted,
    /// The member wants to see a list as it is now.
    RefreshWanted,
    /// The member opens the panel of a delivery.
    DeliveryOpened(Box<Delivery>),
    /// The member closes the panel.
    DeliveryClosed,
    /// The member wants the delivery of the panel to be sent again.
    ResendWanted,
    /// A field of the check of a signature changed.
    SecretTyped(String),
    /// A field of the check of a signature changed.
    SignatureTyped(String),
    /// A field of the check of a signature changed.
    BodyTyped(String),
    /// The member wants the check.
    CheckWanted,
    /// The browser computed the digests, or could not.
    Digested(Option<Digests>),
    /// The member chose an event type.
    TypeOpened(EventType),
    /// The member wants a test event of the chosen type.
    FireWanted,
    /// The name of the new login changed.
    LoginTyped(String),
    /// The challenge of the new login changed.
    AskChosen(Option<ScenarioAsk>),
    /// The error of the new login changed.
    ErrorChosen(Option<LinkErrorCode>),
    /// The member advances the clock by a number of seconds.
    AdvanceWanted(u32),
    /// The member stops the clock.
    StopWanted,
    /// The filters of the latest requests changed.
    LogFiltered(LogFilter),
}

impl Developer {
    /// Returns the form for a new webhook of an environment.
    pub const fn webhook_form(&self, mode: Mode) -> &Form<WebhookDraft> {
        match mode {
            Mode::Sandbox => &self.sandbox_webhook,
            Mode::Production => &self.production_webhook,
        }
    }

    pub(in crate::core) const fn webhook_form_mut(&mut self, mode: Mode) -> &mut Form<WebhookDraft> {
        match mode {
            Mode::Sandbox => &mut self.sandbox_webhook,
            Mode::Production => &mut self.production_webhook,
        }
    }

    /// Returns what a member typed, for the next session.
    #[must_use]
    pub(super) fn drafts(self) -> Self {
        Self {
            sandbox_webhook: Form::new(self.sandbox_webhook.draft),
            production_webhook: Form::new(self.production_webhook.draft),
            login_form: Form::new(self.login_form.draft),
            ..Self::default()
        }
    }

    /// Returns whether a form has text that was not sent.
    pub fn has_typed(&self) -> bool {
        let urls = [&self.sandbox_webhook.draft.url, &self.production_webhook.draft.url];
        urls.iter().any(|it| !it.is_empty()) || !self.login_form.draft.login.is_empty()
    }
}

impl WebhookDraft {
    /// Returns a draft that receives all events.
    pub fn empty() -> Self {
        Self { url: String::new(), event_types: vec![ALL_EVENTS.to_owned()] }
    }

    /// Returns whether all events are chosen.
    pub fn has_all(&self) -> bool {
        self.event_types.iter().any(|it| it == ALL_EVENTS)
    }
}

impl Default for Form<WebhookDraft> {
    fn default() -> Self {
        Self::new(WebhookDraft::empty())
    }
}

impl Default for Form<LoginDraft> {
    fn default() -> Self {
        Self::new(LoginDraft::default())
    }
}
