//! The requests to endpoints that the REST interface has too, with a member as the caller, and their responses.

use link_types::clock::Clock;
use link_types::console::{LoggedRequests, WebhookHealth};
use link_types::event::EventType;
use link_types::id::{DeliveryId, EventId, ScenarioId};
use link_types::list;
use link_types::scenario::ScenarioAsk;
use link_types::webhook::{Delivery, DeliveryStatus, PingResult, Webhook};
use link_types::{LinkErrorCode, Mode};
use serde::{Deserialize, Serialize};

use super::request::Body;
use super::webhook_key::WebhookKey;

/// A request about an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// List the webhooks.
    ListWebhooks,
    /// Ask how the latest deliveries of each webhook went.
    WebhookHealth,
    /// Register a webhook, with a secret that the shell creates.
    CreateWebhook(WebhookDraft),
    /// Read a webhook.
    GetWebhook(WebhookKey),
    /// Pause or resume a webhook.
    SetActive(WebhookKey, Activity),
    /// Rotate the secret of a webhook. The shell creates the next one.
    RotateSecret(WebhookKey),
    /// Send a ping.
    Ping(WebhookKey),
    /// Delete a webhook.
    DeleteWebhook(WebhookKey),
    /// List deliveries.
    ListDeliveries(WebhookKey, DeliveryQuery),
    /// Read a delivery with all its attempts.
    GetDelivery(WebhookKey, DeliveryId),
    /// Send a delivery again.
    Resend(WebhookKey, DeliveryId),
    /// Read the body of an event.
    GetEvent(EventId),
    /// Read an example of an event.
    Example(EventType),
    /// Emit a test event.
    Fire(Fired),
    /// List the logins of the sandbox, from a cursor on.
    ListLogins(Option<String>),
    /// Create a login.
    CreateLogin(LoginDraft),
    /// Delete a login.
    DeleteLogin(ScenarioId),
    /// Read the clock of the sandbox.
    ReadClock,
    /// Advance the clock.
    Advance(Advance),
    /// Stop the clock.
    StopClock,
    /// List the latest requests.
    ListRequests,
}

/// The successful response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestResponse {
    /// Webhooks.
    Webhooks(Vec<Webhook>),
    /// How the latest deliveries went.
    Health(Vec<WebhookHealth>),
    /// A webhook.
    Webhook(Box<Webhook>),
    /// A webhook, with the secret that the shell created.
    Secret(Box<Webhook>, String),
    /// The result of a ping.
    Ping(Box<PingResult>),
    /// A page of deliveries.
    Deliveries(list::Page<Delivery>),
    /// A delivery.
    Delivery(Box<Delivery>),
    /// The body of an event, as it is sent.
    Event(String),
    /// Logins of the sandbox.
    Logins(Box<Logins>),
    /// The clock of the sandbox.
    Clock(Box<Clock>),
    /// The latest requests.
    Requests(Box<LoggedRequests>),
    /// Done.
    Done,
}

/// A webhook to register. The shell adds the secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDraft {
    /// Address.
    pub url: String,
    /// Event types, or `ALL_EVENTS`.
    pub event_types: Vec<String>,
}

/// Whether a webhook receives events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Activity {
    /// Whether it does.
    pub active: bool,
}

/// A test event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fired {
    /// Its type.
    pub r#type: EventType,
}

/// How far to advance the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Advance {
    /// In seconds.
    pub seconds: u32,
}

/// The filters of a list of deliveries, and where it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryQuery {
    /// Status.
    pub status: Option<DeliveryStatus>,
    /// Type of the event.
    pub event_type: Option<EventType>,
    /// First day, as the browser's field has it: `2026-11-20`, or empty.
    pub first_day: String,
    /// Last day.
    pub last_day: String,
    /// The next page.
    pub cursor: Option<String>,
}

/// A login to create.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoginDraft {
    /// Login name.
    pub login: String,
    /// Challenges.
    pub asks: Vec<ScenarioAsk>,
    /// Error at the end.
    pub error_code: Option<LinkErrorCode>,
}

/// The logins of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Logins {
    /// Those of every sandbox.
    pub published: Published,
    /// The tenant's own.
    pub items: Vec<Login>,
    /// The next page of the tenant's own.
    pub next_cursor: Option<String>,
}

