//! The requests of the command line, the responses and errors, and lookups that several commands share.

use std::path::PathBuf;

use link_store::{PageRequest, PageSize, StoreError};
use link_types::console::KeyDraft;
use link_types::event::EventType;
use link_types::id::{EventId, InviteId, LinkTemplateId, TenantId, UserId, WebhookId};
use link_types::problem::FieldFault;
use link_types::webhook::{DeliveryStatus, RetryProfile};
use link_types::{Mode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::App;
use crate::http::problem::Problem;

/// A request of the command line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each variant is named like its command")]
pub enum AdminRequest {
    BackUp {
        file: PathBuf,
        portable: bool,
        /// Whether the command verifies and moves the file, and then asks to count it.
        #[serde(default)]
        is_draft: bool,
    },
    CountBackup {},
    RotateMasterKey {
        /// The program of the command's own settings, if they name one: it must be the service's too.
        #[serde(default)]
        program: Option<PathBuf>,
        /// The key folder of the command's own settings, if they name one.
        #[serde(default)]
        keys_dir: Option<PathBuf>,
    },
    ListMasterKeys {},
    CreateTenant {
        id: TenantId,
        name: String,
    },
    ListTenants {},
    SuspendTenant {
        tenant: TenantId,
    },
    ResumeTenant {
        tenant: TenantId,
    },
    DeleteTenant {
        tenant: TenantId,
        name: String,
        now: bool,
        /// Whether another installation serves the tenant.
        #[serde(default)]
        moved: bool,
        /// The code by which the other installation shows that it has all of the tenant.
        #[serde(default)]
        imported: Option<String>,
    },
    ExportTenant {
        tenant: TenantId,
        file: PathBuf,
        /// How long the tenant must have been suspended.
        rest_seconds: u64,
        /// Whether an earlier export becomes void.
        again: bool,
    },
    ActivateTenant {
        tenant: TenantId,
        code: String,
    },
    InviteOwner {
        tenant: TenantId,
        email: String,
    },
    RecoverOwner {
        tenant: TenantId,
        email: Option<String>,
    },
    ConfirmDomain {
        tenant: TenantId,
        domain: String,
    },
    ConfirmSiteHost {
        tenant: TenantId,
        mode: Mode,
        host: String,
    },
    IssueKey {
        tenant: TenantId,
        mode: Mode,
        key: KeyDraft,
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
    ShowPageLink {
        address: String,
    },
    ShowCode {
        address: String,
    },
    Examine {},
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
    VerifyAudit {
        tenant: TenantId,
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

/// Reason why a request failed and what to do, as a message for the operator.
pub(super) struct AdminError(pub(super) String);

impl From<StoreError> for AdminError {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for AdminError {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<Vec<FieldFault>> for AdminError {
    fn from(faults: Vec<FieldFault>) -> Self {
        let messages: Vec<String> = faults.iter().map(|it| format!("{} {}", it.field, it.message)).collect();
        Self(messages.join("; "))
    }
}

impl From<Problem> for AdminError {
    fn from(problem: Problem) -> Self {
        problem.log();
        if problem.errors().is_empty() {
            Self(problem.detail().to_owned())
        } else {
            problem.errors().to_vec().into()
        }
    }
}

/// Returns a request for the largest possible page, which is what the command line lists.
pub(super) fn one_page() -> Result<PageRequest, AdminError> {
    Ok(PageRequest::first(PageSize::new(PageSize::MAX.into())?))
}

/// Fails if the tenant does not exist. Otherwise a list would be empty, as if the tenant had nothing.
pub(super) async fn check_tenant(app: &App, id: &TenantId) -> Result<(), AdminError> {
    let wanted = id.clone();
    match app.store.read(move |reader| reader.tenants().get(&wanted)).await? {
        Some(_) => Ok(()),
        None => Err(AdminError(format!(
            "the tenant {id} does not exist. `linchpin tenant list` shows all tenants; to create it, run \
             `linchpin tenant create {id} --name NAME`"
        ))),
    }
}
