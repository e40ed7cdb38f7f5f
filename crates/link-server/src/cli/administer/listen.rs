//! `linchpin listen`: forwards a tenant's events to a URL on the developer's machine, as a webhook would receive them.
//! The service does not have to reach that URL, and no webhook is registered.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use clap::Args;
use link_connectors::webhook::{AllowedNetworks, HttpSender};
use link_domain::kernel::system::{Clock, Entropy};
use link_domain::notifications::webhook::signed_headers;
use link_domain::notifications::webhook_sender::{OutboundRequest, SendError, WebhookSender};
use link_types::event::EventType;
use link_types::id::{EventId, TenantId};
use link_types::{Mode, Sensitive, Timestamp};
use serde::{Deserialize, Serialize};

use super::service::{OwnerArgs, Service, event_type};
use crate::adapters::system::{SystemClock, SystemEntropy};
use crate::admin::AdminRequest;
use crate::cli::terminal::{CommandError, say};

/// How far each pass looks back behind the start of the previous one, because a slow unit of work may commit an event
/// with an older id.
const OVERLAP_MILLIS: i64 = 5_000;

#[derive(Args)]
pub(in crate::cli) struct ListenArgs {
    #[command(flatten)]
    owner: OwnerArgs,
    /// URL to send events to, for example http://localhost:3000/webhooks.
    #[arg(long)]
    forward_to: String,
    /// Only these event types, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = event_type(), hide_possible_values = true)]
    events: Vec<EventType>,
    /// Signing key. If absent, one is generated and printed.
    #[arg(long)]
    secret: Option<String>,
    /// Include the data points in TASK_FINISHED.
    #[arg(long)]
    include_payload: bool,
}

/// A response of the service.
#[derive(Deserialize)]
struct EventBatch {
    now: Timestamp,
    /// Whether there are further events.
    more: bool,
    events: Vec<ReceivedEvent>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReceivedEvent {
    id: EventId,
    r#type: EventType,
    created_at: Timestamp,
    body: String,
}

/// A line of output.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Line<'a> {
    /// Forwarding started.
    Begun { tenant: &'a TenantId, mode: Mode, forward_to: &'a str, secret: &'a str },
    /// An event was forwarded.
    Forwarded {
        created_at: Timestamp,
        r#type: EventType,
        id: &'a EventId,
        #[serde(flatten)]
        came_back: CameBack,
    },
}

/// The receiver's reaction to an event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum CameBack {
    /// The status of its response.
    Status(u16),
    /// The reason why there was no response.
    Error(String),
}

impl fmt::Display for CameBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => status.fmt(f),
            Self::Error(error) => f.write_str(error),
        }
    }
}

impl Line<'_> {
    /// Formats the line for people.
    fn text(&self) -> String {
        match self {
            Self::Begun { tenant, mode, forward_to, secret } => {
                format!("Forwarding events of {tenant} ({mode}) to {forward_to}\nSigning key: {secret}")
            }
            Self::Forwarded { created_at, r#type, id, came_back } => {
                format!("{created_at}  {type}  {id}  -> {came_back}")
            }
        }
    }
}

impl ListenArgs {
    pub(super) fn run(self, service: &Service) -> Result<(), CommandError> {
        let Self { owner, forward_to, events, secret, include_payload } = self;
        let secret = Sensitive::new(secret.unwrap_or_else(generated_secret));
        let (tenant, mode) = owner.parts();
        let ask = |since, after| {
            let tenant = tenant.clone();
            let request = AdminRequest::EventsSince { tenant, mode, since, after, include_payload };
            let response = service.ask(&request)?;
            Ok::<EventBatch, CommandError>(serde_json::from_value(response)?)
        };
        let forwarder = Forwarder::new(&forward_to, secret)?;
        let mut cursor = Cursor::from(ask(None, None)?.now);
        let print = |line: Line<'_>| -> Result<(), CommandError> {
            say(&if service.json { serde_json::to_string(&line)? } else { line.text() })
        };
        print(Line::Begun {
            tenant: &tenant,
            mode,
            forward_to: &forward_to,
            secret: forwarder.secret.expose(),
        })?;
        loop {
            let batch = ask(Some(cursor.since), cursor.after.clone())?;
            let new = cursor.take(&batch);
            if new.is_empty() && !batch.more {
                // The overlap contains only forwarded events, for which the service responds at once: do not spin.
                std::thread::sleep(Duration::from_millis(200));
            }
            for event in new {
                if events.is_empty() || events.contains(&event.r#type) {
                    print(forwarder.forward(event))?;
                }
            }
        }
    }
}