/// The logins of every sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Published {
    /// The password of all of them.
    pub password: String,
    /// The logins.
    pub logins: Vec<PublishedLogin>,
}

/// A login of every sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PublishedLogin {
    /// Login name.
    pub login: String,
    /// Outcome of the login.
    pub description: String,
    /// The right answers to its challenges.
    pub answers: Vec<Option<String>>,
}

/// A login of the tenant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    /// Identifier.
    pub id: ScenarioId,
    /// Login name.
    pub login: String,
    /// Password.
    pub password: String,
    /// Challenges.
    pub asks: Vec<ScenarioAsk>,
    /// Error at the end.
    pub error_code: Option<LinkErrorCode>,
}

impl Rest {
    /// Returns the method, the path below `/console/api`, and the body.
    pub fn parts(&self, mode: Mode) -> (&'static str, String, Body<'_>) {
        let (method, path, body) = match self {
            Self::ListWebhooks => ("GET", "webhooks".into(), Body::None),
            Self::WebhookHealth => ("GET", "webhookHealth".into(), Body::None),
            Self::CreateWebhook(draft) => ("POST", "webhooks".into(), Body::NewWebhook(draft)),
            Self::GetWebhook(id) => ("GET", format!("webhooks/{id}"), Body::None),
            Self::SetActive(id, activity) => ("PATCH", format!("webhooks/{id}"), Body::Activity(activity)),
            Self::RotateSecret(id) => ("POST", format!("webhooks/{id}/rotateSecret"), Body::NewSecret),
            Self::Ping(id) => ("POST", format!("webhooks/{id}/ping"), Body::None),
            Self::DeleteWebhook(id) => ("DELETE", format!("webhooks/{id}"), Body::None),
            Self::ListDeliveries(id, query) => {
                ("GET", format!("webhooks/{id}/deliveries{}", query.text()), Body::None)
            }
            Self::GetDelivery(id, delivery) => {
                ("GET", format!("webhooks/{id}/deliveries/{delivery}"), Body::None)
            }
            Self::Resend(id, delivery) => {
                ("POST", format!("webhooks/{id}/deliveries/{delivery}/resend"), Body::None)
            }
            Self::GetEvent(id) => ("GET", format!("events/{id}"), Body::None),
            Self::Example(event_type) => ("GET", format!("examples/{event_type}"), Body::None),
            Self::Fire(fired) => ("POST", "events/fire".into(), Body::Fired(fired)),
            Self::ListLogins(None) => ("GET", "scenarios".into(), Body::None),
            Self::ListLogins(Some(cursor)) => ("GET", format!("scenarios?cursor={cursor}"), Body::None),
            Self::CreateLogin(draft) => ("POST", "scenarios".into(), Body::Login(draft)),
            Self::DeleteLogin(id) => ("DELETE", format!("scenarios/{id}"), Body::None),
            Self::ReadClock => ("GET", "clock".into(), Body::None),
            Self::Advance(advance) => ("POST", "clock/advance".into(), Body::Advance(advance)),
            Self::StopClock => ("DELETE", "clock/advance".into(), Body::None),
            Self::ListRequests => ("GET", "requests".into(), Body::None),
        };
        let environment = match mode {
            Mode::Sandbox => "sandbox",
            Mode::Production => "production",
        };
        (method, format!("/{environment}/{path}"), body)
    }
}

impl DeliveryQuery {
    /// Returns whether a filter is set.
    pub fn has_filter(&self) -> bool {
        let all = Self { cursor: self.cursor.clone(), ..Self::default() };
        *self != all
    }

    fn text(&self) -> String {
        let fields = [
            ("status", self.status.map(DeliveryStatus::as_str)),
            ("eventType", self.event_type.map(EventType::as_str)),
            ("startDate", Some(self.first_day.as_str())),
            ("endDate", Some(self.last_day.as_str())),
            ("cursor", self.cursor.as_deref()),
        ];
        let given = fields.iter().filter_map(|(name, value)| value.map(|value| (name, value)));
        let mut query = String::from("?size=25");
        for (name, value) in given.filter(|(_, value)| !value.is_empty()) {
            query.push_str(&format!("&{name}={value}"));
        }
        query
    }
}
