//! The acts of the command line for a tenant, as its audit log records them.

use link_domain::tenancy::audit::{Act, SERVICE};
use link_types::Mode;
use link_types::audit::AuditAction;
use link_types::id::TenantId;

use super::AdminRequest;

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
            Self::ExportTenant { .. } => Act::Audited(AuditAction::TenantExported),
            Self::ActivateTenant { .. } => Act::Audited(AuditAction::TenantActivated),
            Self::InviteOwner { .. } => Act::Audited(AuditAction::MemberInvited),
            Self::RecoverOwner { .. } => Act::Audited(AuditAction::MemberAddressCreated),
            Self::ConfirmDomain { .. } => Act::Audited(AuditAction::DomainProven),
            Self::ConfirmSiteHost { .. } => Act::Audited(AuditAction::LinkSiteHostProven),
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
            | Self::ShowCode { .. }
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

    /// Returns whether the request changes the standing of a tenant, which a tenant between two cells needs.
    pub(super) const fn is_of_standing(&self) -> bool {
        matches!(
            self,
            Self::CreateTenant { .. }
                | Self::SuspendTenant { .. }
                | Self::ResumeTenant { .. }
                | Self::DeleteTenant { .. }
                | Self::ExportTenant { .. }
                | Self::ActivateTenant { .. }
        )
    }

    /// Returns the tenant, environment and resource of a recorded act, as far as the request names them.
    pub(super) fn names(&self) -> (Option<&TenantId>, Mode, Option<&str>) {
        match self {
            Self::CreateTenant { id: tenant, .. }
            | Self::SuspendTenant { tenant }
            | Self::ResumeTenant { tenant }
            | Self::DeleteTenant { tenant, .. }
            | Self::ExportTenant { tenant, .. }
            | Self::ActivateTenant { tenant, .. }
            | Self::InviteOwner { tenant, .. }
            | Self::RecoverOwner { tenant, .. }
            | Self::ConfirmDomain { tenant, .. } => (Some(tenant), Mode::Production, None),
            Self::AllowMail { tenant, .. }
            | Self::DisallowMail { tenant, .. }
            | Self::StopClock { tenant }
            | Self::AdvanceClock { tenant, .. }
            | Self::FireEvent { tenant, .. } => (Some(tenant), Mode::Sandbox, None),
            Self::IssueKey { tenant, mode, .. }
            | Self::ConfirmSiteHost { tenant, mode, .. }
            | Self::CreateWebhook { tenant, mode, .. } => (Some(tenant), *mode, None),
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
            | Self::ShowCode { .. }
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