/// The position in the stream of events.
///
/// The command reads the events in passes. A pass reads all events since a time, in as many batches as that takes. The
/// next pass starts a little before the previous one began, so it finds events that were committed late.
struct Cursor {
    /// The time when forwarding started.
    first: Timestamp,
    /// The start of the next request: events since this time, and after this event of the pass.
    since: Timestamp,
    after: Option<EventId>,
    /// When the current pass began; `None` before its first batch.
    began: Option<Timestamp>,
    /// Forwarded events that a later pass may contain again.
    known: BTreeMap<EventId, Timestamp>,
}

impl Cursor {
    fn from(since: Timestamp) -> Self {
        Self { first: since, since, after: None, began: None, known: BTreeMap::new() }
    }

    /// Advances past a batch, and returns its events that are new.
    fn take<'a>(&mut self, batch: &'a EventBatch) -> Vec<&'a ReceivedEvent> {
        let began = *self.began.get_or_insert(batch.now);
        let new = batch
            .events
            .iter()
            .filter(|event| self.known.insert(event.id.clone(), event.created_at).is_none())
            .collect();
        self.after = batch.events.last().filter(|_| batch.more).map(|newest| newest.id.clone());
        if self.after.is_none() {
            let next = began.plus_millis(-OVERLAP_MILLIS).max(self.first);
            self.known.retain(|_, created_at| *created_at >= next);
            (self.since, self.began) = (next, None);
        }
        new
    }
}

struct Forwarder {
    url: String,
    secret: Sensitive,
    sender: HttpSender,
    runtime: tokio::runtime::Runtime,
}

impl Forwarder {
    fn new(url: &str, secret: Sensitive) -> Result<Self, CommandError> {
        let own = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];
        let sender = HttpSender::new(AllowedNetworks::parse(own)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        if let Err(error) = sender.vet(url, false) {
            let fault = if error == SendError::AddressRefused {
                "is not an http or https URL".to_owned()
            } else if error == SendError::NetworkRefused {
                "is not on this machine or a private network".to_owned()
            } else {
                format!("cannot be reached: {error}")
            };
            return Err(
                format!("--forward-to {url} {fault}. Use a URL like http://localhost:3000/webhooks").into()
            );
        }
        Ok(Self { url: url.to_owned(), secret, sender, runtime })
    }

    /// Sends one event once, and returns the line to print.
    fn forward<'a>(&self, event: &'a ReceivedEvent) -> Line<'a> {
        let body = event.body.clone().into_bytes();
        let headers = signed_headers(&self.secret, None, event.id.as_str(), SystemClock.now(), &body);
        let request = OutboundRequest { url: self.url.clone(), https_only: false, headers, body };
        let outcome = self.runtime.block_on(self.sender.send(&request));
        let came_back = match outcome.result {
            Ok(response) => CameBack::Status(response.status),
            Err(error) => CameBack::Error(error.to_string()),
        };
        Line::Forwarded { created_at: event.created_at, r#type: event.r#type, id: &event.id, came_back }
    }
}

fn generated_secret() -> String {
    let mut bytes = [0; 32];
    SystemEntropy.fill(&mut bytes);
    format!("lpw_{}", link_domain::kernel::digest::hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_millis(millis)
    }

    fn event(millis: i64) -> ReceivedEvent {
        ReceivedEvent {
            id: EventId::from_bytes([u8::try_from(millis / 1_000).unwrap(); 16]),
            r#type: EventType::UserCreated,
            created_at: at(millis),
            body: String::new(),
        }
    }

    fn batch(now: i64, more: bool, events: &[i64]) -> EventBatch {
        EventBatch { now: at(now), more, events: events.iter().map(|it| event(*it)).collect() }
    }

    fn times(new: &[&ReceivedEvent]) -> Vec<Timestamp> {
        new.iter().map(|it| it.created_at).collect()
    }

    #[test]
    fn event_committed_late_is_forwarded_once() {
        let mut cursor = Cursor::from(at(10_000));
        // A burst: the first batch is full, and the pass lasts until 30 s.
        assert_eq!(times(&cursor.take(&batch(20_000, true, &[11_000, 16_000]))), [at(11_000), at(16_000)]);
        assert_eq!((cursor.since, cursor.after.clone()), (at(10_000), Some(event(16_000).id)));
        assert_eq!(times(&cursor.take(&batch(30_000, false, &[21_000]))), [at(21_000)]);
        // An event from 15 s was committed meanwhile, behind events that were already forwarded.
        assert_eq!(cursor.since, at(15_000), "five seconds before the pass began");
        assert_eq!(cursor.after, None);
        let late = batch(31_000, false, &[15_000, 16_000, 21_000]);
        assert_eq!(times(&cursor.take(&late)), [at(15_000)]);
        assert_eq!(cursor.since, at(26_000));
        assert!(cursor.known.is_empty(), "the next pass contains no known event");
    }
}
