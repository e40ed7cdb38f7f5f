//! The audit log: one event for each act of a tenant's servers, its members, or the operator on its behalf.

use serde::{Deserialize, Serialize};

use crate::id::AuditEventId;
use crate::problem::ProblemCode;
use crate::time::Timestamp;

words! {
    /// An act that the audit log records.
    AuditAction {
        /// The operator created the tenant.
        TenantCreated = "TENANT_CREATED",
        /// The operator suspended the tenant.
        TenantSuspended = "TENANT_SUSPENDED",
        /// The operator resumed the tenant, or undid its deletion.
        TenantResumed = "TENANT_RESUMED",
        /// The operator deleted the tenant.
        TenantDeleted = "TENANT_DELETED",
        /// The operator exported the tenant, to move it to another installation.
        TenantExported = "TENANT_EXPORTED",
        /// The operator activated the tenant, which was imported from another installation.
        TenantActivated = "TENANT_ACTIVATED",
        /// A user was created.
        UserCreated = "USER_CREATED",
        /// A user was changed.
        UserUpdated = "USER_UPDATED",
        /// A user was deleted with all their data.
        UserDeleted = "USER_DELETED",
        /// A link token was created.
        LinkTokenCreated = "LINK_TOKEN_CREATED",
        /// An account was revoked.
        AccountRevoked = "ACCOUNT_REVOKED",
        /// Continuous sync of an account was turned on.
        AccountMonitorEnabled = "ACCOUNT_MONITOR_ENABLED",
        /// Continuous sync of an account was turned off.
        AccountMonitorDisabled = "ACCOUNT_MONITOR_DISABLED",
        /// An account was refreshed.
        AccountRefreshed = "ACCOUNT_REFRESHED",
        /// The data of an account was exported to a file.
        AccountExported = "ACCOUNT_EXPORTED",
        /// An archive was created.
        ArchiveCreated = "ARCHIVE_CREATED",
        /// An archive was revoked.
        ArchiveRevoked = "ARCHIVE_REVOKED",
        /// A social security record was requested.
        RecordCreated = "RECORD_CREATED",
        /// A social security record was erased.
        RecordDeleted = "RECORD_DELETED",
        /// A signal was requested.
        SignalCreated = "SIGNAL_CREATED",
        /// A signal was erased.
        SignalDeleted = "SIGNAL_DELETED",
        /// Answers to forms were exported.
        FormsExported = "FORMS_EXPORTED",
        /// A form submission was deleted.
        FormDeleted = "FORM_DELETED",
        /// A person was invited.
        InviteCreated = "INVITE_CREATED",
        /// An invitation was sent again.
        InviteResent = "INVITE_RESENT",
        /// An invitation was revoked.
        InviteRevoked = "INVITE_REVOKED",
        /// A hosted link was created.
        LinkSessionCreated = "LINK_SESSION_CREATED",
        /// A consent template was created.
        ConsentTemplateCreated = "CONSENT_TEMPLATE_CREATED",
        /// A consent template was changed.
        ConsentTemplateUpdated = "CONSENT_TEMPLATE_UPDATED",
        /// A consent template was deleted.
        ConsentTemplateDeleted = "CONSENT_TEMPLATE_DELETED",
        /// A link template was created.
        LinkTemplateCreated = "LINK_TEMPLATE_CREATED",
        /// A link template was changed.
        LinkTemplateUpdated = "LINK_TEMPLATE_UPDATED",
        /// A link template was deleted.
        LinkTemplateDeleted = "LINK_TEMPLATE_DELETED",
        /// An invite template was created.
        InviteTemplateCreated = "INVITE_TEMPLATE_CREATED",
        /// An invite template was changed.
        InviteTemplateUpdated = "INVITE_TEMPLATE_UPDATED",
        /// An invite template was deleted.
        InviteTemplateDeleted = "INVITE_TEMPLATE_DELETED",
        /// A webhook was registered.
        WebhookCreated = "WEBHOOK_CREATED",
        /// A webhook was changed.
        WebhookUpdated = "WEBHOOK_UPDATED",
        /// A webhook was deleted.
        WebhookDeleted = "WEBHOOK_DELETED",
        /// A test event was sent to a webhook.
        WebhookPinged = "WEBHOOK_PINGED",
        /// A webhook got a second signing secret.
        WebhookSecretRotated = "WEBHOOK_SECRET_ROTATED",
        /// The earlier signing secret of a webhook ended.
        WebhookSecretConfirmed = "WEBHOOK_SECRET_CONFIRMED",
        /// Deliveries of a webhook were created again.
        WebhookRecovered = "WEBHOOK_RECOVERED",
        /// A delivery was sent again.
        DeliveryResent = "DELIVERY_RESENT",
        /// An event was fired in the sandbox.
        EventFired = "EVENT_FIRED",
        /// A custom login of the sandbox was created.
        ScenarioCreated = "SCENARIO_CREATED",
        /// A custom login of the sandbox was deleted.
        ScenarioDeleted = "SCENARIO_DELETED",
        /// The clock of the sandbox was advanced.
        ClockAdvanced = "CLOCK_ADVANCED",
        /// The advance of the sandbox's clock was stopped.
        ClockStopped = "CLOCK_STOPPED",
        /// An API key was created.
        ApiKeyCreated = "API_KEY_CREATED",
        /// An API key got a successor.
        ApiKeyReplaced = "API_KEY_REPLACED",
        /// An API key got a second secret.
        ApiKeySecretRotated = "API_KEY_SECRET_ROTATED",
        /// The earlier secret of an API key ended.
        ApiKeySecretConfirmed = "API_KEY_SECRET_CONFIRMED",
        /// An API key was revoked.
        ApiKeyRevoked = "API_KEY_REVOKED",
        /// A member was invited.
        MemberInvited = "MEMBER_INVITED",
        /// A one-time address was created for a member.
        MemberAddressCreated = "MEMBER_ADDRESS_CREATED",
        /// A member got another role.
        MemberRoleChanged = "MEMBER_ROLE_CHANGED",
        /// A member was removed.
        MemberRemoved = "MEMBER_REMOVED",
        /// A member signed in.
        SessionStarted = "SESSION_STARTED",
        /// A member signed in with a mailed link.
        SessionLinkUsed = "SESSION_LINK_USED",
        /// A member signed in with the tenant's provider.
        SessionProviderUsed = "SESSION_PROVIDER_USED",
        /// A person joined the tenant with a verified address, at the tenant's provider.
        MemberJoined = "MEMBER_JOINED",
        /// The tenant's OpenID provider was configured.
        SingleSignOnChanged = "SINGLE_SIGN_ON_CHANGED",
        /// The tenant's OpenID provider was removed.
        SingleSignOnRemoved = "SINGLE_SIGN_ON_REMOVED",
        /// A domain was added whose addresses may join after its proof.
        DomainAdded = "DOMAIN_ADDED",
        /// A domain was proven.
        DomainProven = "DOMAIN_PROVEN",
        /// A domain was removed.
        DomainRemoved = "DOMAIN_REMOVED",
        /// A member linked their identity at the tenant's provider.
        IdentityLinked = "IDENTITY_LINKED",
        /// A member unlinked their identity at the tenant's provider.
        IdentityUnlinked = "IDENTITY_UNLINKED",
        /// A session of a member was ended.
        SessionEnded = "SESSION_ENDED",
        /// A member confirmed with a passkey that it is them.
        SessionConfirmed = "SESSION_CONFIRMED",
        /// A member added a passkey.
        PasskeyAdded = "PASSKEY_ADDED",
        /// A member removed a passkey.
        PasskeyRemoved = "PASSKEY_REMOVED",
        /// A link site was created.
        LinkSiteCreated = "LINK_SITE_CREATED",
        /// A link site was changed.
        LinkSiteUpdated = "LINK_SITE_UPDATED",
        /// A link site was deleted.
        LinkSiteDeleted = "LINK_SITE_DELETED",
        /// An own host of link sites was added.
        LinkSiteHostCreated = "LINK_SITE_HOST_CREATED",
        /// An own host of link sites was proven.
        LinkSiteHostProven = "LINK_SITE_HOST_PROVEN",
        /// An own host of link sites was deleted, or another tenant proved it.
        LinkSiteHostDeleted = "LINK_SITE_HOST_DELETED",
        /// A member searched for a person.
        PersonSearched = "PERSON_SEARCHED",
        /// Mail was allowed to recipients in the sandbox.
        MailAllowed = "MAIL_ALLOWED",
        /// Mail was no longer allowed to recipients in the sandbox.
        MailDisallowed = "MAIL_DISALLOWED",
        /// The audit log was exported.
        AuditExported = "AUDIT_EXPORTED",
        /// The chargeable events of a month were exported.
        BillingExported = "BILLING_EXPORTED",
    }
}

