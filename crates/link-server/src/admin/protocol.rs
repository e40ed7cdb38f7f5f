//! The requests of the command line, the responses and errors, and lookups that several commands share.

use std::path::PathBuf;

use link_domain::tenancy::audit::{Act, SERVICE};
use link_store::{PageRequest, PageSize, StoreError};
use link_types::audit::AuditAction;
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

impl AdminRequest {
    /// Returns what the request is for the audit log.
    pub(super) fn act(&self) -> Act {
        match self {
            Self::BackUp { .. }
            | Self::RotateMasterKey { .. }
            | Self::ConfirmRetention {}
            | Self::SuppressMail { .. }
            | Self::ReleaseMail { .. } => SERVICE,
            Self::CreateTenant { .. } => Act::Audited(AuditAction::TenantCreated),
            Self::SuspendTenant { .. } => Act::Audited(AuditAction::TenantSuspended),
            Self::ResumeTenant { .. } => Act::Audited(AuditAction::TenantResumed),
            Self::DeleteTenant { .. } => Act::Audited(AuditAction::TenantDeleted),
            Self::InviteOwner { .. } => Act::Audited(AuditAction::MemberInvited),
            Self::RecoverOwner { .. } => Act::Audited(AuditAction::MemberAddressCreated),
            Self::ConfirmDomain { .. } => Act::Audited(AuditAction::DomainProven),
            Self::IssueKey { .. } => Act::Audited(AuditAction::ApiKeyCreated),
            Self::RotateKey { .. } => Act::Audited(AuditAction::ApiKeySecretRotated),
            Self::EndKeyRotation { .. } => Act::Audited(AuditAction::ApiKeySecretConfirmed),
            Self::RevokeKey { .. } => Act::Audited(AuditAction::ApiKeyRevoked),
            Self::AllowOrigins { .. } => Act::Audited(AuditAction::LinkTemplateUpdated),
            Self::CreateWebhook { .. } => Act::Audited(AuditAction::WebhookCreated),
            Self::PingWebhook { .. } => Act::Audited(AuditAction::WebhookPinged),
            Self::RotateWebhookSecret { .. } => Act::Audited(AuditAction::WebhookSecretRotated),
            Self::ConfirmWebhookSecret { .. } => Act::Audited(AuditAction::WebhookSecretConfirmed),
            Self::RecoverWebhook { .. } => Act::Audited(AuditAction::WebhookRecovered),
            Self::DeleteWebhook { .. } => Act::Audited(AuditAction::WebhookDeleted),
            Self::AllowMail { .. } => Act::Audited(AuditAction::MailAllowed),
            Self::DisallowMail { .. } => Act::Audited(AuditAction::MailDisallowed),
            Self::StopClock { .. } => Act::Audited(AuditAction::ClockStopped),
            Self::AdvanceClock { .. } => Act::Audited(AuditAction::ClockAdvanced),
            Self::FireEvent { .. } => Act::Audited(AuditAction::EventFired),
            Self::ListTenants {}
            | Self::ListKeys { .. }
            | Self::ListTemplates { .. }
            | Self::ShowTemplate { .. }
            | Self::ListWebhooks { .. }
            | Self::ListDeliveries { .. }
            | Self::ShowMail { .. }
            | Self::ShowPageLink { .. }
            | Self::Examine {}
            | Self::CountBackup {}
            | Self::ListMasterKeys {}
            | Self::ShowRetention {}
            | Self::ListAllowedMail { .. }
            | Self::CountSuppressedMail {}
            | Self::ShowClock { .. }
            | Self::EventsSince { .. }
            | Self::VerifyAudit { .. } => Act::Read,
        }
    }

    /// Returns the tenant, environment and resource of a recorded act, as far as the request names them.
    pub(super) fn names(&self) -> (Option<&TenantId>, Mode, Option<&str>) {
        match self {
            Self::CreateTenant { id: tenant, .. }
            | Self::SuspendTenant { tenant }
            | Self::ResumeTenant { tenant }
            | Self::DeleteTenant { tenant, .. }
            | Self::InviteOwner { tenant, .. }
            | Self::RecoverOwner { tenant, .. }
            | Self::ConfirmDomain { tenant, .. } => (Some(tenant), Mode::Production, None),
            Self::AllowMail { tenant, .. }
            | Self::DisallowMail { tenant, .. }
            | Self::StopClock { tenant }
            | Self::AdvanceClock { tenant, .. }
            | Self::FireEvent { tenant, .. } => (Some(tenant), Mode::Sandbox, None),
            Self::IssueKey { tenant, mode, .. } | Self::CreateWebhook { tenant, mode, .. } => {
                (Some(tenant), *mode, None)
            }
            Self::PingWebhook { tenant, mode, id }
            | Self::RotateWebhookSecret { tenant, mode, id, .. }
            | Self::ConfirmWebhookSecret { tenant, mode, id }
            | Self::RecoverWebhook { tenant, mode, id, .. }
            | Self::DeleteWebhook { tenant, mode, id } => (Some(tenant), *mode, Some(id.as_str())),
            Self::RotateKey { key, .. } | Self::EndKeyRotation { key } | Self::RevokeKey { key } => {
                (None, Mode::Production, Some(key))
            }
            Self::AllowOrigins { id, .. } => (None, Mode::Production, Some(id.as_str())),
            Self::BackUp { .. }
            | Self::RotateMasterKey { .. }
            | Self::ListMasterKeys {}
            | Self::ConfirmRetention {}
            | Self::SuppressMail { .. }
            | Self::ReleaseMail { .. }
            | Self::ListTenants {}
            | Self::ListKeys { .. }
            | Self::ListTemplates { .. }
            | Self::ShowTemplate { .. }
            | Self::ListWebhooks { .. }
            | Self::ListDeliveries { .. }
            | Self::ShowMail { .. }
            | Self::ShowPageLink { .. }
            | Self::Examine {}
            | Self::CountBackup {}
            | Self::ShowRetention {}
            | Self::ListAllowedMail { .. }
            | Self::CountSuppressedMail {}
            | Self::ShowClock { .. }
            | Self::EventsSince { .. }
            | Self::VerifyAudit { .. } => (None, Mode::Production, None),
        }
    }
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
pub(super) struct Refusal(pub(super) String);

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<Vec<FieldFault>> for Refusal {
    fn from(faults: Vec<FieldFault>) -> Self {
        let messages: Vec<String> = faults.iter().map(|it| format!("{} {}", it.field, it.message)).collect();
        Self(messages.join("; "))
    }
}

impl From<Problem> for Refusal {
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
pub(super) fn one_page() -> Result<PageRequest, Refusal> {
    Ok(PageRequest::first(PageSize::new(PageSize::MAX.into())?))
}

/// Fails if the tenant does not exist. Otherwise a list would be empty, as if the tenant had nothing.
pub(super) async fn check_tenant(app: &App, id: &TenantId) -> Result<(), Refusal> {
    let wanted = id.clone();
    match app.store.read(move |reader| reader.tenants().get(&wanted)).await? {
        Some(_) => Ok(()),
        None => Err(Refusal(format!(
            "the tenant {id} does not exist. `linchpin tenant list` shows all tenants; to create it, run \
             `linchpin tenant create {id} --name NAME`"
        ))),
    }
}
