//! `linchpin listen` without a tenant: prints the events of an environment, and forwards them if asked.
//!
//! It asks for events and needs no open port. The position is stored after each event, so the command can end at any
//! time, and the next one begins with what this one missed.

mod backoff;
mod position;

use std::time::Duration;

use hyper::Method;
use link_types::event::EventType;
use link_types::id::EventId;
use link_types::{Sensitive, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use self::backoff::Backoff;
use self::position::{Position, Start};
use crate::Machine;
use crate::connection::Access;
use crate::failure::{CallError, TenantCommandError};
use crate::forward::{Forwarder, Reaction, generate_secret};
use crate::rest::Rest;
use crate::shown::harmless;
use crate::terminal::{CommandError, say, say_aside};

/// How long the service waits for an event, in seconds.
const WAIT_SECONDS: u64 = 25;
/// The number of events in a response.
const PAGE_SIZE: usize = 100;
/// The pause after an empty response: the service may be stopping, or another request waits instead.
const EMPTY_PAUSE: Duration = Duration::from_millis(200);

/// The arguments of the command.
pub struct Listening {
    /// The URL to send them to.
    pub forward_to: Option<String>,
    /// Only these types; all if empty.
    pub events: Vec<EventType>,
    /// The signing key.
    pub secret: Option<String>,
    /// Where to start, instead of the stored position.
    pub since: Option<Since>,
    /// The name of the position, if a machine has several.
    pub name: String,
}

/// Where to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// With the next event.
    Now,
    /// With the first event since a time.
    Time(Timestamp),
}

impl std::str::FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "now" {
            return Ok(Self::Now);
        }
        text.parse()
            .map(Self::Time)
            .map_err(|_| "expected `now` or a time like 2026-11-20T11:00:00Z".to_owned())
    }
}

/// A response of the service.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FeedPage {
    items: Vec<Box<RawValue>>,
    next_cursor: String,
}

/// The fields that every event has. Types that this program does not know are text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    id: EventId,
    r#type: String,
    created_at: Timestamp,
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Line<'a> {
    Begun {
        url: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        forward_to: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        secret: Option<&'a str>,
    },
    Received {
        event: &'a RawValue,
    },
    Forwarded {
        event: &'a RawValue,
        #[serde(flatten)]
        reaction: Reaction,
        millis: u64,
    },
}

