//! The routes of the portal, and the permission that each needs.

use axum::http::Method;
use link_domain::tenancy::audit::Act;
use link_types::audit::AuditAction;
use link_types::console::Permission;

/// The caller's own session.
pub const SESSION: &str = "/console/api/session";
/// How a member can sign in.
pub const SESSION_OPTIONS: &str = "/console/api/session/options";
/// A mail with a link that signs a member in.
pub const SESSION_LINK: &str = "/console/api/session/link";
/// The way to the provider of an organization.
pub const SESSION_PROVIDER: &str = "/console/api/session/provider";
/// The caller's own identity at the provider of their tenant.
pub const SESSION_IDENTITY: &str = "/console/api/session/identity";
/// The single sign-on of the tenant.
pub const SINGLE_SIGN_ON: &str = "/console/api/singleSignOn";
/// The domains whose addresses may join the tenant.
pub const DOMAINS: &str = "/console/api/singleSignOn/domains";
/// A domain. Its id is its name.
pub const DOMAIN: &str = "/console/api/singleSignOn/domains/{id}";
/// The proof of a domain.
pub const DOMAIN_PROOF: &str = "/console/api/singleSignOn/domains/{id}/proof";
/// A challenge for a passkey that signs in or confirms an act.
pub const SESSION_CHALLENGE: &str = "/console/api/session/challenge";
/// The sign-in with a passkey.
pub const SESSION_PASSKEY: &str = "/console/api/session/passkey";
/// The confirmation of the caller's own session with a passkey.
pub const SESSION_CONFIRMATION: &str = "/console/api/session/confirmation";
/// The caller's own passkeys.
pub const PASSKEYS: &str = "/console/api/passkeys";
/// A challenge for a new passkey.
pub const PASSKEY_CHALLENGE: &str = "/console/api/passkeys/challenge";
/// A passkey.
pub const ONE_PASSKEY: &str = "/console/api/passkeys/{id}";
/// Sessions that are valid.
pub const SESSIONS: &str = "/console/api/sessions";
/// A session.
pub const ONE_SESSION: &str = "/console/api/sessions/{id}";
/// The members of the tenant.
pub const MEMBERS: &str = "/console/api/members";
/// A member.
pub const MEMBER: &str = "/console/api/members/{id}";
/// The one-time address of a member.
pub const ADDRESS: &str = "/console/api/members/{id}/address";
/// The API keys of an environment.
pub const KEYS: &str = "/console/api/{environment}/keys";
/// An API key of an environment.
pub const KEY: &str = "/console/api/{environment}/keys/{id}";
/// The successor of an API key.
pub const KEY_ROTATION: &str = "/console/api/{environment}/keys/{id}/rotation";

/// The audit log of an environment.
pub const AUDIT: &str = "/console/api/{environment}/audit";
/// A file with the audit log: `audit.csv` or `audit.json`.
pub const AUDIT_FILE: &str = "/console/api/{environment}/audit/{format}";

/// The funnel of an environment.
pub const FUNNEL: &str = "/console/api/{environment}/funnel";
/// A file with the chargeable events of a month.
pub const BILLING_FILE: &str = "/console/api/{environment}/billing/export";

/// How the latest deliveries of each webhook went.
pub const WEBHOOK_HEALTH: &str = "/console/api/{environment}/webhookHealth";
/// An example of an event of a type.
pub const EVENT_EXAMPLE: &str = "/console/api/{environment}/examples/{type}";
/// The latest requests to the REST interface.
pub const REQUESTS: &str = "/console/api/{environment}/requests";

/// A search for people.
pub const PEOPLE: &str = "/console/api/{environment}/people";
/// A person.
pub const PERSON: &str = "/console/api/{environment}/people/{id}";
/// The check of a file with people to invite.
pub const INVITE_FILE_CHECKS: &str = "/console/api/{environment}/inviteFileChecks";
/// Files with people to invite.
pub const INVITE_FILES: &str = "/console/api/{environment}/inviteFiles";
/// Another mail of a person's invitation.
pub const INVITE_MAIL: &str = "/console/api/{environment}/people/{id}/invites/{inviteId}/mail";

// Endpoints of the REST interface, with a member as the caller.