words! {
    /// Kind of actor.
    ActorType {
        /// A server with an API key.
        ApiKey = "API_KEY",
        /// A member, in the developer portal.
        Member = "MEMBER",
        /// The operator, on the command line.
        Operator = "OPERATOR",
    }
}

words! {
    /// How an act ended.
    AuditOutcome {
        /// It was done.
        Done = "DONE",
        /// The actor was not allowed to do it.
        Denied = "DENIED",
        /// It failed, for example because a field was invalid.
        Failed = "FAILED",
    }
}

/// The actor of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditActor {
    /// Kind of actor.
    #[serde(rename = "type")]
    pub kind: ActorType,
    /// Identifier of the API key or member. Null for the operator.
    pub id: Option<String>,
}

/// An event of the audit log. It contains no personal data: neither values of a request nor names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// Unique identifier of the event, with the prefix `ae-`.
    pub id: AuditEventId,
    /// Time of the act, in real time also in the sandbox.
    pub created_at: Timestamp,
    /// The act.
    pub action: AuditAction,
    /// The actor.
    pub actor: AuditActor,
    /// How the act ended.
    pub outcome: AuditOutcome,
    /// Code of the problem that the actor got. Null if the act was done.
    pub code: Option<ProblemCode>,
    /// Identifier of the resource that the act was about. Null if there is none.
    pub subject_id: Option<String>,
    /// Address that the request came from. Of a member, only the network: the first 24 bits of an IPv4 address, or 48 of
    /// an IPv6 address. Null for the operator.
    pub address: Option<String>,
    /// Program of the actor, at most 100 characters. Of a member, the names of browser and system.
    pub agent: String,
    /// Identifier of the request. Null for the operator.
    pub request_id: Option<String>,
}
