//! `linchpin webhook …`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use link_types::Timestamp;
use link_types::event::EventType;
use link_types::id::WebhookId;
use link_types::webhook::{ALL_EVENTS, DeliveryStatus, RetryProfile};
use serde_json::Value;

use super::service::{Asked, OwnerArgs};
use crate::admin::{AdminRequest, NewWebhook};
use link_cli::shown::Shown;

#[derive(Subcommand)]
pub(in crate::cli) enum Webhook {
    /// List the webhooks of an environment.
    List(OwnerArgs),
    /// Register a webhook.
    Create {
        #[command(flatten)]
        owner: OwnerArgs,
        /// The URL to send events to.
        url: String,
        /// Event types, separated by commas, or ALL_EVENTS.
        #[arg(
            long,
            value_delimiter = ',',
            default_value = ALL_EVENTS,
            value_parser = events_parser(),
            hide_possible_values = true
        )]
        events: Vec<String>,
        /// A label. If absent, the URL's host.
        #[arg(long)]
        name: Option<String>,
        /// Signing key. If absent, one is generated and shown only once.
        #[arg(long)]
        secret: Option<String>,
        /// Include the data points in TASK_FINISHED.
        #[arg(long)]
        include_payload: bool,
        /// Retry over three days instead of twice.
        #[arg(long)]
        extended: bool,
    },
    /// Send a ping now, and print the response. Fails if the receiver does not accept the ping.
    Ping(One),
    /// Add a next secret to a webhook. Both sign for 24 hours, or until `confirm`.
    Rotate {
        #[command(flatten)]
        one: One,
        /// The next secret. If absent, one is generated and shown only once.
        #[arg(long)]
        secret: Option<String>,
    },
    /// End a rotation: only the next secret signs from now on.
    Confirm(One),
    /// List the newest deliveries.
    Deliveries {
        #[command(flatten)]
        one: One,
        /// Only deliveries with this status: PENDING, DELIVERED, EXHAUSTED or CANCELLED.
        #[arg(long, value_parser = delivery_status(), hide_possible_values = true)]
        status: Option<DeliveryStatus>,
    },
    /// Resend the events since a given time that did not arrive.
    Recover {
        #[command(flatten)]
        one: One,
        /// The time, for example 2026-11-20T11:00:00Z.
        #[arg(long)]
        since: Timestamp,
    },
    /// Delete a webhook, and cancel its pending deliveries.
    Delete(One),
}

/// One webhook of one tenant.
#[derive(Args)]
pub(in crate::cli) struct One {
    #[command(flatten)]
    owner: OwnerArgs,
    /// The webhook (`wh-…`).
    id: WebhookId,
}

const ONE: &[(&str, &str)] = &[
    ("webhook", "/id"),
    ("name", "/name"),
    ("url", "/url"),
    ("events", "/eventTypes"),
    ("traceparent", "/traceContext"),
    ("secret", "/secret"),
    ("for Standard Webhooks", "/standardSecret"),
    ("secret ends in", "/secretHint"),
    ("next secret ends in", "/nextSecretHint"),
    ("rotation ends", "/rotationEndsAt"),
];

/// Parses `--events`. The error message for an unknown event type lists all types.
fn events_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(std::iter::once(ALL_EVENTS).chain(EventType::ALL.iter().map(|it| it.as_str())))
}

fn delivery_status() -> impl TypedValueParser<Value = DeliveryStatus> {
    let names = DeliveryStatus::ALL.iter().map(|it| it.as_str());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<DeliveryStatus>())
}

/// Returns the error if a successful response reports that a ping was not accepted.
pub(super) fn fault(request: &AdminRequest, response: &Value) -> Option<&'static str> {
    let is_ping = matches!(request, AdminRequest::PingWebhook { .. });
    (is_ping && response["accepted"] != true)
        .then_some("the receiver did not accept the ping. It must respond with 200 to 299 within 15 seconds")
}

impl Webhook {
    pub(super) fn request(self) -> Asked {
        let one = |advice| Shown::Lines { parts: ONE, advice };
        let if_generated = |given: &Option<String>, advice| if given.is_some() { "" } else { advice };
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
                    empty: "No webhooks. To register one, run `linchpin webhook create --tenant TENANT URL`.",
                };
                (AdminRequest::ListWebhooks { tenant, mode }, shown)
            }
            Self::Create { owner, url, events, name, secret, include_payload, extended } => {
                let (tenant, mode) = owner.parts();
                let retry_profile = if extended { RetryProfile::Extended } else { RetryProfile::Standard };
                let event_types = events;
                let advice = if_generated(&secret, "Save the secret now. It is shown only once.");
                let webhook = NewWebhook { name, url, event_types, secret, include_payload, retry_profile };
                (AdminRequest::CreateWebhook { tenant, mode, webhook }, one(advice))
            }
            Self::Ping(One { owner, id }) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Lines {
                    parts: &[
                        ("accepted", "/accepted"),
                        ("status", "/attempt/responseStatus"),
                        ("error", "/attempt/error"),
                        ("milliseconds", "/attempt/durationMs"),
                    ],
                    advice: "",
                };
                (AdminRequest::PingWebhook { tenant, mode, id }, shown)
            }
            Self::Rotate { one: One { owner, id }, secret } => {
                let (tenant, mode) = owner.parts();
                let advice = if_generated(
                    &secret,
                    "Save the secret now. It is shown only once. Both secrets sign for 24 hours, or until \
                     `linchpin webhook confirm WEBHOOK`.",
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
                        ("FIRST RESPONSE", "/attempts/0/responseStatus"),
                        ("NEXT ATTEMPT", "/nextAttemptAt"),
                    ],
                    empty: "No deliveries.",
                };
                (AdminRequest::ListDeliveries { tenant, mode, id, status }, shown)
            }
            Self::Recover { one: One { owner, id }, since } => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Lines {
                    parts: &[("since", "/since"), ("until", "/until")],
                    advice: "Recovery started. To follow its progress, run `linchpin webhook deliveries`.",
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
