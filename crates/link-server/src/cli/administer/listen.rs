//! `linchpin listen`: what a tenant's webhook would get, brought to an address of the developer's own machine. The
//! service needs no way to that address, and nothing is registered.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use clap::Args;
use link_connectors::webhook::{AllowedNetworks, HttpSender};
use link_domain::ports::{Clock, Entropy, OutboundRequest, SendError, WebhookSender};
use link_domain::webhook::signed_headers;
use link_types::event::EventType;
use link_types::id::{EventId, TenantId};
use link_types::{Mode, Sensitive, Timestamp};
use serde::{Deserialize, Serialize};

use super::{OwnerArgs, Service, event_type};
use crate::admin::AdminRequest;
use crate::cli::{CommandError, say};
use crate::system::{SystemClock, SystemEntropy};

/// How far behind now is looked again: a unit of work that took longer may commit an older id.
const OVERLAP_MILLIS: i64 = 5_000;

#[derive(Args)]
pub(in crate::cli) struct ListenArgs {
    #[command(flatten)]
    owner: OwnerArgs,
    /// Where to post, like http://localhost:3000/webhooks.
    #[arg(long)]
    forward_to: String,
    /// Only these event types, comma separated.
    #[arg(long, value_delimiter = ',', value_parser = event_type(), hide_possible_values = true)]
    events: Vec<EventType>,
    /// The key of the signatures; one is made and printed when left out.
    #[arg(long)]
    secret: Option<String>,
    /// Send the data points in TASK_FINISHED.
    #[arg(long)]
    include_payload: bool,
}

/// What the service tells.
#[derive(Deserialize)]
struct Told {
    now: Timestamp,
    /// Whether there are more than came.
    more: bool,
    events: Vec<ToldEvent>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldEvent {
    id: EventId,
    r#type: EventType,
    created_at: Timestamp,
    body: String,
}

/// What the command tells, as it happens.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Line<'a> {
    /// From now on events are forwarded.
    Begun { tenant: &'a TenantId, mode: Mode, forward_to: &'a str, secret: &'a str },
    /// One was.
    Forwarded {
        created_at: Timestamp,
        r#type: EventType,
        id: &'a EventId,
        #[serde(flatten)]
        came_back: CameBack,
    },
}

/// What the receiver made of an event.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum CameBack {
    /// It answered so.
    Status(u16),
    /// It did not answer, and why.
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
    /// As a person reads it.
    fn words(&self) -> String {
        match self {
            Self::Begun { tenant, mode, forward_to, secret } => format!(
                "forwarding the events of {tenant} ({mode}) to {forward_to}\nService-Signature is keyed with {secret}"
            ),
            Self::Forwarded { created_at, r#type, id, came_back } => {
                format!("{created_at}  {type}  {id}  -> {came_back}")
            }
        }
    }
}

impl ListenArgs {
    pub(super) fn run(self, service: &Service) -> Result<(), CommandError> {
        let Self { owner, forward_to, events, secret, include_payload } = self;
        let secret = Sensitive::new(secret.unwrap_or_else(made_secret));
        let (tenant, mode) = owner.parts();
        let ask = |since, after| {
            let tenant = tenant.clone();
            let request = AdminRequest::EventsSince { tenant, mode, since, after, include_payload };
            let answer = service.ask(&request)?;
            Ok::<Told, CommandError>(serde_json::from_value(answer)?)
        };
        let forwarder = Forwarder::new(&forward_to, secret)?;
        let mut course = Course::from(ask(None, None)?.now);
        let tell = |line: Line<'_>| -> Result<(), CommandError> {
            say(&if service.json { serde_json::to_string(&line)? } else { line.words() })
        };
        tell(Line::Begun {
            tenant: &tenant,
            mode,
            forward_to: &forward_to,
            secret: forwarder.secret.expose(),
        })?;
        loop {
            let told = ask(Some(course.since), course.after.clone())?;
            let new = course.take(&told);
            if new.is_empty() && !told.more {
                // Only what was forwarded before lies in the overlap: the service answers at once.
                std::thread::sleep(Duration::from_millis(200));
            }
            for event in new {
                if events.is_empty() || events.contains(&event.r#type) {
                    tell(forwarder.forward(event))?;
                }
            }
        }
    }
}

