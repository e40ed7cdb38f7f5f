//! `linchpin listen`: what a tenant's webhook would get, brought to an address of the developer's own machine. The
//! service needs no way to that address, and nothing is registered.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use clap::Args;
use link_connectors::webhook::{AllowedNetworks, HttpSender};
use link_domain::ports::{Clock, Entropy, OutboundRequest, WebhookSender};
use link_domain::webhook::signed_headers;
use link_types::event::EventType;
use link_types::id::EventId;
use link_types::{Sensitive, Timestamp};
use serde::Deserialize;

use super::{OwnerArgs, Service, word};
use crate::admin::AdminRequest;
use crate::cli::{CommandError, say};
use crate::system::{SystemClock, SystemEntropy};

/// Events remembered, so that none is forwarded twice.
const REMEMBERED: usize = 4_096;
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
    #[arg(long, value_delimiter = ',', value_parser = word::<EventType>)]
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

impl ListenArgs {
    pub(super) fn run(self, service: &Service) -> Result<(), CommandError> {
        let Self { owner, forward_to, events, secret, include_payload } = self;
        let secret = Sensitive::new(secret.unwrap_or_else(made_secret));
        let (tenant, mode) = owner.parts();
        let ask = |since| {
            let tenant = tenant.clone();
            let answer = service.ask(&AdminRequest::EventsSince { tenant, mode, since, include_payload })?;
            Ok::<Told, CommandError>(serde_json::from_value(answer)?)
        };
        let forwarder = Forwarder::new(&forward_to, secret)?;
        let mut since = ask(None)?.now;
        say(&format!("forwarding the events of {tenant} ({mode}) to {forward_to}"));
        say(&format!("Service-Signature is keyed with {}", forwarder.secret.expose()));
        let mut known = Known::default();
        loop {
            let told = ask(Some(since))?;
            for event in &told.events {
                if known.is_new(&event.id) && (events.is_empty() || events.contains(&event.r#type)) {
                    say(&forwarder.forward(event));
                }
            }
            since = match told.events.last().filter(|_| told.more) {
                Some(newest) => newest.created_at,
                None => told.now.plus_millis(-OVERLAP_MILLIS).max(since),
            };
            if told.events.iter().all(|event| known.ids.contains(&event.id)) {
                // Only what was forwarded before lies in the overlap: the service answers at once.
                std::thread::sleep(Duration::from_millis(200));
            }
        }
    }
}

/// The ids of the events that came last.
#[derive(Default)]
struct Known {
    ids: HashSet<EventId>,
    order: VecDeque<EventId>,
}

impl Known {
    fn is_new(&mut self, id: &EventId) -> bool {
        if !self.ids.insert(id.clone()) {
            return false;
        }
        self.order.push_back(id.clone());
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        true
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
        if let Err(error) = runtime.block_on(sender.vet(url, false)) {
            return Err(format!(
                "--forward-to {error}: write it like http://localhost:3000/webhooks, an address of this machine or \
                 network"
            )
            .into());
        }
        Ok(Self { url: url.to_owned(), secret, sender, runtime })
    }

    /// Posts one event, once; gives the line that says so.
    fn forward(&self, event: &ToldEvent) -> String {
        let body = event.body.clone().into_bytes();
        let headers = signed_headers(&self.secret, None, event.id.as_str(), SystemClock.now(), &body);
        let request = OutboundRequest { url: self.url.clone(), https_only: false, headers, body };
        let outcome = self.runtime.block_on(self.sender.send(&request));
        let came_back = match &outcome.result {
            Ok(answer) => answer.status.to_string(),
            Err(error) => error.to_string(),
        };
        format!("{}  {}  {}  -> {came_back}", event.created_at, event.r#type, event.id)
    }
}

fn made_secret() -> String {
    let mut bytes = [0; 32];
    SystemEntropy.fill(&mut bytes);
    format!("lpw_{}", link_domain::digest::hex(&bytes))
}
