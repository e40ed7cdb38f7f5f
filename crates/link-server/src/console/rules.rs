//! The routes of the portal, and the permission that each needs.

use axum::http::Method;
use link_types::console::Permission;

/// The caller's own session.
pub const SESSION: &str = "/console/api/session";
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

/// How the latest deliveries of each webhook went.
pub const WEBHOOK_HEALTH: &str = "/console/api/{environment}/webhookHealth";
/// An example of an event of a type.
pub const EVENT_EXAMPLE: &str = "/console/api/{environment}/examples/{type}";
/// The latest requests to the REST interface.
pub const REQUESTS: &str = "/console/api/{environment}/requests";

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
    /// In production, where a secret is shown.
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
}

const fn rule(method: Method, path: &'static str, needs: Needs) -> Rule {
    Rule { method, path, needs, confirmation: Confirmation::No }
}

impl Rule {
    const fn confirmed(mut self, confirmation: Confirmation) -> Self {
        self.confirmation = confirmation;
        self
    }
}

/// Every route. Requests to another one get 404.
pub static RULES: &[Rule] = &[
    rule(Method::POST, SESSION, Needs::Nothing),
    rule(Method::GET, SESSION, Needs::Session),
    rule(Method::DELETE, SESSION, Needs::Session),
    rule(Method::POST, SESSION_CHALLENGE, Needs::Nothing),
    rule(Method::POST, SESSION_PASSKEY, Needs::Nothing),
    rule(Method::POST, SESSION_CONFIRMATION, Needs::Session),
    rule(Method::GET, PASSKEYS, Needs::Session),
    rule(Method::POST, PASSKEYS, Needs::Session).confirmed(Confirmation::Yes),
    rule(Method::POST, PASSKEY_CHALLENGE, Needs::Session).confirmed(Confirmation::Yes),
    rule(Method::DELETE, ONE_PASSKEY, Needs::Session).confirmed(Confirmation::Yes),
    rule(Method::GET, SESSIONS, Needs::Session),
    rule(Method::DELETE, ONE_SESSION, Needs::Session),
    rule(Method::GET, MEMBERS, Needs::Permission(Permission::ReadMembers)),
    rule(Method::POST, MEMBERS, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::PATCH, MEMBER, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::DELETE, MEMBER, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::POST, ADDRESS, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::GET, KEYS, Needs::Permission(Permission::ReadKeys)),
    rule(Method::POST, KEYS, Needs::Permission(Permission::ManageKeys)).confirmed(Confirmation::InProduction),
    rule(Method::DELETE, KEY, Needs::Permission(Permission::ManageKeys)),
    rule(Method::GET, WEBHOOK_HEALTH, Needs::Permission(Permission::ReadWebhooks)),
    rule(Method::GET, WEBHOOKS, Needs::Permission(Permission::ReadWebhooks)),
    rule(Method::POST, WEBHOOKS, Needs::Permission(Permission::ManageWebhooks))
        .confirmed(Confirmation::InProduction),
    rule(Method::GET, WEBHOOK, Needs::Permission(Permission::ReadWebhooks)),
    rule(Method::PATCH, WEBHOOK, Needs::Permission(Permission::ManageWebhooks))
        .confirmed(Confirmation::InProduction),
    rule(Method::DELETE, WEBHOOK, Needs::Permission(Permission::ManageWebhooks)),
    rule(Method::POST, PING, Needs::Permission(Permission::ManageWebhooks)),
    rule(Method::POST, ROTATION, Needs::Permission(Permission::ManageWebhooks)),
    rule(Method::GET, DELIVERIES, Needs::Permission(Permission::ReadWebhooks)),
    rule(Method::GET, DELIVERY, Needs::Permission(Permission::ReadWebhooks)),
    rule(Method::POST, RESEND, Needs::Permission(Permission::ResendDeliveries)),
    rule(Method::GET, EVENT, Needs::Permission(Permission::ReadEvents)),
    rule(Method::GET, EVENT_EXAMPLE, Needs::Permission(Permission::ReadSandbox)),
    rule(Method::POST, FIRE, Needs::Permission(Permission::ManageSandbox)),
    rule(Method::GET, SCENARIOS, Needs::Permission(Permission::ReadSandbox)),
    rule(Method::POST, SCENARIOS, Needs::Permission(Permission::ManageSandbox)),
    rule(Method::DELETE, SCENARIO, Needs::Permission(Permission::ManageSandbox)),
    rule(Method::GET, CLOCK, Needs::Permission(Permission::ReadSandbox)),
    rule(Method::POST, ADVANCE, Needs::Permission(Permission::ManageSandbox)),
    rule(Method::DELETE, ADVANCE, Needs::Permission(Permission::ManageSandbox)),
    rule(Method::GET, REQUESTS, Needs::Permission(Permission::ReadRequests)),
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