/// The webhooks of an environment.
pub const WEBHOOKS: &str = "/console/api/{environment}/webhooks";
/// A webhook.
pub const WEBHOOK: &str = "/console/api/{environment}/webhooks/{id}";
/// A ping to a webhook.
pub const PING: &str = "/console/api/{environment}/webhooks/{id}/ping";
/// A rotation of a webhook's secret.
pub const ROTATION: &str = "/console/api/{environment}/webhooks/{id}/rotateSecret";
/// The deliveries of a webhook.
pub const DELIVERIES: &str = "/console/api/{environment}/webhooks/{id}/deliveries";
/// A delivery.
pub const DELIVERY: &str = "/console/api/{environment}/webhooks/{id}/deliveries/{deliveryId}";
/// Sending a delivery again.
pub const RESEND: &str = "/console/api/{environment}/webhooks/{id}/deliveries/{deliveryId}/resend";
/// An event.
pub const EVENT: &str = "/console/api/{environment}/events/{id}";
/// A test event.
pub const FIRE: &str = "/console/api/{environment}/events/fire";
/// The logins of the sandbox.
pub const SCENARIOS: &str = "/console/api/{environment}/scenarios";
/// A login of the sandbox.
pub const SCENARIO: &str = "/console/api/{environment}/scenarios/{id}";
/// The clock of the sandbox.
pub const CLOCK: &str = "/console/api/{environment}/clock";
/// An advance of the clock.
pub const ADVANCE: &str = "/console/api/{environment}/clock/advance";

/// The chargeable events of an environment.
pub const BILLING_EVENTS: &str = "/console/api/{environment}/billing/events";
/// The number of chargeable events in a month.
pub const BILLING_SUMMARY: &str = "/console/api/{environment}/billing/summary";

/// The link sites of an environment.
pub const LINK_SITES: &str = "/console/api/{environment}/alpha/linkSites";
/// A link site.
pub const LINK_SITE: &str = "/console/api/{environment}/alpha/linkSites/{id}";
/// A page of a draft of a link site, as people would see it.
pub const LINK_SITE_PREVIEW: &str = "/console/api/{environment}/linkSitePreview";
/// The widget with the draft of a template.
pub const TEMPLATE_PREVIEW: &str = "/console/api/{environment}/templatePreview";
/// The saved versions of a template of any kind.
pub const TEMPLATE_VERSIONS: &str = "/console/api/{environment}/templateVersions/{id}";
/// The link templates of an environment.
pub const LINK_TEMPLATES: &str = "/console/api/{environment}/linkTemplates";
/// A link template.
pub const LINK_TEMPLATE: &str = "/console/api/{environment}/linkTemplates/{id}";
/// The consent templates of an environment.
pub const CONSENT_TEMPLATES: &str = "/console/api/{environment}/consentTemplates";
/// A consent template.
pub const CONSENT_TEMPLATE: &str = "/console/api/{environment}/consentTemplates/{id}";
/// The invite templates of an environment.
pub const INVITE_TEMPLATES: &str = "/console/api/{environment}/inviteTemplates";
/// An invite template.
pub const INVITE_TEMPLATE: &str = "/console/api/{environment}/inviteTemplates/{id}";
/// The providers of an environment.
pub const PROVIDERS: &str = "/console/api/{environment}/providers";
/// The answers to forms.
pub const FORMS: &str = "/console/api/{environment}/alpha/forms";
/// A file with answers.
pub const FORMS_FILE: &str = "/console/api/{environment}/alpha/forms/export";

/// An invitation.
pub const INVITE: &str = "/console/api/{environment}/invites/{id}";
/// An account.
pub const ACCOUNT: &str = "/console/api/{environment}/accounts/{id}";
/// An archive.
pub const ARCHIVE: &str = "/console/api/{environment}/archives/{id}";
/// A user.
pub const USER: &str = "/console/api/{environment}/users/{id}";

/// The requirement of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// No session.
    Nothing,
    /// A session of any role. The handler shows and changes only what is the member's own.
    Session,
    /// A permission, in the environment that the path names if it names one.
    Permission(Permission),
}

/// Whether the member must have proved who they are in the last minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Never.
    No,
    /// In production, where a secret is shown or a person is erased.
    InProduction,
    /// Always: the route changes who has access.
    Yes,
}

