//! `linchpin listen`: forwards a tenant's events to a URL on the developer's machine, as a webhook would receive them.
//! The service does not have to reach that URL, and no webhook is registered. Without a tenant, the command reads the
//! events over REST ([`link_cli::listen`]).

use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;
use link_cli::Machine;
use link_cli::failure::TenantCommandError;
use link_cli::forward::{Forwarder, Reaction, generate_secret};
use link_cli::listen::{Listening, Since};
use link_cli::profiles;
use link_types::event::EventType;
use link_types::id::{EventId, TenantId};
use link_types::{Mode, Sensitive, Timestamp};
use serde::{Deserialize, Serialize};

use super::service::{EitherService, OptionalOwnerArgs, Service, event_type};
use crate::adapters::system::{SystemClock, SystemEntropy};
use crate::admin::AdminRequest;
use link_cli::terminal::{CommandError, say};

/// The clock and randomness of this machine.
const MACHINE: Machine<'static> = Machine { clock: &SystemClock, entropy: &SystemEntropy };

/// How far each pass looks back behind the start of the previous one, because a slow unit of work may commit an event
/// with an older id.
const OVERLAP_MILLIS: i64 = 5_000;

#[derive(Args)]
pub(in crate::cli) struct ListenArgs {
    #[command(flatten)]
    owner: OptionalOwnerArgs,
    /// URL to send events to, for example http://localhost:3000/webhooks. Without --tenant, the events may be only printed.
    #[arg(long)]
    forward_to: Option<String>,
    /// Only these event types, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = event_type(), hide_possible_values = true)]
    events: Vec<EventType>,
    /// Signing key. If absent, one is generated and printed. Without --tenant, it stays the same on this machine.
    #[arg(long)]
    secret: Option<String>,
    /// Include the data points in TASK_FINISHED. Only with --tenant.
    #[arg(long)]
    include_payload: bool,
    /// Start with the events since this time, or with `now`, instead of where the last `linchpin listen` ended. Only
    /// without --tenant.
    #[arg(long)]
    since: Option<Since>,
    /// Name of the position where the next `linchpin listen` continues, if this machine has several. Only without --tenant.
    #[arg(long, value_parser = profiles::name)]
    name: Option<String>,
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
        came_back: Reaction,
    },
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
    pub(super) fn run(self, service: &EitherService) -> Result<(), CommandError> {
        let usage = |text: &str| Err(TenantCommandError::Usage(text.to_owned()).into());
        let Self { owner, forward_to, events, secret, include_payload, since, name } = self;
        let Some(owner) = owner.parts() else {
            if include_payload {
                return usage(
                    "--include-payload needs --tenant. Over REST, read the data points from their lists",
                );
            }
            let name = name.unwrap_or_else(|| "listen".to_owned());
            let listening = Listening { forward_to, events, secret, since, name };
            return link_cli::listen::run(&service.remote(), MACHINE, listening);
        };
        if since.is_some() || name.is_some() {
            return usage(
                "--since and --name are for `linchpin listen` without --tenant, which stores its position",
            );
        }
        let Some(forward_to) = forward_to else {
            return usage("--tenant needs --forward-to URL, for example http://localhost:3000/webhooks");
        };
        let secret = secret.map_or_else(|| generate_secret(MACHINE), Sensitive::new);
        follow(service.here()?, owner, &Forwarder::new(&forward_to, secret)?, (&events, include_payload))
    }
}

/// Forwards a tenant's events until it is interrupted.
fn follow(
    service: &Service,
    (tenant, mode): (TenantId, Mode),
    forwarder: &Forwarder,
    (events, include_payload): (&[EventType], bool),
) -> Result<(), CommandError> {
    let ask = |since, after| {
        let tenant = tenant.clone();
        let request = AdminRequest::EventsSince { tenant, mode, since, after, include_payload };
        let response = service.ask(&request)?;
        Ok::<EventBatch, CommandError>(serde_json::from_value(response)?)
    };
    let mut cursor = Cursor::from(ask(None, None)?.now);
    let print = |line: Line<'_>| -> Result<(), CommandError> {
        say(&if service.json { serde_json::to_string(&line)? } else { line.text() })
    };
    print(Line::Begun {
        tenant: &tenant,
        mode,
        forward_to: forwarder.url(),
        secret: forwarder.secret().expose(),
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
                print(forward(forwarder, event))?;
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

/// Sends one event once, and returns the line to print.
fn forward<'a>(forwarder: &Forwarder, event: &'a ReceivedEvent) -> Line<'a> {
    let (came_back, _) = forwarder.forward(MACHINE, &event.id, &event.body);
    Line::Forwarded { created_at: event.created_at, r#type: event.r#type, id: &event.id, came_back }
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