/// How far the events were told. They are looked through from a moment on to the last, in as many answers as that
/// takes, and then again from a little before the look began: whatever was committed behind it is found by the next.
struct Course {
    /// Where it begins.
    first: Timestamp,
    /// What to ask for next: from this moment on, and after this event of the look.
    since: Timestamp,
    after: Option<EventId>,
    /// When this look began; null before its first answer.
    began: Option<Timestamp>,
    /// What was told and may be told again.
    known: BTreeMap<EventId, Timestamp>,
}

impl Course {
    fn from(since: Timestamp) -> Self {
        Self { first: since, since, after: None, began: None, known: BTreeMap::new() }
    }

    /// Takes an answer in; gives the events of it that were not told before.
    fn take<'a>(&mut self, told: &'a Told) -> Vec<&'a ToldEvent> {
        let began = *self.began.get_or_insert(told.now);
        let new = told
            .events
            .iter()
            .filter(|event| self.known.insert(event.id.clone(), event.created_at).is_none())
            .collect();
        self.after = told.events.last().filter(|_| told.more).map(|newest| newest.id.clone());
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
                "is no http or https address".to_owned()
            } else if error == SendError::NetworkRefused {
                "is of another network than this machine's".to_owned()
            } else {
                format!("cannot be reached: {error}")
            };
            return Err(
                format!("--forward-to {url} {fault}. Write it like http://localhost:3000/webhooks").into()
            );
        }
        Ok(Self { url: url.to_owned(), secret, sender, runtime })
    }

    /// Posts one event, once; gives the line that says so.
    fn forward<'a>(&self, event: &'a ToldEvent) -> Line<'a> {
        let body = event.body.clone().into_bytes();
        let headers = signed_headers(&self.secret, None, event.id.as_str(), SystemClock.now(), &body);
        let request = OutboundRequest { url: self.url.clone(), https_only: false, headers, body };
        let outcome = self.runtime.block_on(self.sender.send(&request));
        let came_back = match outcome.result {
            Ok(answer) => CameBack::Status(answer.status),
            Err(error) => CameBack::Error(error.to_string()),
        };
        Line::Forwarded { created_at: event.created_at, r#type: event.r#type, id: &event.id, came_back }
    }
}

fn made_secret() -> String {
    let mut bytes = [0; 32];
    SystemEntropy.fill(&mut bytes);
    format!("lpw_{}", link_domain::digest::hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_millis(millis)
    }

    fn event(millis: i64) -> ToldEvent {
        ToldEvent {
            id: EventId::from_bytes([u8::try_from(millis / 1_000).unwrap(); 16]),
            r#type: EventType::UserCreated,
            created_at: at(millis),
            body: String::new(),
        }
    }

    fn told(now: i64, more: bool, events: &[i64]) -> Told {
        Told { now: at(now), more, events: events.iter().map(|it| event(*it)).collect() }
    }

    fn moments(new: &[&ToldEvent]) -> Vec<Timestamp> {
        new.iter().map(|it| it.created_at).collect()
    }

    #[test]
    fn what_commits_late_in_a_burst_is_told_once_all_the_same() {
        let mut course = Course::from(at(10_000));
        // A burst: answers are full, and take until 30 s to come.
        assert_eq!(moments(&course.take(&told(20_000, true, &[11_000, 16_000]))), [at(11_000), at(16_000)]);
        assert_eq!((course.since, course.after.clone()), (at(10_000), Some(event(16_000).id)));
        assert_eq!(moments(&course.take(&told(30_000, false, &[21_000]))), [at(21_000)]);
        // One that was begun at 15.5 s has committed meanwhile, behind what was told.
        assert_eq!(course.since, at(15_000), "five seconds before the look began");
        assert_eq!(course.after, None);
        let late = told(31_000, false, &[15_000, 16_000, 21_000]);
        assert_eq!(moments(&course.take(&late)), [at(15_000)]);
        assert_eq!(course.since, at(26_000));
        assert!(course.known.is_empty(), "nothing is asked for again");
    }
}