/// A route and what it needs.
#[derive(Debug)]
pub struct Rule {
    /// Method of the route.
    pub method: Method,
    /// Path of the route.
    pub path: &'static str,
    /// Requirement of the route.
    pub needs: Needs,
    /// Whether the route needs a confirmation.
    pub confirmation: Confirmation,
    /// Meaning of its requests for the audit log.
    pub act: Act,
}

const fn read(path: &'static str, needs: Needs) -> Rule {
    Rule { method: Method::GET, path, needs, confirmation: Confirmation::No, act: Act::Read }
}

const fn act(method: Method, path: &'static str, needs: Needs, action: AuditAction) -> Rule {
    Rule { method, path, needs, confirmation: Confirmation::No, act: Act::Audited(action) }
}

/// The reason why a request for a challenge is not in the audit log.
const CHALLENGE: &str = "It returns a challenge and changes nothing.";

/// A POST that is not an act of a member.
const fn ask(path: &'static str, needs: Needs, reason: &'static str) -> Rule {
    let act = Act::NoAudit(reason);
    Rule { method: Method::POST, path, needs, confirmation: Confirmation::No, act }
}

impl Rule {
    const fn with_confirmation(mut self, confirmation: Confirmation) -> Self {
        self.confirmation = confirmation;
        self
    }
}

/// Shorthand for a permission.
const fn may(permission: Permission) -> Needs {
    Needs::Permission(permission)
}

