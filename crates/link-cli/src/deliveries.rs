//! `linchpin deliveries` and `linchpin resend`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use link_types::id::{DeliveryId, EventId, WebhookId};
use link_types::webhook::DeliveryStatus;
use serde_json::{Value, json};

use crate::connection::Access;
use crate::failure::{CallError, TenantCommandError};
use crate::rest::Rest;
use crate::shown::Shown;
use crate::terminal::{CommandError, say};

/// The number of deliveries that are listed for each webhook.
const LISTED: usize = 20;

/// The arguments of `deliveries`.
#[derive(Args)]
pub struct DeliveriesArgs {
    #[command(flatten)]
    access: Access,
    /// The webhook (`wh-…`). If absent, all webhooks.
    webhook: Option<WebhookId>,
    /// Only deliveries with this status: PENDING, DELIVERED, EXHAUSTED or CANCELLED.
    #[arg(long, value_parser = status(), hide_possible_values = true)]
    status: Option<DeliveryStatus>,
    /// Only deliveries of this event (`et-…`).
    #[arg(long)]
    event: Option<EventId>,
}

/// The arguments of `resend`.
#[derive(Args)]
pub struct ResendArgs {
    #[command(flatten)]
    access: Access,
    /// The delivery (`dlv-…`) or event (`et-…`).
    #[arg(value_parser = parse_target)]
    id: Target,
    /// The webhook, if the delivery or event of only one should be sent again.
    #[arg(long)]
    webhook: Option<WebhookId>,
}

/// The deliveries to send again.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Delivery(DeliveryId),
    Event(EventId),
}

const DELIVERIES: Shown = Shown::Table {
    columns: &[
        ("ID", "/id"),
        ("WEBHOOK", "/webhookId"),
        ("EVENT", "/eventType"),
        ("STATUS", "/status"),
        ("RESPONSE", "/response"),
        ("NEXT ATTEMPT", "/nextAttemptAt"),
    ],
    empty: "No deliveries.",
};

fn status() -> impl TypedValueParser<Value = DeliveryStatus> {
    let names = DeliveryStatus::ALL.iter().map(|it| it.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<DeliveryStatus>())
}

fn parse_target(text: &str) -> Result<Target, String> {
    if let Ok(id) = text.parse() {
        return Ok(Target::Delivery(id));
    }
    text.parse().map(Target::Event).map_err(|_| {
        "expected a delivery like dlv-0192f0c1a2b37c4d8e5f60718293a4b5, or an event like et-…".to_owned()
    })
}

impl DeliveriesArgs {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let rest = self.access.connection.rest()?;
        let mut query = format!("size={LISTED}");
        if let Some(status) = self.status {
            query.push_str(&format!("&status={}", status.as_str()));
        }
        if let Some(event) = &self.event {
            query.push_str(&format!("&eventId={event}"));
        }
        let mut found = list(&rest, self.webhook.as_ref(), &query)?;
        // An id contains its time.
        found.sort_by(|one, other| other["id"].as_str().cmp(&one["id"].as_str()));
        for delivery in &mut found {
            let last = delivery["attempts"].as_array().and_then(|it| it.last()).cloned().unwrap_or_default();
            delivery["response"] = match (&last["responseStatus"], &last["error"]) {
                (Value::Null, error) => error.clone(),
                (status, _) => status.clone(),
            };
        }
        say(&self.access.show(&json!(found), &DELIVERIES)?)
    }
}

impl ResendArgs {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let rest = self.access.connection.rest()?;
        let found = match &self.id {
            Target::Event(id) => list(&rest, self.webhook.as_ref(), &format!("eventId={id}"))?,
            Target::Delivery(id) => find(&rest, self.webhook.as_ref(), id)?.into_iter().collect(),
        };
        if found.is_empty() {
            return Err(TenantCommandError::Refused(
                "no webhook of this environment has the delivery. To see all, run `linchpin deliveries`"
                    .to_owned(),
            )
            .into());
        }
        let sent = found.iter().map(|it| {
            let (webhook, id) = (text(&it["webhookId"]), text(&it["id"]));
            rest.post(&format!("/webhooks/{webhook}/deliveries/{id}/resend"), None)
        });
        let sent = sent.collect::<Result<Vec<Value>, _>>()?;
        say(&self.access.show(&json!(sent), &DELIVERIES)?)
    }
}

/// Returns the webhook that is named, or all of them.
fn webhooks(rest: &Rest, named: Option<&WebhookId>) -> Result<Vec<String>, TenantCommandError> {
    if let Some(id) = named {
        return Ok(vec![id.to_string()]);
    }
    let page = rest.get("/webhooks")?;
    Ok(page["items"].as_array().into_iter().flatten().map(|it| text(&it["id"]).to_owned()).collect())
}

/// Returns the newest deliveries of one webhook, or of each.
fn list(rest: &Rest, named: Option<&WebhookId>, query: &str) -> Result<Vec<Value>, TenantCommandError> {
    let mut found = Vec::new();
    for id in webhooks(rest, named)? {
        let mut page = rest.get(&format!("/webhooks/{id}/deliveries?{query}"))?;
        let items = page.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take);
        let items = items.filter(|items| items.iter().all(Value::is_object));
        found.extend(items.ok_or_else(|| CallError::Foreign { status: 200 }.explain(rest.base()))?);
    }
    Ok(found)
}

/// Returns the delivery, whichever webhook has it.
fn find(
    rest: &Rest,
    named: Option<&WebhookId>,
    id: &DeliveryId,
) -> Result<Option<Value>, TenantCommandError> {
    for webhook in webhooks(rest, named)? {
        match rest.get(&format!("/webhooks/{webhook}/deliveries/{id}")) {
            Ok(delivery) => return Ok(Some(delivery)),
            Err(TenantCommandError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