/// Follows the events of the API key's environment until it is interrupted.
///
/// # Errors
/// [`TenantCommandError`] if the service refuses the requests lastingly, or a file cannot be used. It waits for the end of
/// an outage.
pub fn run(access: &Access, machine: Machine<'_>, listening: Listening) -> Result<(), CommandError> {
    let credentials = access.connection.credentials()?;
    let mut listener = Listener {
        rest: Rest::new(&credentials)?,
        position: Position::open(&format!("{}-{}", credentials.name(), listening.name))?,
        backoff: Backoff::default(),
        json: access.json,
    };
    let forwarder = match &listening.forward_to {
        Some(url) => Some(Forwarder::new(url, listener.secret(machine, listening.secret.as_deref())?)?),
        None => None,
    };
    listener.start(listening.since)?;
    listener.greet(forwarder.as_ref())?;
    let types: Vec<&str> = listening.events.iter().map(|it| it.as_str()).collect();
    loop {
        let page = listener.read(&listener.query(), Duration::from_secs(WAIT_SECONDS))?;
        let mut ids = Vec::with_capacity(page.items.len());
        for event in &page.items {
            let envelope: Envelope = serde_json::from_str(event.get())?;
            ids.push(envelope.id.clone());
            if listener.position.is_handled(&envelope.id) {
                continue;
            }
            let is_selected = types.is_empty() || types.contains(&envelope.r#type.as_str());
            let forwarder = forwarder.as_ref().filter(|_| is_selected);
            let sent = forwarder.map(|it| it.forward_patiently(machine, &envelope.id, event.get()));
            // Nothing is lost if the command ends here: an event is sent, or else printed, before its id is stored.
            if sent.is_none() && is_selected {
                listener.print(&envelope, event, None)?;
            }
            listener.position.add_handled(&envelope.id)?;
            if sent.is_some() {
                listener.print(&envelope, event, sent)?;
            }
        }
        listener.position.move_to(page.next_cursor, &ids)?;
        if page.items.is_empty() {
            std::thread::sleep(EMPTY_PAUSE);
        }
    }
}

struct Listener {
    rest: Rest,
    position: Position,
    backoff: Backoff,
    json: bool,
}

impl Listener {
    /// Returns the signing key: the given one, or one that is generated once.
    fn secret(&mut self, machine: Machine<'_>, given: Option<&str>) -> Result<Sensitive, TenantCommandError> {
        if let Some(secret) = given.or(self.position.secret()) {
            return Ok(Sensitive::new(secret));
        }
        let secret = generate_secret(machine);
        self.position.set_secret(secret.expose())?;
        Ok(secret)
    }

    /// Moves to the position at which to start, unless the stored one is used.
    fn start(&mut self, since: Option<Since>) -> Result<(), TenantCommandError> {
        match since {
            None if self.position.start().is_some() => Ok(()),
            None | Some(Since::Now) => {
                let page = self.read("", Duration::ZERO)?;
                self.position.restart(Start::Cursor(page.next_cursor))
            }
            Some(Since::Time(time)) => self.position.restart(Start::Since(time)),
        }
    }

    /// Returns the query of the next page.
    fn query(&self) -> String {
        let start = match self.position.start() {
            Some(Start::Cursor(cursor)) => format!("cursor={cursor}&"),
            Some(Start::Since(time)) => format!("since={time}&"),
            None => String::new(),
        };
        format!("{start}size={PAGE_SIZE}&waitSeconds={WAIT_SECONDS}")
    }

    /// Reads a page. Tries again while the service is away, and says so once.
    fn read(&mut self, query: &str, wait: Duration) -> Result<FeedPage, TenantCommandError> {
        let path = format!("/events/feed?{query}");
        loop {
            match self.rest.call((Method::GET, &path), None, wait) {
                Ok(page) => {
                    if self.backoff.succeed() {
                        say_aside("linchpin: the service responds again");
                    }
                    return Ok(page);
                }
                Err(error) if error.is_temporary() => {
                    let (pause, is_first) = self.backoff.fail(&error);
                    if is_first {
                        let (base, cause) = (self.rest.base(), error.cause());
                        say_aside(&format!(
                            "linchpin: {base} does not respond ({cause}). Trying until it does"
                        ));
                    }
                    std::thread::sleep(pause);
                }
                Err(CallError::Refused { detail, fields, .. }) if fields.iter().any(|it| it == "cursor") => {
                    return Err(TenantCommandError::Refused(format!(
                        "the service does not know the stored position: {detail}\nIt was perhaps installed again. To start \
                         with the next event, add --since now"
                    )));
                }
                Err(error) => return Err(error.explain(self.rest.base())),
            }
        }
    }

    fn greet(&self, forwarder: Option<&Forwarder>) -> Result<(), CommandError> {
        let (url, forward_to) = (self.rest.base(), forwarder.map(Forwarder::url));
        let secret = forwarder.map(|it| it.secret().expose());
        if self.json {
            return say(&serde_json::to_string(&Line::Begun { url, forward_to, secret })?);
        }
        match forward_to.zip(secret) {
            Some((to, secret)) => say(&format!("Forwarding events of {url} to {to}\nSigning key: {secret}")),
            None => say(&format!("Listening to events of {url}")),
        }
    }

    fn print(
        &self,
        envelope: &Envelope,
        event: &RawValue,
        sent: Option<(Reaction, Duration)>,
    ) -> Result<(), CommandError> {
        let line = match (self.json, sent) {
            (true, Some((reaction, took))) => {
                let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                serde_json::to_string(&Line::Forwarded { event, reaction, millis })?
            }
            (true, None) => serde_json::to_string(&Line::Received { event })?,
            (false, sent) => {
                let Envelope { id, r#type, created_at } = envelope;
                let r#type: String = r#type.chars().map(harmless).collect();
                let end = sent.map(|(reaction, took)| format!("  -> {reaction} ({} ms)", took.as_millis()));
                format!("{created_at}  {type}  {id}{}", end.unwrap_or_default())
            }
        };
        say(&line)
    }
}