/// Every route. Requests to another one get 404.
pub static RULES: &[Rule] = &[
    act(Method::POST, SESSION, Needs::Nothing, AuditAction::SessionStarted),
    read(SESSION, Needs::Session),
    act(Method::DELETE, SESSION, Needs::Session, AuditAction::SessionEnded),
    read(SESSION_OPTIONS, Needs::Nothing),
    ask(SESSION_LINK, Needs::Nothing, "Its sender is not known. The mail that it leads to is recorded."),
    ask(SESSION_CHALLENGE, Needs::Nothing, CHALLENGE),
    act(Method::POST, SESSION_PASSKEY, Needs::Nothing, AuditAction::SessionStarted),
    act(Method::POST, SESSION_CONFIRMATION, Needs::Session, AuditAction::SessionConfirmed),
    ask(
        SESSION_PROVIDER,
        Needs::Nothing,
        "Its sender is not known. The session that it leads to is recorded.",
    ),
    read(SESSION_IDENTITY, Needs::Session),
    ask(SESSION_IDENTITY, Needs::Session, "It leads to the provider. The link that follows is recorded.")
        .with_confirmation(Confirmation::Yes),
    act(Method::DELETE, SESSION_IDENTITY, Needs::Session, AuditAction::IdentityUnlinked)
        .with_confirmation(Confirmation::Yes),
    read(SINGLE_SIGN_ON, may(Permission::ManageMembers)),
    act(Method::PUT, SINGLE_SIGN_ON, may(Permission::ManageMembers), AuditAction::SingleSignOnChanged)
        .with_confirmation(Confirmation::Yes),
    act(Method::DELETE, SINGLE_SIGN_ON, may(Permission::ManageMembers), AuditAction::SingleSignOnRemoved)
        .with_confirmation(Confirmation::Yes),
    act(Method::POST, DOMAINS, may(Permission::ManageMembers), AuditAction::DomainAdded)
        .with_confirmation(Confirmation::Yes),
    act(Method::DELETE, DOMAIN, may(Permission::ManageMembers), AuditAction::DomainRemoved)
        .with_confirmation(Confirmation::Yes),
    act(Method::POST, DOMAIN_PROOF, may(Permission::ManageMembers), AuditAction::DomainProven)
        .with_confirmation(Confirmation::Yes),
    read(PASSKEYS, Needs::Session),
    act(Method::POST, PASSKEYS, Needs::Session, AuditAction::PasskeyAdded)
        .with_confirmation(Confirmation::Yes),
    ask(PASSKEY_CHALLENGE, Needs::Session, CHALLENGE).with_confirmation(Confirmation::Yes),
    act(Method::DELETE, ONE_PASSKEY, Needs::Session, AuditAction::PasskeyRemoved)
        .with_confirmation(Confirmation::Yes),
    read(SESSIONS, Needs::Session),
    act(Method::DELETE, ONE_SESSION, Needs::Session, AuditAction::SessionEnded),
    read(MEMBERS, may(Permission::ReadMembers)),
    act(Method::POST, MEMBERS, may(Permission::ManageMembers), AuditAction::MemberInvited)
        .with_confirmation(Confirmation::Yes),
    act(Method::PATCH, MEMBER, may(Permission::ManageMembers), AuditAction::MemberRoleChanged)
        .with_confirmation(Confirmation::Yes),
    act(Method::DELETE, MEMBER, may(Permission::ManageMembers), AuditAction::MemberRemoved)
        .with_confirmation(Confirmation::Yes),
    act(Method::POST, ADDRESS, may(Permission::ManageMembers), AuditAction::MemberAddressCreated)
        .with_confirmation(Confirmation::Yes),
    read(KEYS, may(Permission::ReadKeys)),
    act(Method::POST, KEYS, may(Permission::ManageKeys), AuditAction::ApiKeyCreated)
        .with_confirmation(Confirmation::InProduction),
    act(Method::POST, KEY_ROTATION, may(Permission::ManageKeys), AuditAction::ApiKeyReplaced)
        .with_confirmation(Confirmation::InProduction),
    act(Method::DELETE, KEY, may(Permission::ManageKeys), AuditAction::ApiKeyRevoked),
    read(AUDIT, may(Permission::ReadAudit)),
    act(Method::GET, AUDIT_FILE, may(Permission::ReadAudit), AuditAction::AuditExported),
    read(FUNNEL, may(Permission::ReadUsage)),
    read(BILLING_SUMMARY, may(Permission::ReadUsage)),
    read(BILLING_EVENTS, may(Permission::ReadPeople)),
    act(Method::GET, BILLING_FILE, may(Permission::ReadPeople), AuditAction::BillingExported),
    read(WEBHOOK_HEALTH, may(Permission::ReadWebhooks)),
    read(WEBHOOKS, may(Permission::ReadWebhooks)),
    act(Method::POST, WEBHOOKS, may(Permission::ManageWebhooks), AuditAction::WebhookCreated)
        .with_confirmation(Confirmation::InProduction),
    read(WEBHOOK, may(Permission::ReadWebhooks)),
    act(Method::PATCH, WEBHOOK, may(Permission::ManageWebhooks), AuditAction::WebhookUpdated)
        .with_confirmation(Confirmation::InProduction),
    act(Method::DELETE, WEBHOOK, may(Permission::ManageWebhooks), AuditAction::WebhookDeleted),
    act(Method::POST, PING, may(Permission::ManageWebhooks), AuditAction::WebhookPinged),
    act(Method::POST, ROTATION, may(Permission::ManageWebhooks), AuditAction::WebhookSecretRotated)
        .with_confirmation(Confirmation::InProduction),
    read(DELIVERIES, may(Permission::ReadWebhooks)),
    read(DELIVERY, may(Permission::ReadWebhooks)),
    act(Method::POST, RESEND, may(Permission::ResendDeliveries), AuditAction::DeliveryResent),
    read(EVENT, may(Permission::ReadEvents)),
    read(EVENT_EXAMPLE, may(Permission::ReadSandbox)),
    act(Method::POST, FIRE, may(Permission::ManageSandbox), AuditAction::EventFired),
    read(SCENARIOS, may(Permission::ReadSandbox)),
    act(Method::POST, SCENARIOS, may(Permission::ManageSandbox), AuditAction::ScenarioCreated),
    act(Method::DELETE, SCENARIO, may(Permission::ManageSandbox), AuditAction::ScenarioDeleted),
    read(CLOCK, may(Permission::ReadSandbox)),
    act(Method::POST, ADVANCE, may(Permission::ManageSandbox), AuditAction::ClockAdvanced),
    act(Method::DELETE, ADVANCE, may(Permission::ManageSandbox), AuditAction::ClockStopped),
    read(REQUESTS, may(Permission::ReadRequests)),
    read(LINK_SITES, may(Permission::ReadLinkSites)),
    act(Method::POST, LINK_SITES, may(Permission::ManageLinkSites), AuditAction::LinkSiteCreated),
    read(LINK_SITE, may(Permission::ReadLinkSites)),
    act(Method::PATCH, LINK_SITE, may(Permission::ManageLinkSites), AuditAction::LinkSiteUpdated),
    act(Method::DELETE, LINK_SITE, may(Permission::ManageLinkSites), AuditAction::LinkSiteDeleted),
    ask(LINK_SITE_PREVIEW, may(Permission::ManageLinkSites), "It shows a page and changes nothing."),
    ask(TEMPLATE_PREVIEW, may(Permission::ReadTemplates), "It shows the widget and changes nothing."),
    read(TEMPLATE_VERSIONS, may(Permission::ReadTemplates)),
    read(LINK_TEMPLATES, may(Permission::ReadTemplates)),
    act(Method::POST, LINK_TEMPLATES, may(Permission::ManageTemplates), AuditAction::LinkTemplateCreated),
    read(LINK_TEMPLATE, may(Permission::ReadTemplates)),
    act(Method::PATCH, LINK_TEMPLATE, may(Permission::ManageTemplates), AuditAction::LinkTemplateUpdated),
    act(Method::DELETE, LINK_TEMPLATE, may(Permission::ManageTemplates), AuditAction::LinkTemplateDeleted),
    read(CONSENT_TEMPLATES, may(Permission::ReadTemplates)),
    act(
        Method::POST,
        CONSENT_TEMPLATES,
        may(Permission::ManageTemplates),
        AuditAction::ConsentTemplateCreated,
    ),
    read(CONSENT_TEMPLATE, may(Permission::ReadTemplates)),
    act(
        Method::PATCH,
        CONSENT_TEMPLATE,
        may(Permission::ManageTemplates),
        AuditAction::ConsentTemplateUpdated,
    ),
    act(
        Method::DELETE,
        CONSENT_TEMPLATE,
        may(Permission::ManageTemplates),
        AuditAction::ConsentTemplateDeleted,
    ),
    read(INVITE_TEMPLATES, may(Permission::ReadTemplates)),
    act(Method::POST, INVITE_TEMPLATES, may(Permission::ManageTemplates), AuditAction::InviteTemplateCreated),
    read(INVITE_TEMPLATE, may(Permission::ReadTemplates)),
    act(Method::PATCH, INVITE_TEMPLATE, may(Permission::ManageTemplates), AuditAction::InviteTemplateUpdated),
    act(
        Method::DELETE,
        INVITE_TEMPLATE,
        may(Permission::ManageTemplates),
        AuditAction::InviteTemplateDeleted,
    ),
    read(PROVIDERS, may(Permission::ReadTemplates)),
    read(FORMS, may(Permission::ReadAnswers)),
    act(Method::GET, FORMS_FILE, may(Permission::ReadAnswers), AuditAction::FormsExported),
    act(Method::POST, PEOPLE, may(Permission::ReadPeople), AuditAction::PersonSearched),
    read(PERSON, may(Permission::ReadPeople)),
    ask(INVITE_FILE_CHECKS, may(Permission::InvitePeople), "It checks a file and changes nothing."),
    act(Method::POST, INVITE_FILES, may(Permission::InvitePeople), AuditAction::InviteCreated),
    act(Method::POST, INVITE_MAIL, may(Permission::HelpPeople), AuditAction::InviteResent),
    act(Method::DELETE, INVITE, may(Permission::HelpPeople), AuditAction::InviteRevoked),
    act(Method::DELETE, ACCOUNT, may(Permission::HelpPeople), AuditAction::AccountRevoked),
    act(Method::DELETE, ARCHIVE, may(Permission::HelpPeople), AuditAction::ArchiveRevoked),
    act(Method::DELETE, USER, may(Permission::ErasePeople), AuditAction::UserDeleted)
        .with_confirmation(Confirmation::InProduction),
];

/// Returns the rule of a route, or `None` if it has none. HEAD needs what GET needs.
pub fn find(method: &Method, path: &str) -> Option<&'static Rule> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    RULES.iter().find(|rule| rule.method == *method && is_at(rule.path, path))
}

/// Returns whether a rule is about a route. The routes of the REST interface name their environment.
fn is_at(rule: &str, route: &str) -> bool {
    let of_environment = |(before, after): (&str, &str)| {
        let named = route.strip_prefix(before).and_then(|it| it.strip_suffix(after));
        matches!(named, Some("sandbox" | "production"))
    };
    rule == route || rule.split_once("{environment}").is_some_and(of_environment)
}
