//! `linchpin webhook …`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use link_types::Timestamp;
use link_types::event::EventType;
use link_types::id::WebhookId;
use link_types::webhook::{ALL_EVENTS, DeliveryStatus, RetryProfile};
use serde_json::Value;

use super::{Asked, OwnerArgs, Shown};
use crate::admin::{AdminRequest, NewWebhook};

#[derive(Subcommand)]
pub(in crate::cli) enum Webhook {
    /// List the webhooks of one environment.
    List(OwnerArgs),
    /// Register a webhook.
    Create {
        #[command(flatten)]
        owner: OwnerArgs,
        /// Where to post.
        url: String,
        /// Event types, comma separated, or ALL_EVENTS.
        #[arg(
            long,
            value_delimiter = ',',
            default_value = ALL_EVENTS,
            value_parser = selected_events(),
            hide_possible_values = true
        )]
        events: Vec<String>,
        /// A label; the address's host when left out.
        #[arg(long)]
        name: Option<String>,
        /// The key of the signatures; one is made and printed once when left out.
        #[arg(long)]
        secret: Option<String>,
        /// Send the data points in TASK_FINISHED.
        #[arg(long)]
        include_payload: bool,
        /// Resend over three days instead of twice.
        #[arg(long)]
        extended: bool,
    },
    /// Send a ping now, and say what came back; it fails unless the receiver accepts it.
    Ping(One),
    /// Give a webhook a next secret: both sign for 24 hours, or until `confirm`.
    Rotate {
        #[command(flatten)]
        one: One,
        /// The next secret; one is made and printed once when left out.
        #[arg(long)]
        secret: Option<String>,
    },
    /// Put the next secret in force now, alone.
    Confirm(One),
    /// List the newest deliveries.
    Deliveries {
        #[command(flatten)]
        one: One,
        /// Only those that are PENDING, DELIVERED, EXHAUSTED or CANCELLED.
        #[arg(long, value_parser = delivery_status(), hide_possible_values = true)]
        status: Option<DeliveryStatus>,
    },
    /// Send again what did not arrive since a moment.
    Recover {
        #[command(flatten)]
        one: One,
        /// The moment, like 2026-11-20T11:00:00Z.
        #[arg(long)]
        since: Timestamp,
    },
    /// Delete a webhook: what is pending is cancelled.
    Delete(One),
}

/// One webhook of one tenant.
#[derive(Args)]
pub(in crate::cli) struct One {
    #[command(flatten)]
    owner: OwnerArgs,
    /// The webhook, `wh-…`.
    id: WebhookId,
}

const ONE: &[(&str, &str)] = &[
    ("webhook", "/id"),
    ("name", "/name"),
    ("url", "/url"),
    ("events", "/eventTypes"),
    ("secret", "/secret"),
    ("secret ends in", "/secretHint"),
    ("next secret ends in", "/nextSecretHint"),
    ("rotation ends", "/rotationEndsAt"),
];

/// What `--events` takes; a wrong word is told which there are.
fn selected_events() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(ALL_EVENTS).chain(EventType::ALL.iter().map(|it| it.as_str())))
}

fn delivery_status() -> impl TypedValueParser<Value = DeliveryStatus> {
    let words = DeliveryStatus::ALL.iter().map(|it| it.as_str());
    PossibleValuesParser::new(words).try_map(|word| word.parse::<DeliveryStatus>())
}

/// Why an answer is bad news all the same.
pub(super) fn fault(request: &AdminRequest, answer: &Value) -> Option<&'static str> {
    let is_ping = matches!(request, AdminRequest::PingWebhook { .. });
    (is_ping && answer["accepted"] != true)
        .then_some("the receiver did not accept the ping: it must answer 200 to 299 within 15 seconds")
}

impl Webhook {
    pub(super) fn request(self) -> Asked {
        let one = |advice| Shown::Lines { parts: ONE, advice };
        let of_made = |given: &Option<String>, advice| if given.is_some() { "" } else { advice };
        match self {
            Self::List(owner) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Table {
                    columns: &[
                        ("ID", "/id"),
                        ("ACTIVE", "/active"),
                        ("NAME", "/name"),
                        ("URL", "/url"),
                        ("EVENTS", "/eventTypes"),
                    ],
                    empty: "There is no webhook: `linchpin webhook create --tenant TENANT URL` registers one.",
                };
                (AdminRequest::ListWebhooks { tenant, mode }, shown)
            }
            Self::Create { owner, url, events, name, secret, include_payload, extended } => {
                let (tenant, mode) = owner.parts();
                let retry_profile = if extended { RetryProfile::Extended } else { RetryProfile::Standard };
                let event_types = events;
                let advice = of_made(&secret, "Keep the secret: it is shown this once.");
                let webhook = NewWebhook { name, url, event_types, secret, include_payload, retry_profile };
                (AdminRequest::CreateWebhook { tenant, mode, webhook }, one(advice))
            }
            Self::Ping(One { owner, id }) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Lines {
                    parts: &[
                        ("accepted", "/accepted"),
                        ("answered", "/attempt/responseStatus"),
                        ("no answer", "/attempt/error"),
                        ("milliseconds", "/attempt/durationMs"),
                    ],
                    advice: "",
                };
                (AdminRequest::PingWebhook { tenant, mode, id }, shown)
            }
            Self::Rotate { one: One { owner, id }, secret } => {
                let (tenant, mode) = owner.parts();
                let advice = of_made(
                    &secret,
                    "Keep the secret: it is shown this once. Until `linchpin webhook confirm WEBHOOK`, at most 24 hours, \
                     both sign.",
                );
                (AdminRequest::RotateWebhookSecret { tenant, mode, id, secret }, one(advice))
            }
            Self::Confirm(One { owner, id }) => {
                let (tenant, mode) = owner.parts();
                (AdminRequest::ConfirmWebhookSecret { tenant, mode, id }, one(""))
            }
            Self::Deliveries { one: One { owner, id }, status } => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Table {
                    columns: &[
                        ("ID", "/id"),
                        ("EVENT", "/eventType"),
                        ("STATUS", "/status"),
                        ("FIRST ANSWER", "/attempts/0/responseStatus"),
                        ("NEXT ATTEMPT", "/nextAttemptAt"),
                    ],
                    empty: "There is no such delivery.",
                };
                (AdminRequest::ListDeliveries { tenant, mode, id, status }, shown)
            }
            Self::Recover { one: One { owner, id }, since } => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Lines {
                    parts: &[("since", "/since"), ("until", "/until")],
                    advice: "Begun; `linchpin webhook deliveries` shows how it goes.",
                };
                (AdminRequest::RecoverWebhook { tenant, mode, id, since }, shown)
            }
            Self::Delete(One { owner, id }) => {
                let (tenant, mode) = owner.parts();
                let parts = &[("webhook", "/id"), ("deleted", "/deleted")];
                (AdminRequest::DeleteWebhook { tenant, mode, id }, Shown::Lines { parts, advice: "" })
            }
        }
    }
}
