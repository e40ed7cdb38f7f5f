//! The requests of the command line, and the responses.

use std::path::PathBuf;

use link_types::event::EventType;
use link_types::id::{EventId, InviteId, LinkTemplateId, TenantId, UserId, WebhookId};
use link_types::webhook::{DeliveryStatus, RetryProfile};
use link_types::{Mode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request of the command line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each variant is named like its command")]
pub enum AdminRequest {
    BackUp {
        file: PathBuf,
    },
    CreateTenant {
        id: TenantId,
        name: String,
    },
    ListTenants {},
    IssueKey {
        tenant: TenantId,
        mode: Mode,
    },
    ListKeys {
        tenant: TenantId,
        mode: Mode,
    },
    RotateKey {
        key: String,
        again: bool,
    },
    EndKeyRotation {
        key: String,
    },
    RevokeKey {
        key: String,
    },
    ListTemplates {
        tenant: TenantId,
        mode: Mode,
    },
    ShowTemplate {
        id: LinkTemplateId,
    },
    AllowOrigins {
        id: LinkTemplateId,
        origins: Vec<String>,
    },
    ListWebhooks {
        tenant: TenantId,
        mode: Mode,
    },
    CreateWebhook {
        tenant: TenantId,
        mode: Mode,
        webhook: NewWebhook,
    },
    PingWebhook {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
    },
    RotateWebhookSecret {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
        secret: Option<String>,
    },
    ConfirmWebhookSecret {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
    },
    RecoverWebhook {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
        since: Timestamp,
    },
    DeleteWebhook {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
    },
    ListDeliveries {
        tenant: TenantId,
        mode: Mode,
        id: WebhookId,
        status: Option<DeliveryStatus>,
    },
    ShowMail {
        invite: InviteId,
    },
    Check {},
    ShowRetention {},
    ConfirmRetention {},
    AllowMail {
        tenant: TenantId,
        recipients: String,
    },
    DisallowMail {
        tenant: TenantId,
        recipients: String,
    },
    ListAllowedMail {
        tenant: TenantId,
    },
    CountSuppressedMail {},
    SuppressMail {
        address: String,
    },
    ReleaseMail {
        address: String,
    },
    ShowClock {
        tenant: TenantId,
    },
    StopClock {
        tenant: TenantId,
    },
    AdvanceClock {
        tenant: TenantId,
        seconds: Option<u64>,
        until: Option<Timestamp>,
    },
    FireEvent {
        tenant: TenantId,
        event_type: EventType,
        user_id: Option<UserId>,
    },
    EventsSince {
        tenant: TenantId,
        mode: Mode,
        since: Option<Timestamp>,
        after: Option<EventId>,
        include_payload: bool,
    },
}

/// A webhook to register. If `secret` is `None`, the service generates one and shows it once.
#[derive(Serialize, Deserialize)]
#[expect(missing_docs, reason = "the REST interface documents these fields")]
pub struct NewWebhook {
    pub name: Option<String>,
    pub url: String,
    pub event_types: Vec<String>,
    pub secret: Option<String>,
    pub include_payload: bool,
    pub retry_profile: RetryProfile,
}

/// The response to an [`AdminRequest`].
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AdminResponse {
    /// The request succeeded, with this result.
    Done(Value),
    /// The request failed, for this reason.
    Refused(String),
}
